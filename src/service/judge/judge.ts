import { type CannotWorkOut, worked } from '../../expression/values.ts';
import { conditionNames } from '../../specification/vocabulary/condition.ts';
import {
  type Again,
  type Held,
  isAgain,
  isHeld,
  type Judged,
  type Refusal,
  refuse,
} from '../message/refusal.ts';
import type { Refusals } from './refusals.ts';

/** One reason to refuse, as an operation judges it. */
export interface Judge<Context> {
  readonly condition: Judged;
  /** The row that it belongs to, for an expression of a row's own. */
  readonly code: string | null;
  /** What it is always about, where several judge the condition, each at the place of its own row. */
  readonly subject?: string;
  /** Whether it needs to know what is kept. */
  readonly kept: boolean;
  /** Whether it is the change itself that tells, once it is carried out. */
  readonly byChange: boolean;
  /** Whether it counts the request, so that it is asked only once none before it refuses. */
  readonly counts?: boolean;
  /** Of `not authorized`: whether it is not about the item, and so stands before that is looked for (language §H.4, 7). */
  readonly isPlain?: boolean;
  readonly refuses: (context: Context) => readonly Refusal[] | Held | Again;
}

/** A repeat is answered before anything kept is looked at, which the first request may have changed. */
const places: readonly Judged[] = conditionNames.flatMap((name): Judged[] =>
  name === 'unknown' ? ['replay', name] : [name],
);

function placeIn<Context>({ condition, isPlain }: Judge<Context>): number {
  return isPlain ? places.indexOf('replay') - 0.5 : places.indexOf(condition);
}

/** A judge's place in the order: several rows may list its condition, each at a place of its own. */
export interface Slot<Context> {
  readonly judge: Judge<Context>;
  /** The row that is answered by here; undefined: whichever fits. */
  readonly row: string | null | undefined;
}

/**
 * Puts an operation's reasons to refuse in the order in which they answer: that of language §H.4, in which
 * those that `errors.order` lists change places among themselves to stand as listed there.
 */
export function inOrder<Context>(
  judges: readonly Judge<Context>[],
  refusals: Refusals,
): readonly Slot<Context>[] {
  const slots = judges.flatMap((judge): Slot<Context>[] => {
    const { condition, code, subject } = judge;
    const rows = code === null && condition !== 'replay' ? refusals.rows(condition) : [];
    if (subject !== undefined && condition !== 'replay')
      return [{ judge, row: refusals.rowOf(refuse(condition, subject)) }];
    return rows.length < 2
      ? [{ judge, row: undefined }]
      : [...rows.map((row) => ({ judge, row })), { judge, row: null }];
  });
  const byList = slots.sort((a, b) => placeIn(a.judge) - placeIn(b.judge));
  const place = ({ judge, row }: Slot<Context>): number | undefined =>
    row === null ? undefined : refusals.place(judge.condition, row ?? judge.code);
  const listed = byList.filter((slot) => place(slot) !== undefined);
  listed.sort((a, b) => (place(a) as number) - (place(b) as number));
  return byList.map((slot) => (place(slot) === undefined ? slot : (listed.shift() as Slot<Context>)));
}

/**
 * The first that holds; or what holds the request up where that would have to be known to tell. Whatever does not
 * wait for the change is judged before it is carried out, of what is kept as it was. A change that cannot be worked out is
 * `internal`, the last condition (language §H.4): another that holds answers first.
 */
export function firstRefusal<Context>(
  slots: readonly Slot<Context>[],
  context: Context,
  refusals: Refusals,
): Refusal | Held | Again | null {
  let judged: Map<Judge<Context>, readonly Refusal[] | Held | Again> | null = null;
  let isChanged = false;
  let fault: CannotWorkOut | null = null;
  const judgedBy = (judge: Judge<Context>): readonly Refusal[] | Held | Again => {
    if (!judge.byChange) return judge.refuses(context);
    return (
      worked(
        () => judge.refuses(context),
        (error) => {
          fault ??= error;
        },
      ) ?? []
    );
  };
  for (let index = 0; index < slots.length; index += 1) {
    const { judge, row } = slots[index] as Slot<Context>;
    if (judge.byChange && !isChanged) {
      isChanged = true;
      for (const later of slots.slice(index + 1)) {
        if (later.judge.byChange || later.judge.counts || judged?.has(later.judge)) continue;
        judged ??= new Map();
        judged.set(later.judge, later.judge.refuses(context));
      }
    }
    const known = judged?.get(judge);
    const found = known ?? judgedBy(judge);
    if (row !== undefined && known === undefined) {
      judged ??= new Map();
      judged.set(judge, found);
    }
    if (isHeld(found) || isAgain(found)) return found;
    if (found.length === 0) continue;
    if (row === undefined) return refusals.choose(found);
    const fitting = refusals.fitting(found, row);
    if (fitting) return fitting;
  }
  if (fault) throw fault;
  return null;
}
