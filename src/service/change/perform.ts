import type { Environment, Frame } from '../../expression/compile.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import { type Change, verbs } from '../../specification/vocabulary/change.ts';
import type { Brought, KeptResource, Members } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { type Doing, isClear, itemOf, refuseChecked } from '../transaction/doing.ts';
import type { Creating } from './create.ts';
import { type Bring, compileGiving } from './given.ts';
import type { CompiledMachine } from './machines.ts';
import type { Moving } from './move.ts';
import type { Remove } from './remove.ts';
import type { Updating } from './update.ts';

/** What a change of one item came to. */
export interface Performed {
  readonly kept: KeptResource;
  readonly outcome: Outcome | null;
  readonly before: Row | null;
  /** As it is afterwards; null: it is not there any more. */
  readonly after: Row | null;
}

/** Carries a verb out for one item; `row` is null for `create` alone. Null where it was refused. */
export type Perform = (doing: Doing, kept: KeptResource, row: Row | null) => Performed | null;

/** The ways of changing one item, compiled for all of a specification. */
export interface Ways {
  readonly create: Creating;
  readonly update: Updating;
  readonly remove: Remove;
  readonly move: Moving;
  readonly machines: ReadonlyMap<string, readonly CompiledMachine[]>;
  /** What its expressions are compiled against. */
  readonly environment: Environment;
}

export interface Asking {
  /** Whether it is what `does` says: then `this`, in its `with`, is the item that it is about (language §H.2). */
  readonly isFirst: boolean;
  /** What the request's body brings; nothing, where the change stands apart from an endpoint's body. */
  readonly bring: Bring;
  /** Values that the path gives to a new item. */
  readonly bound: (frame: Frame) => Members;
  /** What is wrong with the item that an update leads to. */
  readonly check: (doing: Doing, after: Members, before: Members) => void;
}

export function compilePerform(change: Change, ways: Ways, asking: Asking): Perform {
  const { give, takesBody } = compileGiving(change, asking.bring, ways.environment);
  const present = stated(change.qualifiers.present) ?? null;
  const isAnyway = stated(change.qualifiers.same) === 'changed';
  const { verb } = change;
  /** What is brought to an item that is there. */
  const bringTo = (doing: Doing, of: KeptResource, row: Row): Brought | null => {
    const frame = asking.isFirst ? atHand(doing, of, row) : doing.frame({});
    const brought = give(frame, of.members(row), of);
    if (brought.wrong) refuseChecked(doing, brought.wrong);
    return brought.wrong ? null : brought;
  };
  if (verb === 'create')
    return (doing, of) => {
      const frame = doing.frame({});
      const brought = give(frame, {}, of);
      const set = { ...brought.set, ...asking.bound(frame) };
      const created = ways.create(doing, of, { brought: { ...brought, set }, takesBody, present, isAnyway });
      return created && { kept: of, ...created };
    };
  if (verb === 'update' || verb === 'replace')
    return (doing, of, row) => {
      if (row === null) return null;
      const brought = bringTo(doing, of, row);
      if (brought === null) return null;
      const check = (after: Members, before: Members): void => asking.check(doing, after, before);
      const after = ways.update(doing, of, row, { brought, replaces: verb === 'replace', isAnyway, check });
      if (after === null || !isClear(doing)) return null;
      return { kept: of, outcome: after === row ? 'unchanged' : 'changed', before: row, after };
    };
  if (verb === 'delete')
    return (doing, of, row) => {
      if (row === null) return null;
      ways.remove(doing, of, [row]);
      return isClear(doing) ? { kept: of, outcome: 'deleted', before: row, after: null } : null;
    };
  if ((verbs as readonly string[]).includes(verb))
    return (_doing, of, row) => ({ kept: of, outcome: null, before: row, after: row });
  return (doing, of, row) => {
    const moves = (ways.machines.get(of.name) ?? []).flatMap((machine) => machine.moves);
    const move = moves.find(({ name }) => name === verb);
    const brought = row && bringTo(doing, of, row);
    if (row === null || move === undefined || brought === null) return null;
    const after = ways.move(doing, of, row, move, brought);
    return isClear(doing) ? { kept: of, outcome: 'changed', before: row, after } : null;
  };
}

/** Finds the item that a `create` would meet, whatever identifies it (language §4.3); null: there is none. */
export function compileMeeting(
  change: Change,
  ways: Ways,
  asking: Asking,
): (doing: Doing, of: KeptResource) => Row | null {
  const { give } = compileGiving(change, asking.bring, ways.environment);
  return (doing, of) => {
    const frame = doing.frame({});
    const brought = give(frame, {}, of);
    const set = { ...brought.set, ...asking.bound(frame) };
    return of.meets(doing.tx, { ...brought, set }, frame);
  };
}

/** A frame in which an item is at hand, as it is before it is changed. */
function atHand(doing: Doing, of: KeptResource, row: Row): Frame {
  const item = itemOf(doing, of, row);
  return doing.frame({ this: item, old: item });
}
