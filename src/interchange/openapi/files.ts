import { posix } from 'node:path';
import { type Entry, get, type Mapping, mapping, type Node, put, scalar } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { decoded, encoded, fromUri, pointed, refOf } from './pointer.ts';
import { Unreadable } from './unreadable.ts';

/** What is read of another file; null: there is none. A path is relative to the folder of the description. */
export type Files = (path: string) => Node | null;

/** The members of a map that are in another language, so that nothing in them refers to anything. */
export type Apart = (map: Mapping) => readonly string[];

/** How many references are followed from one file to another. */
const mostDeep = 64;

/** What is put together at the most, in maps and lists: files that refer to one another several times make a lot of few. */
const mostMade = 500_000;

/** Members whose value is a schema, and those that hold schemas by name, or one after another. */
const schemas = new Set([
  'schema',
  'payload',
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
]);
const holders = new Set(['properties', 'patternProperties', 'schemas', 'definitions', '$defs']);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Values that are data, or what people read: in them nothing refers to anything. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const', 'description', 'summary']);

/**
 * A description as one file: what other files hold takes the place of the reference to it. A schema of another file gets a
 * name among the schemas of the description, so that it may refer to itself.
 *
 * @param main the name of the file that holds the description, without its folder
 * @param apart default: no members
 * @throws Unreadable
 */
export function inOneFile(root: Mapping, main: string, files: Files, apart: Apart = () => []): Mapping {
  return refersElsewhere(root) ? new Joining(root, main, files, apart).joined() : root;
}

function refersElsewhere(node: Node): boolean {
  if (node.kind === 'list') return node.items.some(refersElsewhere);
  if (node.kind === 'scalar') return false;
  const ref = refOf(node);
  if (ref !== null && !ref.startsWith('#')) return true;
  return [...node.entries.values()].some(({ value }) => refersElsewhere(value));
}

/** Maps by names that anybody chooses, beside those of schemas. In other maps, a name that begins with `x-` is an extension. */
const named = new Set(['headers', 'parameters', 'requestBodies', 'securitySchemes', 'links', 'pathItems']);

/** Where a value stands: in which file, and whether it is a schema, holds schemas by name, or anything by name. */
interface Standing {
  readonly file: string;
  readonly isSchema: boolean;
  readonly isHolder: boolean;
  readonly isNamed: boolean;
  readonly depth: number;
}

class Joining {
  readonly #root: Mapping;
  readonly #main: string;
  readonly #files: Files;
  readonly #apart: Apart;
  /** Where schemas stand in OpenAPI 3, and in 2.0. */
  readonly #at: readonly string[];
  /** The schemas of the description; null: it has none. */
  readonly #own: Mapping | null;
  /** The names of schemas of other files, by file and pointer. */
  readonly #names = new Map<string, string>();
  /** The schemas that other files hold, by name. */
  readonly #added = new Map<string, Entry>();
  #made = 0;

  constructor(root: Mapping, main: string, files: Files, apart: Apart) {
    this.#root = root;
    this.#main = main;
    this.#files = files;
    this.#apart = apart;
    this.#at = get(root, 'swagger') ? ['definitions'] : ['components', 'schemas'];
    const own = this.#at.reduce((node: Node | undefined, name) => get(node, name), root);
    this.#own = own?.kind === 'map' ? own : null;
  }

