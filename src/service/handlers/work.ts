import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Permission } from '../../specification/vocabulary/change.ts';
import type { Timers } from '../change/timers.ts';
import type { Table } from '../store/store.ts';
import { hold } from '../transaction/doing.ts';
import type { Handlers } from './worked.ts';

/** Where it is kept what is to be worked on: each entry of an item to a state, until its work is done. */
export const workTable: Table = {
  name: 'work',
  keyFields: ['resource', 'item', 'machine', 'entered'],
  indexes: [{ fields: [{ path: ['due'] }], unique: false }],
};

/** What is kept of one entry. */
export interface Due {
  readonly state: string;
  /** When the function is to be called: the form of `now`. */
  readonly due: string;
  /** How often that was begun. */
  readonly tries: number;
}

/** The work of a state (language §3.1): the function is null where the operator gives none. */
export interface Work {
  readonly resource: string;
  /** The field that holds the state. */
  readonly field: string;
  readonly state: string;
  readonly address: string;
  readonly run: Handlers[string] | null;
  readonly may: readonly Permission[];
}

/** The works that a specification states, those among them that are still open. */
export function worksOf({ states }: Specification, given: Handlers): readonly Work[] {
  return [...(stated(states) ?? [])].flatMap(([name, said]) => {
    const machine = stated(said);
    const [resource = '', ...field] = name.split('.');
    return [...((machine && stated(machine.work)) ?? [])].flatMap(([state, one]): Work[] => {
      const work = stated(one);
      if (one.kind === 'none' || work?.handled.kind === 'none') return [];
      const handler = work && stated(work.handled)?.text;
      const run = (handler !== undefined && given[handler]) || null;
      const may = (work && stated(work.may)) ?? [];
      return [{ resource, field: field.join('.'), state, address: one.address, run, may }];
    });
  });
}

/**
 * Notes each entry to a state that has work, in the transaction that makes it; where the function is not given, what
 * brings an item there is held up.
 *
 * @param told that something was noted
 */
export function followWork(works: readonly Work[], told: () => void): Timers['follow'] {
  const byMachine = Map.groupBy(works, ({ resource, field }) => `${resource}.${field}`);
  const fields = Map.groupBy(works, ({ resource }) => resource);
  return (doing, kept, before, after, entered) => {
    if (after === null || !fields.has(kept.name)) return;
    const [was, is] = [before, after].map((row) => row && kept.members(row));
    for (const field of new Set(fields.get(kept.name)?.map((one) => one.field))) {
      const state = is?.[field];
      const work = byMachine.get(`${kept.name}.${field}`)?.find((one) => one.state === state);
      const enters = entered?.field === field || was?.[field] !== state;
      if (work === undefined || !enters) continue;
      if (work.run === null) {
        hold(doing, [work.address]);
        continue;
      }
      const due: Due = { state: work.state, due: doing.now, tries: 0 };
      const key = [kept.name, JSON.stringify(after.key), field, doing.now];
      // To enter twice in one transaction is to be worked on once, in the state that was entered last.
      doing.tx.remove(workTable.name, key);
      doing.tx.insert(workTable.name, { key, text: JSON.stringify(due) });
      told();
    }
  };
}
