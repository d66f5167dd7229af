import type { Json, Members } from '../document.ts';

/** What the service has to make, as the texts in place of which it stands. */
const made: Readonly<Record<string, string>> = {
  '<uuid>': '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  '<sequence>': '[1-9][0-9]*',
  '<now>': '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)',
};
const marks = /<(?:uuid|sequence|now|random \d+)>/g;

/** What cannot be foretold, and can be told when it is seen. */
export interface Form {
  readonly fits: (found: Json) => boolean;
}
/** A value that is due: JSON, in which forms may stand. */
export type Due = unknown;
export type Scope = Readonly<Record<string, unknown>>;

const makers = {
  uuid: () => '<uuid>',
  sequence: () => '<sequence>',
  random: (length: number) => `<random ${length}>`,
  now: '<now>',
};

const loops: Readonly<Record<string, string>> = {
  filter: 'filter',
  map: 'map',
  exists: 'some',
  all: 'every',
};

/**
 * An expression, worked out by JavaScript: what the documents at hand use of CEL reads alike in both, but for
 * members of null, loops, sizes and `this`. `==` compares an item with its key, as an item's text is its key.
 */
function workOut(text: string, scope: Scope): unknown {
  const script = text
    .split(/('[^']*')/)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : piece
            .replace(/\bthis\b/g, 'self')
            .replace(
              /\.(filter|map|exists|all)\((\w+),/g,
              (_all, loop, name) => `.${loops[loop]}((${name}) =>`,
            )
            .replace(/\.size\(\)/g, '.length')
            .replace(/\.(?=[A-Za-z_])/g, '?.'),
    )
    .join('');
  const names = { ...makers, ...scope };
  return new Function(...Object.keys(names), `return (${script})`)(...Object.values(names));
}

/** What a template comes to (language §H.3); undefined where it is one expression that is null for absence. */
export function fill(template: Json | undefined, scope: Scope): Due {
  if (Array.isArray(template)) return template.map((one) => fill(one, scope));
  if (typeof template === 'object' && template !== null)
    return Object.fromEntries(
      Object.entries(template).flatMap(([name, one]) => {
        const value = fill(one, scope);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  if (typeof template !== 'string' || !template.includes('${')) return template;
  const whole = /^\$\{([^}]*)\}$/.exec(template)?.[1];
  if (whole !== undefined) return workOut(whole, scope);
  return template.replace(/\$\{([^}]*)\}/g, (_all, text: string) => String(workOut(text, scope) ?? ''));
}

export function isForm(due: unknown): due is Form {
  return typeof due === 'object' && due !== null && 'fits' in due;
}

/** What is found and is not due, each with its place; nothing where all is due. */
export function notDue(due: Due, found: Json | undefined, where = 'body'): string[] {
  const differs = [`${where} is ${JSON.stringify(found)}, and ${JSON.stringify(due)} is due`];
  if (due === undefined)
    return found === undefined ? [] : [`${where} is due by nothing: ${JSON.stringify(found)}`];
  if (found === undefined) return [`${where} is missing`];
  // What is stated to be free is the service's choice (language §F.1).
  if (due === '(any)') return [];
  if (isForm(due)) return due.fits(found) ? [] : [`${where} has no such form: ${JSON.stringify(found)}`];
  if (typeof due === 'string' && marks.test(due)) return hasForm(due, found) ? [] : differs;
  if (typeof due !== 'object' || due === null) return Object.is(due, found) || due === found ? [] : differs;
  if (Array.isArray(due))
    return Array.isArray(found) && found.length === due.length
      ? due.flatMap((one, index) => notDue(one, found[index], `${where}[${index}]`))
      : differs;
  if (Object.hasOwn(due, 'toString')) return notDue(String(due), found, where);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return differs;
  const names = new Set([...Object.keys(due), ...Object.keys(found)]);
  return [...names].flatMap((name) =>
    notDue((due as Members)[name], (found as Members)[name], `${where}.${name}`),
  );
}

function hasForm(due: string, found: Json): boolean {
  marks.lastIndex = 0;
  if (due === '<sequence>') return Number.isInteger(found) && Number(found) > 0;
  const pattern = due
    .split(/(<(?:uuid|sequence|now|random \d+)>)/)
    .map((piece) => {
      const length = /^<random (\d+)>$/.exec(piece)?.[1];
      return length ? `[A-Za-z0-9]{${length}}` : (made[piece] ?? piece.replace(/[^A-Za-z0-9]/g, '\\$&'));
    })
    .join('');
  return typeof found === 'string' && new RegExp(`^${pattern}$`).test(found);
}
