import { get, type Node } from '../../source/node.ts';

/** The value at a JSON Pointer in a fragment of a URI (RFC 6901 §6); undefined: there is none. */
export function pointed(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root;
  for (const token of pointer.split('/').slice(1)) node = node && child(node, decoded(token));
  return node;
}

function child(node: Node, name: string): Node | undefined {
  return node.kind === 'list' ? node.items[Number(name)] : get(node, name);
}

/** A reference token (RFC 6901 §3). */
export function decoded(token: string): string {
  return unescaped(fromUri(token));
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The names in a JSON Pointer that is a text of its own. */
export function namesIn(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

/** A JSON Pointer of names. */
export function pointerOf(names: readonly string[]): string {
  return names.map((name) => `/${encoded(name)}`).join('');
}

/** A part of a URI as a text (RFC 3986 §2.1); as it is, if its percent signs encode nothing. */
export function fromUri(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The reference that a value is; null: it is none. */
export function refOf(node: Node): string | null {
  const ref = get(node, '$ref');
  return ref?.kind === 'scalar' && typeof ref.value === 'string' ? ref.value : null;
}

/** A name as a reference token. */
export function encoded(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
