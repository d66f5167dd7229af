import type { Answer } from '../../semantics/judge/answer.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';

/** Of each name so many values are known: the latest. */
const most = 20;

/**
 * What answers showed of things of which the document does not say that they are kept: requests name them by a member or a
 * parameter that is called after them. After `[{ id: 'hall', code: 7 }]` at `/rooms`, `roomId` and `room` may be `hall`, and
 * `room_code` 7.
 */
export class ShownKeys {
  readonly #values = new Map<string, readonly Json[]>();

  /** Notes the members of what a success shows: of the whole, or of each element of a list. */
  note(operation: Operation, { status, body }: Answer): void {
    const thing = thingAt(operation);
    if (status >= 300 || thing === undefined || body instanceof Uint8Array) return;
    for (const element of elementsOf(body ?? null))
      for (const [name, value] of Object.entries(element)) {
        this.#add(`${thing} ${name}`, value as Json);
        if (name === 'id') this.#add(thing, value as Json);
      }
  }

  /** The values that a member or parameter may have by its name. */
  valuesFor(name: string): readonly Json[] {
    return this.#values.get(plain(name)) ?? [];
  }

  #add(name: string, value: Json): void {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const known = this.#values.get(plain(name)) ?? [];
    this.#values.set(plain(name), [...known.filter((each) => each !== value), value].slice(-most));
  }
}

/** A name without what separates its words. */
function plain(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

/** What is at the path of an operation, in singular; undefined: its path names nothing. */
function thingAt({ path }: Operation): string | undefined {
  const last = path.findLast((segment) => 'literal' in segment);
  return last && 'literal' in last ? singular(last.literal) : undefined;
}

function singular(word: string): string {
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return /(ss|us|is)$/.test(word) ? word : word.replace(/(?<=s|x|z|ch|sh)es$|s$/, '');
}

/** The objects that content shows: those of a list, also if it is a member; else the content itself. */
function elementsOf(content: Json): readonly object[] {
  const lists = Array.isArray(content)
    ? [content]
    : isObject(content)
      ? Object.values(content).filter(Array.isArray)
      : [];
  const elements = lists.flat().filter(isObject);
  return elements.length > 0 || !isObject(content) ? elements : [content];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
