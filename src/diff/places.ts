import { withoutMedia } from './content.ts';

/** Maps whose keys are names that the document gives, so that no word in them is the language's (language §A.5). */
const namesUnder: readonly string[] = [
  'resources',
  'fields',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'states',
  'transitions',
  'endpoints',
  'path',
  'query',
  'headers',
  'schemes',
  'actors',
  'authorization',
  'kinds',
  'delivery',
  'codes',
  'content',
  'messages',
  'extra',
  'rates',
  'concurrency',
  'quotas',
  'sizes',
  'operations',
  'versions',
  'differs',
  'invariants',
  'holds',
  'with',
  'set',
  'by',
  'work',
];

/** Whether the map at this path is one of names; the path is the steps from the part. */
export function holdsNames(whole: readonly string[]): boolean {
  const path = withoutMedia(whole);
  const last = path.at(-1);
  // A field, a parameter or a code may have one of these words for its name, and is then no list of names itself.
  const above = path.at(-2);
  if (last === undefined) return true;
  if (above !== undefined && namesUnder.includes(above) && holdsNames(path.slice(0, -1))) return false;
  return namesUnder.includes(last);
}

/** Whether what stands at this path is a value of a payload or a literal, and not statements of the language. */
export function holdsLiteral(whole: readonly string[]): boolean {
  const path = withoutMedia(whole);
  return path.some(
    (name, index) =>
      (literals.includes(name) && !holdsNames(path.slice(0, index))) ||
      (name === 'body' &&
        !(path[0] === 'endpoints' && path[index - 1] === 'request') &&
        !holdsNames(path.slice(0, index))),
  );
}

const literals = ['default', 'const', 'enum', 'with', 'set', 'derived', 'extra'];

/** Keys that hold a list in which the order says nothing. */
const sets: readonly string[] = [
  'identifier',
  'required',
  'enum',
  'type',
  'from',
  'final',
  'states',
  'by',
  'operations',
  'methods',
  'origins',
  'headers',
  'exposes',
  'shows',
  'omits',
  'includes',
  'excludes',
  'may',
  'unique',
  'alias',
  'media',
  'paths',
  'matching',
  'when',
  'status',
  'schemes',
  'algorithms',
];

export function isSet(path: readonly string[]): boolean {
  const last = path.at(-1);
  const above = path.slice(0, -1);
  return last !== undefined && sets.includes(last) && !holdsNames(above) && !holdsLiteral(above);
}
