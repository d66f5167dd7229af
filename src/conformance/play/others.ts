import type { Answer } from '../../semantics/judge/answer.ts';
import { judge } from '../../semantics/judge/judge.ts';
import { amongOthers, begun } from '../../semantics/request/begin.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { step } from '../../semantics/request/request.ts';
import { seen, Unknown } from '../../semantics/value/value.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';

/**
 * Whether somebody else has to use the service for the answer to be right, and whether the answer shows an item of theirs.
 * `none`: nobody has to, or it is wrong in any case.
 */
export type Others = 'none' | 'needed' | 'seen';

/** Whether an answer that is wrong if nobody else uses the service is right if somebody does, and shows an item of theirs. */
export function othersIn(answer: Answer, world: World, request: Request, received: Received): Others {
  const first = begun(world);
  if (world.isShared || first instanceof Unknown) return 'none';
  const steps = step(amongOthers(first), request, received);
  if (judge(steps, answer, true, false).differences.length > 0) return 'none';
  return showsOthers(answer, request.operation, first) ? 'seen' : 'needed';
}

/** Whether a list shows an element that is none of the items that are known. */
function showsOthers({ body }: Answer, { does, subject }: Operation, world: World): boolean {
  if (stated(does)?.verb !== 'list' || subject === null) return false;
  const fields = stated(subject.identifier) ?? [];
  const keys = new Set(
    world
      .all(subject.name)
      .flatMap(({ members }) => fields.map(({ text }) => seen(members.get(text) ?? null))),
  );
  const names = fields.map(({ text }) => text);
  return listsIn(body).some((list) =>
    list.some((element) => !keysIn(element, names).some((each) => keys.has(each))),
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
