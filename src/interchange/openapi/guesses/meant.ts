import type { Described } from '../operations.ts';
import type { Shaping } from '../shape.ts';
import { isSendable } from './envelopes.ts';
import { elementsOf, foundIn } from './named.ts';
import { isListable } from './query.ts';
import type { Kept } from './recognised.ts';
import { type Brought, broughtBy, type Takes } from './taken.ts';

/** What an operation most likely does. */
export interface Meant {
  readonly verb: 'create' | 'read' | 'list' | 'update' | 'replace' | 'delete';
  readonly kept: Kept;
  /** Whether an item that is there is replaced. Default: it is not */
  readonly isUpsert?: true;
  /** Where the elements of a list stand in the answer: a member, or null for the answer itself. */
  readonly elements?: string | null;
  /** The one member of the answer that holds the item; null: it is the answer. Default: no item is answered */
  readonly under?: string | null;
  /** The members of the body that are taken. Default: those that the resource has */
  readonly takes?: Takes;
  /** Whether nothing shows that it is so but the answer, so that no verdict can rest on it. Default: more does */
  readonly isVague?: boolean;
}

/** What each operation most likely does; operations of which that cannot be told are not in it. */
export function meantBy(
  operations: readonly Described[],
  kept: readonly Kept[],
  shaping: Shaping,
): ReadonlyMap<Described, Meant> {
  const found = new Map<Described, Meant>();
  for (const each of kept) {
    const { path, itemPath } = each.collection;
    const keys = new Set(operations.map(({ key }) => key));
    for (const operation of operations) {
      const meant =
        operation.path === path
          ? each.isSingle
            ? ofSingle(operation, each, shaping)
            : ofCollection(operation, each, keys, shaping)
          : operation.path === itemPath
            ? ofItem(operation, each, keys.has(`POST ${path}`), shaping)
            : undefined;
      if (meant) found.set(operation, meant);
    }
  }
  return found;
}

function ofCollection(
  operation: Described,
  kept: Kept,
  keys: ReadonlySet<string>,
  shaping: Shaping,
): Meant | undefined {
  const { method, body, successes } = operation;
  const content = successes[0]?.content;
  if (method === 'GET') {
    const found = elementsOf(content, shaping);
    if (found?.item.name !== kept.name || !isListable(operation, kept.schema, shaping.places))
      return undefined;
    const isSent = isSendable(operation, found.member, shaping.places);
    return isSent ? { verb: 'list', kept, elements: found.member } : undefined;
  }
  if (method !== 'POST' || !body) return undefined;
  const found = foundIn(content, shaping);
  if (content !== undefined && found?.name !== kept.name) return undefined;
  const { path, itemPath } = kept.collection;
  const isSeen = keys.has(`GET ${path}`) || (itemPath !== null && keys.has(`GET ${itemPath}`));
  const brought = broughtBy(body, kept.schema, shaping.places);
  const is = ofBody(brought, found !== undefined, isSeen);
  return is && { verb: 'create', kept, under: found?.under ?? null, ...is };
}

/** How a body is taken; undefined: nothing shows that it is about the resource. */
function ofBody(
  brought: Brought | undefined,
  isAnswered: boolean,
  isSeen: boolean,
): Pick<Meant, 'takes' | 'isVague'> | undefined {
  if (brought === undefined) return undefined;
  const { isMost, isHalf, isOther, takes } = brought;
  // Of what nobody can look at, half of the members have to be known at least.
  if (!isMost && !(isAnswered && (isSeen || isHalf))) return undefined;
  return { takes, isVague: !isMost || isOther || !isSeen };
}

function ofItem(
  { method, body, successes }: Described,
  kept: Kept,
  posts: boolean,
  shaping: Shaping,
): Meant | undefined {
  const content = successes[0]?.content;
  const found = foundIn(content, shaping);
  const isAnswered = found?.name === kept.name;
  const under = found?.under ?? null;
  if (method === 'GET') return isAnswered ? { verb: 'read', kept, under } : undefined;
  if (method === 'DELETE') return { verb: 'delete', kept, ...(isAnswered && { under }) };
  const is = body && ofBody(broughtBy(body, kept.schema, shaping.places), isAnswered, true);
  if (!is) return undefined;
  if (method === 'PATCH' || method === 'POST') return { verb: 'update', kept, under, ...is };
  if (method !== 'PUT') return undefined;
  return posts
    ? { verb: 'replace', kept, under, ...is }
    : { verb: 'create', kept, under, isUpsert: true, ...is };
}

/** What nobody made is there all the same, with values that nobody says: so it is only a stand-in. */
function ofSingle(operation: Described, kept: Kept, shaping: Shaping): Meant | undefined {
  const found = ofItem(operation, kept, true, shaping);
  return found && { ...found, isVague: true };
}
