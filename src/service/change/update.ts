import { binaryFields } from '../resource/bytes.ts';
import type { Brought, KeptResource, Members } from '../resource/kept.ts';
import { isWritable } from '../shape/schema.ts';
import type { Row } from '../store/store.ts';
import { type Doing, isClear, refuseChecked } from '../transaction/doing.ts';
import type { CompiledMachine } from './machines.ts';
import type { Moving } from './move.ts';
import { askedOf, moveAsked } from './states.ts';
import type { Writing } from './write.ts';

export interface Update {
  readonly brought: Brought;
  /** Members that are not given return to their default, or go. */
  readonly replaces: boolean;
  /** Whether it is a change to leave every value as it was (language §H.2, `same`). */
  readonly isAnyway?: boolean;
  /** Told of the item that it leads to, before that is written. */
  readonly check: (after: Members, before: Members) => void;
}

/** Sets members of an item: the item afterwards, the same row where nothing changed; null where it was refused. */
export type Updating = (doing: Doing, kept: KeptResource, row: Row, update: Update) => Row | null;

export function updating(
  machines: ReadonlyMap<string, readonly CompiledMachine[]>,
  writing: Writing,
  move: Moving,
): Updating {
  return (doing, kept, row, { brought, replaces, isAnyway = false, check }) => {
    const before = kept.members(row);
    const own = machines.get(kept.name) ?? [];
    const asked = askedOf(own, replaces ? replacing(kept, before, brought, own) : brought);
    const { members, changed, checked, fault } = kept.change(
      before,
      asked.brought,
      doing.frame({}),
      isAnyway,
    );
    // A shape that is not met is told of before what should hold of values that fit, as it is of a new item.
    check(members, before);
    if (checked) refuseChecked(doing, checked);
    if (!isClear(doing)) return null;
    if (fault) throw fault.error;
    const after = changed ? writing.write(doing, kept, row, members) : row;
    return isClear(doing) ? moveAsked(doing, kept, after, asked, move) : null;
  };
}

/** The same, with what a client may give and did not: it returns to its default, or goes (language §H.2). */
function replacing(
  kept: KeptResource,
  before: Members,
  brought: Brought,
  machines: readonly CompiledMachine[],
): Brought {
  const bytes = binaryFields(kept.resource);
  // Most bodies cannot give bytes: what was not given stays (language §H.1).
  const stays = (name: string): boolean =>
    kept.keyFields.includes(name) ||
    bytes.includes(name) ||
    machines.some(({ field }) => field === name) ||
    Object.hasOwn(brought.given, name) ||
    Object.hasOwn(brought.set ?? {}, name);
  const fields = [...kept.resource.fields.values()].filter(isWritable).map(({ name }) => name);
  const foreign = Object.keys(before).filter((name) => !kept.resource.fields.has(name));
  return { ...brought, reset: [...fields, ...foreign].filter((name) => !stays(name)) };
}