  joined(): Mapping {
    // A schema that the description names only to refer to another file has that name.
    for (const [name, { value }] of this.#own?.entries ?? []) {
      const to = this.#target(refOf(value), this.#main);
      if (to && to.file !== this.#main) this.#names.set(to.key, name);
    }
    const standing = { file: this.#main, isSchema: false, isHolder: false, isNamed: false, depth: 0 };
    const joined = this.#node(this.#root, standing) as Mapping;
    return withSchemas(joined, this.#at, this.#added, this.#own);
  }

  /** Which file and place a reference leads to; null: it is none. */
  #target(ref: string | null, from: string): { file: string; pointer: string; key: string } | null {
    if (ref === null) return null;
    const [path = '', pointer = ''] = ref.split('#');
    const file = path === '' ? from : pathFrom(from, path);
    return { file, pointer, key: `${file}#${pointer}` };
  }

  #node(node: Node, standing: Standing): Node {
    if (node.kind === 'scalar') return node;
    this.#made += 1;
    if (this.#made > mostMade)
      throw new Unreadable(
        'description-size',
        `files refer to one another for more than ${mostMade} values`,
        node.span,
      );
    const inner = { ...standing, isHolder: false, isNamed: false };
    if (node.kind === 'list')
      return { ...node, items: node.items.map((item) => this.#node(item, { ...inner, isSchema: true })) };
    const ref = refOf(node);
    if (ref !== null) return this.#followed(node, ref, standing);
    const foreign = this.#apart(node);
    const entries = [...node.entries].map(([name, entry]): [string, Entry] => {
      const isApart =
        data.has(name) || foreign.includes(name) || (name.startsWith('x-') && !standing.isNamed);
      if (isApart && !standing.isHolder) return [name, entry];
      const isSchema = standing.isHolder || schemas.has(name) || lists.has(name);
      const isHolder = !standing.isHolder && holders.has(name);
      const isNamed = named.has(name);
      return [name, { ...entry, value: this.#node(entry.value, { ...inner, isSchema, isHolder, isNamed }) }];
    });
    return mapping(entries, node.span);
  }

  #followed(node: Mapping, ref: string, standing: Standing): Node {
    const { span } = get(node, '$ref') as Node;
    if (/^[a-z][a-z0-9+.-]+:|^\/\//i.test(ref))
      throw new Unreadable(
        'description-reference',
        `${ref} is at another address, and nothing is fetched: save it as a file`,
        span,
      );
    const to = this.#target(ref, standing.file);
    if (to === null) return node;
    if (to.file === this.#main) return put(node, '$ref', scalar(`#${to.pointer}`, span));
    if (standing.depth > mostDeep) throw new Unreadable('description-cycle', `${ref} refers to itself`, span);
    const further = { ...standing, file: to.file, depth: standing.depth + 1 };
    if (!standing.isSchema) return this.#node(this.#found(to, ref, span), further);
    const known = this.#names.get(to.key);
    const name = known ?? this.#free(nameOf(to));
    this.#names.set(to.key, name);
    if (!this.#added.has(name)) {
      this.#added.set(name, { key: span, value: node });
      const value = this.#node(this.#found(to, ref, span), { ...further, depth: 0 });
      this.#added.set(name, { key: value.span, value });
    }
    return put(node, '$ref', scalar(`#/${[...this.#at, name].map(encoded).join('/')}`, span));
  }

  #found({ file, pointer }: { file: string; pointer: string }, ref: string, span: Span): Node {
    const outside = file.startsWith('..') || file.startsWith('/');
    if (outside)
      throw new Unreadable(
        'description-reference',
        `${ref} leads out of the folder of the description`,
        span,
      );
    const root = this.#files(file);
    if (root === null)
      throw new Unreadable('description-reference', `${ref}: there is no file ${file}`, span);
    const found = pointed(root, pointer);
    if (found === undefined)
      throw new Unreadable('description-reference', `${ref} is nowhere in ${file}`, span);
    return found;
  }

  #free(name: string): string {
    const taken = new Set([...this.#names.values(), ...this.#added.keys()]);
    let free = name;
    for (let count = 2; taken.has(free) || this.#own?.entries.has(free); count++) free = `${name}${count}`;
    return free;
  }
}

/** The root with more schemas, in place of those of the same name. */
function withSchemas(
  root: Mapping,
  [name, ...further]: readonly string[],
  added: ReadonlyMap<string, Entry>,
  own: Mapping | null,
): Mapping {
  if (name === undefined || added.size === 0) return root;
  const inner = get(root, name);
  const map = inner?.kind === 'map' ? inner : mapping([], root.span);
  if (further.length > 0) return put(root, name, withSchemas(map, further, added, own));
  const entries = new Map(map.entries);
  for (const [each, { key, value }] of added)
    entries.set(each, { key: own?.entries.get(each)?.key ?? key, value });
  return put(root, name, { ...map, entries });
}

/** A path relative to a file, from the folder of the description (RFC 3986 §5.2). */
function pathFrom(file: string, path: string): string {
  const plain = fromUri(path);
  return posix.isAbsolute(plain) ? posix.normalize(plain) : posix.join(posix.dirname(file), plain);
}

/** What a schema of another file is called: as where it stands, or as the file. */
function nameOf({ file, pointer }: { file: string; pointer: string }): string {
  const last = pointer.split('/').at(-1) ?? '';
  const base = posix.basename(file).replace(/\.(ya?ml|json)$/i, '');
  return decoded(last) || base;
}
