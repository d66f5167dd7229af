import type { Frame } from '../../expression/compile.ts';
import { worked } from '../../expression/values.ts';
import { json, ownMember } from '../../source/node.ts';
import { transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { CompiledMachine, Move } from '../change/machines.ts';
import { dueAt, timerKey, timerTable } from '../change/timers.ts';
import type { KeptResource } from '../resource/kept.ts';
import { claimOf, takenTable } from '../resource/unique.ts';
import type { Reads, Row } from '../store/store.ts';
import type { Added } from '../store/upgrade.ts';
import { type Check, check, type Looked } from './judge.ts';

/** What is kept beside the items, and begins with those that are there when it is first stated. */
export function beginningsOf(
  specification: Specification,
  kept: KeptResource,
  machines: readonly CompiledMachine[],
  now: () => string,
): readonly Check[] {
  return [
    ...claims(kept),
    ...machines.flatMap(({ moves }) => moves.flatMap((move) => timers(specification, kept, move, now))),
  ];
}

/** The values of a field that is `unique: ever`: those that an item has are had by nobody else (language §2.2). */
function claims({ name, resource }: KeptResource): Check[] {
  return [...resource.fields.values()].flatMap((field): Check[] => {
    if (stated(field.unique) !== 'ever') return [];
    const claim = ({ row, members }: Looked): Row | null =>
      claimOf(`${name}.${field.name}`, ownMember(members, field.name), row.key);
    const isTaken = (reads: Reads, { key, text }: Row): boolean => {
      const found = reads.find(takenTable.name, key);
      return found !== null && found.text !== text;
    };
    return [
      {
        ...check(['ever', field.name], () => (looked) => {
          const claimed = claim(looked);
          return claimed && isTaken(looked.reads, claimed) ? [{ field: field.name, keyword: 'unique' }] : [];
        }),
        adds: (looked) => {
          const row = claim(looked);
          return row ? [{ table: takenTable.name, row }] : [];
        },
      },
    ];
  });
}

/** A move that happens by itself, for the items that are in a state from which it does (language §3.3). */
function timers(of: Specification, kept: KeptResource, move: Move, now: () => string): Check[] {
  const { timer, machine, name } = move;
  if (timer === null) return [];
  const at = timer.kind === 'at' ? timeOf(of, move) : null;
  const isIn = ({ members }: Looked, state: string): boolean => ownMember(members, machine.field) === state;
  const dueOf = ({ item, frame }: Looked): string | null | undefined => {
    const time = now();
    const here: Frame = frame({ this: item, now: time, actor: null });
    return worked(() => dueAt(move, time, here));
  };
  return move.from.map((state) => ({
    ...check(
      ['timer', machine.field, name, state, at],
      () => (looked) =>
        isIn(looked, state) && dueOf(looked) === undefined ? [{ field: machine.field, keyword: name }] : [],
    ),
    adds: (looked): Added[] => {
      const due = isIn(looked, state) ? dueOf(looked) : null;
      if (typeof due !== 'string') return [];
      const key = timerKey(kept, looked.row.key, move);
      return [{ table: timerTable.name, row: { key, text: JSON.stringify({ due }) } }];
    },
  }));
}

/** The expression for the time, as it is written: of another one it is another time. */
function timeOf({ states }: Specification, { machine: { resource, field }, name }: Move): unknown {
  const machine = stated(stated(states)?.get(`${resource}.${field}`));
  const moves = new Map(machine ? transitionsIn(machine) : []);
  const at = moves.get(name)?.at;
  const said = at && stated(at);
  return said ? json(said.node) : null;
}
