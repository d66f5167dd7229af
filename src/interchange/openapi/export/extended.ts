import { isDeepStrictEqual } from 'node:util';
import { get, type Json, json, type List, type Mapping, type Node } from '../../../source/node.ts';
import type { Losses } from '../../losses.ts';
import { extension, supersededBy } from '../extensions.ts';
import type { Imported } from '../import.ts';
import { type Branch, type Host, jsonOf, opened, type Piece } from '../piece.ts';
import { namesIn, pointerOf } from '../pointer.ts';
import type { JsonObject } from './schema.ts';

/** What a piece lacks of a statement: entries to add, and pointers of those that the statement does not have. */
interface Difference {
  readonly added: Map<string, Json>;
  readonly removed: string[];
}

/**
 * The description with all that the importer does not find in it, each in an extension of the object to which it
 * belongs (`x-tacet-…`).
 *
 * @param content the description without extensions, as JSON
 * @param imported what the importer makes of it
 * @param statements what is stated, by part
 */
export function extended(
  content: string,
  imported: Imported,
  statements: Mapping,
  losses: Losses,
): JsonObject {
  const description = JSON.parse(content) as JsonObject;
  const extending = new Extending(description, losses);
  for (const [part, piece] of imported.drafts) {
    const statement = get(statements, part);
    if (statement) extending.say(statement, piece);
  }
  return description;
}

class Extending {
  readonly #description: JsonObject;
  readonly #losses: Losses;

  constructor(description: JsonObject, losses: Losses) {
    this.#description = description;
    this.#losses = losses;
  }

  /** Says in the piece's own object what the piece lacks of the statement. */
  say(statement: Node, piece: Piece): void {
    const host = piece.host as Host;
    const whole = extension.whole(host);
    if (get(host.place.node, whole)) return;
    if (statement.kind !== 'map' || !('entries' in piece)) {
      if (!isDeepStrictEqual(jsonOf(piece), json(statement))) this.#set(host, whole, json(statement));
      return;
    }
    const { added, removed: all } = this.#difference(statement, piece, []);
    const superseded = supersededBy([...added.keys()]);
    for (const name of superseded) {
      const again = get(statement, name);
      if (again) added.set(name, json(again));
    }
    const removed = all.filter((pointer) => !superseded.some((name) => pointer === pointerOf([name])));
    if (removed.length > 0) added.set(extension.without, removed);
    if (holdsHosts(piece) || sizeOf(Object.fromEntries(added)) <= sizeOf(json(statement)))
      for (const [name, value] of added) this.#set(host, extension.of(host, name), value);
    else this.#set(host, whole, json(statement));
  }

  #difference(statement: Mapping, piece: Branch, path: readonly string[]): Difference {
    const found: Difference = { added: new Map(), removed: [] };
    for (const [name, { value }] of statement.entries) {
      const inner = piece.entries.get(name);
      const branch = inner && opened(inner);
      if (inner?.host) this.say(value, inner);
      else if (inner && 'items' in inner && hasStatusesOf(value, inner.items))
        for (const [index, item] of inner.items.entries()) this.say(value.items[index] as Node, item);
      else if (inner === undefined || branch === undefined) found.added.set(name, json(value));
      else if ('entries' in branch && value.kind === 'map') {
        const { added, removed } = this.#difference(value, branch, [...path, name]);
        found.removed.push(...removed);
        if (added.size > 0) found.added.set(name, Object.fromEntries(added));
      } else if (!isDeepStrictEqual(jsonOf(inner), json(value))) found.added.set(name, json(value));
    }
    for (const name of piece.entries.keys())
      if (!statement.entries.has(name)) found.removed.push(pointerOf([...path, name]));
    return found;
  }

  #set({ place }: Host, name: string, value: Json): void {
    let object: Json | undefined = this.#description;
    for (const step of namesIn(place.pointer)) object = (object as JsonObject)[step];
    this.#losses.add('extension', name, `${place.pointer}/${name}`);
    (object as Record<string, Json>)[name] = value;
  }
}

/** Whether answers are listed with the same statuses, so that each is said in the object of its own. */
function hasStatusesOf(value: Node, items: readonly Piece[]): value is List {
  const status = (answer: Json): Json => (answer as JsonObject)['status'] ?? answer;
  return (
    value.kind === 'list' &&
    items.every(({ host }) => host !== undefined) &&
    isDeepStrictEqual(
      value.items.map((each) => status(json(each))),
      items.map((each) => status(jsonOf(each))),
    )
  );
}

function sizeOf(value: Json): number {
  return JSON.stringify(value).length;
}

/** Whether parts of a piece have objects of their own. */
function holdsHosts(piece: Piece): boolean {
  const inner = 'entries' in piece ? [...piece.entries.values()] : 'items' in piece ? piece.items : [];
  return inner.some((each) => each.host !== undefined || holdsHosts(each));
}
