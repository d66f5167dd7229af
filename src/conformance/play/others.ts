import type { Answer } from '../../semantics/judge/answer.ts';
import { judge } from '../../semantics/judge/judge.ts';
import { amongOthers, begun } from '../../semantics/request/begin.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { step } from '../../semantics/request/request.ts';
import { plain } from '../../semantics/value/plain.ts';
import { Made, seen, Unknown } from '../../semantics/value/value.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';

/**
 * Whether somebody else has to use the service for the answer to be right, and whether the answer shows an item of theirs.
 * `none`: nobody has to, or it is wrong in any case.
 */
export type Others = 'none' | 'needed' | 'seen';

/**
 * Whether an answer that is wrong if nobody else uses the service is right if somebody does, and shows an item of theirs.
 *
 * @param own what earlier answers showed of items of ours
 */
export function othersIn(
  answer: Answer,
  world: World,
  request: Request,
  received: Received,
  own: OwnTexts,
): Others {
  const first = begun(world);
  if (world.isShared || first instanceof Unknown) return 'none';
  const steps = step(amongOthers(first), request, received);
  if (judge(steps, answer, true, false).differences.length > 0) return 'none';
  // Somebody has the value already, as where an earlier run used it.
  if (answer.status >= 400 && steps.some(({ prediction }) => prediction.condition === 'not unique'))
    return 'seen';
  return showsOthers(answer, request.operation, first, own) ? 'seen' : 'needed';
}

/** Whether a list that is right, whoever uses the service, shows an item that no request of this run made. */
export function isOfOthers(answer: Answer, operation: Operation, world: World, own: OwnTexts): boolean {
  return world.isShared && showsOthers(answer, operation, world, own);
}

/** A text that tells one item from all others has at least so many characters. */
const telling = 8;

/** Texts by which items of ours are told from others': those that the service made up in answers about one item. */
export class OwnTexts {
  readonly #texts = new Set<Json>();
  /** The keys of items that requests of this run made. */
  readonly #keys = new Set<Json>();
  /** Texts that were made up, so that nobody else has them. */
  readonly #fresh: ReadonlySet<Json>;

  constructor(fresh: ReadonlySet<string> = new Set()) {
    this.#fresh = fresh;
  }

  /** Notes what an answer shows that is no list. */
  note({ operation, content }: Request, { body, headers, status }: Answer): void {
    const made = stated(operation.does)?.verb === 'create' ? operation.subject : null;
    if (made !== null && status < 300 && body !== undefined && !(body instanceof Uint8Array))
      for (const key of keysNamed(body, keyNames(made))) this.#keys.add(key);
    if (status >= 300 || stated(operation.does)?.verb === 'list' || body instanceof Uint8Array) return;
    const given = new Set(scalarsIn((plain(content ?? null) ?? null) as Json));
    for (const text of [...scalarsIn(body ?? null), headers['location'] ?? null])
      if (typeof text === 'string' && text.length >= telling && /\d/.test(text) && !given.has(text))
        this.#texts.add(text);
  }

  has(text: Json): boolean {
    return this.#texts.has(text) || this.#fresh.has(text);
  }

  /** Whether an item with this key was made by a request of this run. */
  hasKey(key: Json): boolean {
    return this.#keys.has(key);
  }
}

/** Whether a list shows an element that is none of the items that are known. */
function showsOthers({ body }: Answer, { does, subject }: Operation, world: World, own: OwnTexts): boolean {
  if (stated(does)?.verb !== 'list' || subject === null) return false;
  const names = keyNames(subject);
  // A key that the service made for a deleted item is that of no other one.
  const deleted = world
    .former(subject.name)
    .filter(({ members }) => names.some((name) => members.get(name) instanceof Made));
  const keys = new Set(
    [...world.all(subject.name), ...deleted].flatMap(({ members }) =>
      names.map((name) => seen(members.get(name) ?? null)),
    ),
  );
  return listsIn(body).some((list) =>
    list.some(
      (element) =>
        !keysIn(element, names).some((each) => keys.has(each)) &&
        !keyOf(element, names).some((each) => own.hasKey(each)) &&
        !scalarsIn(element).some((each) => own.has(each)),
    ),
  );
}

function keyNames({ identifier }: Resource): readonly string[] {
  return (stated(identifier) ?? []).map(({ text }) => text);
}

/** The key that an element shows: its members of these names, or itself, where it is no object. */
function keyOf(element: Json, names: readonly string[]): readonly Json[] {
  return typeof element === 'object' && element !== null ? keysNamed(element, names) : [element];
}

/** The members of an element that are called as the identifier is. */
function keysNamed(element: Json, names: readonly string[]): readonly Json[] {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return [];
  return names.flatMap((name) =>
    Object.hasOwn(element, name) ? [(element as { readonly [member: string]: Json })[name] as Json] : [],
  );
}

/** What of an element may be the key of an item: its members of these names, or any scalar where it has none of them. */
function keysIn(element: Json, names: readonly string[]): readonly (string | number | boolean | null)[] {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return scalarsIn(element);
  const own = names.flatMap((name) =>
    Object.hasOwn(element, name)
      ? scalarsIn((element as { readonly [member: string]: Json })[name] ?? null)
      : [],
  );
  return own.length > 0 ? own : scalarsIn(element);
}

function listsIn(body: Answer['body']): readonly (readonly Json[])[] {
  if (body instanceof Uint8Array || typeof body !== 'object' || body === null) return [];
  if (Array.isArray(body)) return [body];
  return Object.values(body).filter((each) => Array.isArray(each));
}

function scalarsIn(element: Json): readonly (string | number | boolean | null)[] {
  if (typeof element !== 'object' || element === null) return [element];
  return Object.values(element).flatMap(scalarsIn);
}
