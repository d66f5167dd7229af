const folded = new Map<string, string>();

/**
 * A text in the form that is alike for texts that differ in case alone: Unicode simple case folding (language
 * §G.6), which patterns without case go by too (ECMA-262, Canonicalize). Anything else as it is.
 */
export function fold(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return isAscii.test(value) ? value.toLowerCase() : [...value].map(foldOne).join('');
}

const isAscii = /^[\0-\x7f]*$/;

/** Letters that one case alone does not bring together: each pair has a capital of several letters in common. */
const twins = new Map([
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
]);

function foldOne(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const found = alone(alone(character.toUpperCase(), character).toLowerCase(), character);
  const other = twins.get(character) ?? found;
  const fold = new RegExp(`^\\u{${codeOf(other)}}$`, 'iu').test(character) ? other : character;
  folded.set(character, fold);
  return fold;
}

/** A case that takes several characters, as that of `ß`, is none of simple folding. */
function alone(found: string, character: string): string {
  return [...found].length === 1 ? found : character;
}

function codeOf(character: string): string {
  return (character.codePointAt(0) as number).toString(16);
}
