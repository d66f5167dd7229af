import { setMember } from '../../source/node.ts';
import { refuse } from '../message/refusal.ts';
import type { KeptResource } from '../resource/kept.ts';
import { forEach } from '../store/reads.ts';
import type { Row } from '../store/store.ts';
import { type Doing, hold, isClear, refuseIt } from '../transaction/doing.ts';
import { nameOf } from '../transaction/written.ts';
import type { Writing } from './write.ts';

type Resources = ReadonlyMap<string, KeptResource>;

/** Removes items of a resource. */
export type Remove = (doing: Doing, kept: KeptResource, rows: readonly Row[]) => void;

interface Doomed {
  readonly kept: KeptResource;
  readonly row: Row;
}

/**
 * Removes items, and does to those that refer to them what `ifDeleted` says (language §2.2): they are all found
 * first, so that one which goes as well stands in nobody's way.
 */
export function removal(resources: Resources, writing: Writing): Remove {
  return (doing, kept, rows) => {
    const doomed = new Map<string, Doomed>();
    const doom = (of: KeptResource, row: Row): void => {
      const name = nameOf(of, row.key);
      if (!doomed.has(name)) doomed.set(name, { kept: of, row });
    };
    for (const row of rows) doom(kept, row);
    const isDoomed = (one: Doomed): boolean => doomed.has(nameOf(one.kept, one.row.key));
    const cleared: (Doomed & { readonly field: string })[] = [];
    const inTheWay: Doomed[] = [];
    const open = new Set<string>();
    // What is added to a map while it is gone through is gone through as well.
    forEach(doing.tx, doomed.values(), (gone) => {
      forEach(doing.tx, gone.kept.referrers, ({ resource, field, ifDeleted, rows: referring }) => {
        if (ifDeleted === 'keep') return;
        const from = resources.get(resource) as KeptResource;
        for (const row of referring(doing.tx, gone.row)) {
          const one = { kept: from, row };
          if (ifDeleted === null) open.add(field.ifDeleted.address);
          else if (ifDeleted === 'delete') doom(from, row);
          else if (ifDeleted === 'clear') cleared.push({ ...one, field: field.name });
          else if (ifDeleted === 'refuse') inTheWay.push(one);
        }
      });
    });
    if (open.size > 0) hold(doing, [...open]);
    if (inTheWay.some((one) => !isDoomed(one))) refuseIt(doing, refuse('in use', kept.name));
    if (!isClear(doing)) return;
    forEach(doing.tx, cleared, ({ kept: from, row, field }) => {
      if (isDoomed({ kept: from, row })) return;
      const present = doing.tx.find(from.name, row.key) as Row;
      const members = from.members(present);
      setMember(members, field, null);
      writing.write(doing, from, present, members);
    });
    forEach(doing.tx, doomed.values(), (one) => writing.remove(doing, one.kept, one.row));
  };
}
