import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { bodyOf } from '../body.ts';
import { type Scenario, Unreached } from '../check.ts';
import { alsoOf } from '../foresee/also.ts';
import { carryOut, wayTo } from '../foresee/course.ts';
import { closed } from '../guards.ts';
import { membersOf } from '../item.ts';
import { fieldNamed } from '../keys.ts';
import type { Item } from '../partly.ts';
import { create, make } from '../perform.ts';
import { mustRefuse, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { moveNamed } from '../states/machines.ts';
import type { Trial } from '../trial.ts';
import { all } from '../verdict.ts';

/**
 * What follows a creation is refused, and so all of it is: a transition of an item that is referred to, which the
 * same request made before (language §H.2: all, or none).
 */
export function alsoRefused(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const { of } = trial;
  const body = bodyOf(of, operation);
  if (body === null || stated(operation.does)?.verb !== 'create') return [];
  return alsoOf(operation, []).flatMap(({ change, address, at }) => {
    const [field] = fieldNamed(change, body);
    const target = of.resourcesByName.get(stated(field?.refers)?.resource ?? '');
    const move = target && moveNamed(of, target, change.verb);
    const once = move?.from !== undefined && typeof move.to === 'string' && !move.from.includes(move.to);
    if (field === undefined || target === undefined || !once || move === undefined) return [];
    const reason: Reason = { name: 'transition refused', subject: target.name, failures: [] };
    const refused = (label: string, item: () => Promise<Item>): Scenario =>
      refusing(trial, {
        says: `${operation.key} with ${label}, of which ${move.name} follows,`,
        operation,
        cites: { address, at },
        reasons: [reason],
        must: all(
          closed(of, move.of.machine.transitions.address),
          closed(of, move.address),
          mustRefuse(of, operation, reason),
        ),
        item,
        send: async (found) => {
          const name = found?.resource === resource ? field.name : (stated(field.refers)?.field ?? '');
          const key = found?.known.get(name);
          if (key === undefined)
            throw new Unreached(`nothing shows the ${name} of a ${found?.resource.name}`);
          const members = { ...membersOf(bodyFor(trial, operation, 'most')), [field.name]: key };
          return await create(trial, operation, members, { stays: true });
        },
      });
    const states = move.of.states.filter((state) => !move.from?.includes(state));
    return [
      refused(`the ${field.name} of another`, async () => (await make(trial, resource)).item),
      ...states.flatMap((state) => {
        const way = wayTo(trial, target, move.of.field, state);
        return way ? [refused(`a ${field.name} in ${state}`, () => carryOut(trial, target, way))] : [];
      }),
    ];
  });
}
