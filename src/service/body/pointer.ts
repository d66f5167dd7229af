import { setMember } from '../../source/node.ts';

/** The names and indexes of a JSON Pointer (RFC 6901 §3, §4); null where the text is none. */
export function tokensOf(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a pointer leads to; undefined where nothing is there. */
export function valueAt(document: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>((here, token) => child(here, token), document);
}

function child(of: unknown, token: string): unknown {
  if (Array.isArray(of)) return of[indexOf(token, of.length - 1) ?? -1];
  const isObject = typeof of === 'object' && of !== null && Object.hasOwn(of, token);
  return isObject ? (of as Record<string, unknown>)[token] : undefined;
}

/** Puts a value at a place within an object or a list; into a list it is inserted. False where there is no place. */
export function addAt(parent: unknown, token: string, value: unknown): boolean {
  if (Array.isArray(parent)) {
    const index = token === '-' ? parent.length : indexOf(token, parent.length);
    if (index !== undefined) parent.splice(index, 0, value);
    return index !== undefined;
  }
  if (typeof parent !== 'object' || parent === null) return false;
  setMember(parent as Record<string, unknown>, token, value);
  return true;
}

/** Takes out what is there; false where nothing is. */
export function removeAt(parent: unknown, token: string): boolean {
  if (child(parent, token) === undefined) return false;
  if (Array.isArray(parent)) parent.splice(Number(token), 1);
  else delete (parent as Record<string, unknown>)[token];
  return true;
}

/** An index of a list, without leading zeros (RFC 6901 §4), up to `last`. */
function indexOf(token: string, last: number): number | undefined {
  if (!/^(0|[1-9]\d*)$/.test(token)) return undefined;
  return Number(token) <= last ? Number(token) : undefined;
}
