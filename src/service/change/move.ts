import { ownMember, setMember } from '../../source/node.ts';
import { refuse } from '../message/refusal.ts';
import type { Brought, KeptResource, Members } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { type Doing, isClear, itemOf, refuseChecked, refuseIt } from '../transaction/doing.ts';
import type { Move } from './machines.ts';
import type { Remove } from './remove.ts';
import type { Writing } from './write.ts';

/** Carries out what follows a move, for the item that was moved. */
export type Follow = (move: Move, doing: Doing, kept: KeptResource, before: Row, after: Row | null) => void;

/**
 * Moves an item (language §3.2); `brought` is set as it moves. The item as it is afterwards; null where it ceased
 * to be, or was refused.
 */
export type Moving = (doing: Doing, kept: KeptResource, row: Row, move: Move, brought: Brought) => Row | null;

export function moving(writing: Writing, remove: Remove, follow: Follow): Moving {
  return (doing, kept, row, move, brought) => {
    const before = kept.members(row);
    const { field } = move.machine;
    if (!move.from.includes(String(ownMember(before, field)))) {
      refuseIt(doing, refuse('transition refused', `${kept.name}.${move.name}`));
      return null;
    }
    const item = itemOf(doing, kept, row);
    const frame = doing.frame({ this: item, old: item });
    if (move.guard && move.guard(frame) !== true) {
      refuseIt(doing, refuse('guard refused', `${kept.name}.${move.name}`));
      return null;
    }
    if (move.to === null) {
      remove(doing, kept, [row]);
      if (!isClear(doing)) return null;
      doing.found.moved.push({ by: `${kept.name}.${move.name}`, kept, before: row, after: null });
      follow(move, doing, kept, row, null);
      return null;
    }
    const set: Members = {};
    for (const [name, run] of move.set)
      setMember(set, name, run(kept.uniquely(frame, name, { member: item.member, key: row.key })));
    Object.assign(set, brought.set);
    setMember(set, field, move.to);
    const { members, checked, fault } = kept.change(before, { ...brought, set }, doing.frame({}));
    if (checked) refuseChecked(doing, checked);
    if (!isClear(doing)) return null;
    if (fault) throw fault.error;
    const written = writing.write(doing, kept, row, members, move.machine);
    if (written === null || !isClear(doing)) return written;
    doing.found.moved.push({ by: `${kept.name}.${move.name}`, kept, before: row, after: written });
    follow(move, doing, kept, row, written);
    return written;
  };
}
