import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import { type Entry, type Json, mapping, type Node, node as placed, setMember } from '../../source/node.ts';

/** A value on its way through the upgrader. */
type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };
type Members = { [name: string]: Plain };

/** The member by which a map is known again on the other side: upgraders keep extensions. */
const mark = 'x-tacet-at';

/**
 * A description in OpenAPI 2.0 (Swagger) as one in 3.0, each value at the place from which it came.
 *
 * @throws Error what the upgrader cannot read
 */
export function upgraded(root: Node): Node {
  const sources: Node[] = [];
  const plain = plainOf(root, sources) as Members;
  withOwnMedia(plain);
  return new Rebuilding(sources).node(upgradeFromTwoToThree(plain) as Plain, root);
}

function plainOf(node: Node, sources: Node[]): Plain {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map((item) => plainOf(item, sources));
  const members: Members = {};
  for (const [name, { value }] of node.entries) setMember(members, name, plainOf(value, sources));
  // A map, since the upgrader takes each member of some maps for one.
  members[mark] = { at: sources.length };
  sources.push(node);
  return members;
}

/** Each operation with the media types of its own, else those of all (OpenAPI 2.0, `consumes` and `produces`). */
function withOwnMedia(root: Members): void {
  for (const item of mapsIn(root['paths']))
    for (const [name, operation] of Object.entries(item)) {
      // An extension of a path is none of its operations.
      if (name.startsWith('x-') && name !== mark) delete item[name];
      else if (isMap(operation) && Object.hasOwn(operation, 'responses'))
        for (const key of ['consumes', 'produces'])
          if (!Object.hasOwn(operation, key) && root[key] !== undefined) operation[key] = root[key];
    }
  // The upgrader puts those of all before those of an operation.
  delete root['produces'];
}

function mapsIn(value: Plain | undefined): readonly Members[] {
  return isMap(value) ? Object.values(value).filter(isMap) : [];
}

function isMap(value: Plain | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Puts what the upgrader made back in its place. */
class Rebuilding {
  readonly #sources: readonly Node[];

  constructor(sources: readonly Node[]) {
    this.#sources = sources;
  }

  /** @param near the value from which it came, or the nearest around it */
  node(value: Plain, near: Node): Node {
    if (Array.isArray(value)) {
      const items = near.kind === 'list' ? near.items : [];
      return {
        kind: 'list',
        items: value.map((item, at) => this.node(item, items[at] ?? near)),
        span: near.span,
      };
    }
    if (!isMap(value)) return { ...(placed(value as Json, near.span) as Node), ...writtenAs(value, near) };
    const at = isMap(value[mark]) ? value[mark]['at'] : undefined;
    const source = this.#sources[Number(at)] ?? near;
    const names = Object.keys(value).filter((name) => name !== mark);
    return mapping(
      names.map((name): [string, Entry] => {
        const from = source.kind === 'map' ? source.entries.get(name) : undefined;
        const inner = this.node(value[name] ?? null, from?.value ?? source);
        return [name, { key: from?.key ?? inner.span, value: inner }];
      }),
      source.span,
    );
  }
}

/** A text as it was written, if it is the same value. */
function writtenAs(value: Plain, near: Node): object {
  return near.kind === 'scalar' && near.value === value ? near : {};
}
