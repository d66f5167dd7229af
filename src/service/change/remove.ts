import { setMember } from '../../source/node.ts';
import { refuse } from '../refusal.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { type Doing, hold, isClear, refuseIt } from './doing.ts';
import { sameKey, type Writing } from './write.ts';

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
    const doomed: Doomed[] = rows.map((row) => ({ kept, row }));
    const cleared: (Doomed & { readonly field: string })[] = [];
    const inTheWay: Doomed[] = [];
    const open = new Set<string>();
    const isDoomed = (one: Doomed): boolean =>
      doomed.some((other) => other.kept === one.kept && sameKey(other.row.key, one.row.key));
    for (let index = 0; index < doomed.length; index += 1) {
      const gone = doomed[index] as Doomed;
      for (const { resource, field, ifDeleted, rows: referring } of gone.kept.referrers) {
        const from = resources.get(resource) as KeptResource;
        if (ifDeleted === 'keep') continue;
        for (const row of referring(doing.tx, gone.row)) {
          const one = { kept: from, row };
          if (ifDeleted === null) open.add(field.ifDeleted.address);
          else if (ifDeleted === 'delete' && !isDoomed(one)) doomed.push(one);
          else if (ifDeleted === 'clear') cleared.push({ ...one, field: field.name });
          else if (ifDeleted === 'refuse') inTheWay.push(one);
        }
      }
    }
    if (open.size > 0) hold(doing, [...open]);
    if (inTheWay.some((one) => !isDoomed(one))) refuseIt(doing, refuse('in use', kept.name));
    if (!isClear(doing)) return;
    for (const { kept: from, row, field } of cleared) {
      if (isDoomed({ kept: from, row })) continue;
      const present = doing.tx.find(from.name, row.key) as Row;
      const members = from.members(present);
      setMember(members, field, null);
      writing.write(doing, from, present, members);
    }
    for (const one of doomed) writing.remove(doing, one.kept, one.row);
  };
}
