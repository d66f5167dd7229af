import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { bodyOf } from '../body.ts';
import { type Described, ifReached, type Scenario, type Statement, Unreached, unreached } from '../check.ts';
import type { Members } from '../item.ts';
import type { Item } from '../partly.ts';
import { make, perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { type Attempt, type Done, operationFor, type Trial } from '../trial.ts';
import type { Persona } from './persona.ts';
import { refuses } from './turned-away.ts';

/** A usual request about an item. */
export async function sampleOf(
  trial: Trial,
  operation: Operation,
  item: Item,
  attempt: Attempt,
): Promise<Done> {
  const body = await ifReached(async () => bodyFor(trial, operation, 'most'));
  return await perform(trial, operation, { item, ...(body !== undefined && { body }), ...attempt });
}

/** An item that the rule is known not to let somebody to, where there is one. */
export async function closedTo(
  trial: Trial,
  operation: Operation,
  of: Resource,
  other: Persona | null,
): Promise<Item> {
  const maker = operationFor(trial.of, of, 'create');
  const fields = maker ? [...(bodyOf(trial.of, maker)?.fields.values() ?? [])] : [];
  const booleans = fields.filter(({ shape }) => stated(shape.keywords.get('type')) === 'boolean');
  const all = (value: boolean): Members =>
    Object.fromEntries(booleans.map(({ name }) => [name, value] as const));
  let item: Item | undefined;
  for (const members of [{}, all(false), all(true)]) {
    item = (await make(trial, of, members)).item;
    if (refuses(trial, operation, other, { item }).value === true) break;
  }
  return item as Item;
}

/** A scenario that is planned once what it takes is there. */
export function lazily(
  trial: Trial,
  says: string,
  cites: Statement,
  plan: () => Promise<Scenario>,
): Scenario {
  const planned = async (): Promise<Scenario> => {
    try {
      return await plan();
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      const check: Described = { name: 'refused', says: `${says} is refused`, cites };
      return unreached(trial.of, [check], error.message, error.points);
    }
  };
  return {
    run: async () => await (await planned()).run(),
    inGroup: async (self) => {
      const scenario = await planned();
      return await (scenario.inGroup ?? scenario.run)(self);
    },
  };
}
