import type { Frame } from '../../expression/compile.ts';
import { type FrameOf, frame as frameOf } from '../message/frame.ts';
import { type Again, type Held, isAgain, isHeld, type Refusal, refuse } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';
import { type Renamings, toldIn } from '../shape/renaming.ts';
import type { Found } from '../transaction/found.ts';
import type { Compiled } from './compiled.ts';

type Names = Readonly<Record<string, unknown>>;

/** The answer to what stands against a request. */
export function answerTo(
  {
    operation,
    around,
    refusals,
    renamings,
  }: Pick<Compiled, 'operation' | 'around' | 'refusals' | 'renamings'>,
  found: Refusal | Held | Again,
  frame: FrameOf,
): Reply {
  if (isAgain(found)) return found.again;
  if (isHeld(found)) return around.hold(operation, found.held);
  return refusals.reply(toldBy(renamings, found), frame);
}

/** What expressions find if nothing is known of a request. */
export function alone({ around }: Pick<Compiled, 'around'>): FrameOf {
  return (more: Names): Frame => frameOf(around, null, { now: around.now(), ...more });
}

/** The answer to a fault of the service's own (language §H.4, 16). */
export function internal(compiled: Pick<Compiled, 'around' | 'refusals'>, error: unknown): Reply {
  const frame = alone(compiled);
  const reply = compiled.refusals.reply(refuse('internal'), (more) => frame({ this: null, ...more }));
  return { ...reply, faults: [error, ...(reply.faults ?? [])] };
}

/** What a refusal tells of the items that were found: what conceals has none of what it conceals (language §7.1). */
export function shownWith({ refusals }: Compiled, refusal: Refusal | Held | Again, found: Found): Found {
  const hidden = 'condition' in refusal ? refusals.conceals(refusal) : null;
  if (hidden === null) return found;
  const bound = Object.entries(found.bound).map(
    ([name, item]) => [name, item?.resource === hidden ? null : item] as const,
  );
  return { ...found, bound: Object.fromEntries(bound), subject: null };
}

/** Fields that are not unique, by what a version calls them: other failures were told so as they were found. */
function toldBy(renamings: Renamings | null, found: Refusal): Refusal {
  if (renamings === null || found.condition !== 'not unique') return found;
  const failures = found.failures.map((one) => {
    const renaming = renamings.named(one.subjects[0]?.split('.')[0] ?? '');
    return toldIn(renaming, one);
  });
  return { ...found, failures };
}
