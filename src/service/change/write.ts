import type { Issuer } from '../access/issuer.ts';
import type { Barred } from '../events/barred.ts';
import { notUnique } from '../message/refusal.ts';
import type { KeptResource, Members, Unique } from '../resource/kept.ts';
import { forEach } from '../store/reads.ts';
import type { Row } from '../store/store.ts';
import { type Doing, noteRemoved, noteWritten, refuseIt } from '../transaction/doing.ts';
import { sameKey } from '../transaction/written.ts';
import type { Gone } from './gone.ts';
import type { Guards } from './guards.ts';
import type { CompiledMachine } from './machines.ts';
import type { Timers } from './timers.ts';

/** How items are written, whatever verb it is that writes them: one place for uniqueness and timers. */
export interface Writing {
  /**
   * Writes an item as it is to be; `before` null: a new one; `entered`: the machine that was moved; `isFresh`: no other
   * item can have its identifier. Null where it was refused.
   */
  readonly write: (
    doing: Doing,
    kept: KeptResource,
    before: Row | null,
    members: Members,
    entered?: CompiledMachine,
    isFresh?: boolean,
  ) => Row | null;
  readonly remove: (doing: Doing, kept: KeptResource, row: Row) => void;
  /** Whether something is noted of an item that goes. */
  readonly tells: (kept: KeptResource | undefined) => boolean;
}

/** @param issuer what was issued for an item ends with it (language §5.2) */
export function compileWriting(
  timers: Timers,
  issuer: Issuer | null,
  barred: Barred | null,
  guards: Guards,
  gone: Gone | null,
): Writing {
  return {
    tells: (kept) => kept !== undefined && (issuer?.notes(kept) === true || gone !== null),
    write: (doing, kept, before, members, entered, isFresh = false) => {
      const row = kept.row(members);
      // The identifier is the first; should it be taken all the same, the store says so.
      const taken: Unique[] = [];
      forEach(doing.tx, isFresh ? kept.uniques.slice(1) : kept.uniques, (one) => {
        const found = one.taken(doing.tx, members);
        if (found !== null && !(before && sameKey(found.key, before.key))) taken.push(one);
      });
      if (taken.length > 0) {
        const former = taken.filter(({ wasTaken }) => wasTaken?.(doing.tx, members));
        if (entered === undefined) guards.unwritten(doing, kept, before, row);
        refuseIt(doing, notUnique(kept.name, inOrder(kept, taken), members, inOrder(kept, former)));
        return null;
      }
      const why = barred?.(kept, before, members) ?? null;
      if (why !== null) {
        doing.found.barred.push(why);
        return null;
      }
      if (before) doing.tx.update(kept.name, row);
      else {
        doing.tx.insert(kept.name, row);
        gone?.forget(doing.tx, kept, row.key);
      }
      kept.bytes?.written(doing.tx, before, row, members);
      kept.claim(doing.tx, members);
      noteWritten(doing, kept, before, row);
      // A move has the guard of its transition (language §3.1).
      if (entered === undefined) guards.written(doing, kept, before, row);
      timers.follow(doing, kept, before, row, entered ?? null);
      return row;
    },
    remove: (doing, kept, row) => {
      guards.removed(doing, kept, row);
      kept.bytes?.removed(doing.tx, row);
      doing.tx.remove(kept.name, row.key);
      gone?.note(doing.tx, kept, row.key);
      noteRemoved(doing, kept, row);
      issuer?.left(doing.tx, kept, row.key, doing.now);
      timers.follow(doing, kept, row, null, null);
    },
  };
}

/** The fields that another item has alike, as they are written. */
function inOrder({ resource }: KeptResource, taken: readonly Unique[]): string[] {
  return [...resource.fields.keys()].filter((name) => taken.some(({ fields }) => fields.includes(name)));
}
