/** What people read of an operation, as OpenAPI divides it. */
export interface Texts {
  readonly summary: string;
  readonly description: string | undefined;
}

/** A longer paragraph is no summary. */
const mostCharacters = 120;

/** The name of an operation or a kind of event as words: `listTasks` is `List tasks`, `parcel.registered` is `Parcel registered`. */
export function summaryOfName(name: string): string {
  if (name.includes('/')) return name;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => (/^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word))
    .join(' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A first paragraph of one line that is no sentence is the summary, if others follow: so the importer puts the two together. Else
 * the summary is the name in words.
 *
 * @param name of the operation or the kind of event; of an operation without one, its method and path
 */
export function textsOf(name: string, description: string | undefined): Texts {
  const [first = '', ...further] = (description ?? '').split('\n\n');
  const isLine = first !== '' && first.length <= mostCharacters && !/\n|[.!?:>]$/.test(first);
  if (!isLine || further.length === 0 || [first, further[0] ?? ''].some(isNote))
    return { summary: summaryOfName(name), description };
  return { summary: first, description: further.join('\n\n') };
}

/** Whether the importer noted a member that the language has no word for: `tags: pets`. */
function isNote(paragraph: string): boolean {
  return /^[\w-]+: /.test(paragraph);
}
