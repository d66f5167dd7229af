import type { Json } from '../source/node.ts';
import { step } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { type Check, ifReached, type Scenario, scenario, Unreached } from './check.ts';
import { succeeded } from './guards.ts';
import { isReadable, membersOf } from './item.ts';
import { list } from './items.ts';
import { shownFor } from './kept.ts';
import { sightings } from './lists/collection.ts';
import { item as itemOf } from './partly.ts';
import { readBack } from './perform.ts';
import type { Done, Trial } from './trial.ts';
import { fits, shownAs } from './unify.ts';
import { all, known } from './verdict.ts';

/** The items that are there before the first request (language §2, `items`). They are looked for before any other check. */
export function founding(trial: Trial, resource: Resource): Scenario[] {
  const said = resource.items;
  const keys = (stated(resource.identifier) ?? []).map((name) => name.text);
  return (stated(said) ?? []).map((one, index) => {
    const members = [...one.members].map(([name, { value }]) => [name, value] as const);
    const own = new Map<string, Json>(members);
    const cites = { address: step(said.address, String(index)), at: one.at };
    const named = shownAs(Object.fromEntries(members.filter(([name]) => keys.includes(name))));
    const observe = async (): Promise<Done> => {
      if (trial.exampled.has(resource.name)) throw new Unreached('an example may have changed it before');
      const sought = itemOf(
        resource,
        members.filter(([name]) => keys.includes(name)),
        [],
      );
      const read = await ifReached(() => readBack(trial, sought));
      if (read) return read;
      const listed = await list(trial, resource);
      const [entry] = sightings(listed.entries, sought);
      return { ...listed, shown: entry?.shown, lens: entry?.lens ?? null, entries: null };
    };
    const there: Check<Done> = {
      name: 'items.there',
      says: `the ${resource.name} ${named} is there from the start`,
      cites,
      guard: () =>
        known(
          keys.every((key) => own.has(key)),
          'it is not told who it is',
        ),
      claim: ({ shown }) => ({
        truth: known(shown !== undefined),
        expected: shownAs(Object.fromEntries(members)),
        found: shownAs(shown),
      }),
    };
    const as = (field: Field, value: Json): Check<Done> => ({
      name: 'items.member',
      says: `the ${resource.name} ${named} has the ${field.name} that is stated`,
      cites,
      guard: ({ exchange, operation, shown, lens }) =>
        all(
          succeeded(exchange, operation),
          known(
            shown !== undefined && lens?.fields.get(field.name) === field,
            `nothing shows its ${field.name}`,
          ),
        ),
      claim: ({ shown, names }) => fits(shownFor(field, value, names), membersOf(shown)?.[field.name]),
    });
    const visible = members.flatMap(([name, value]) => {
      const field = resource.fields.get(name);
      return field && isReadable(field) ? [as(field, value)] : [];
    });
    return scenario(trial.of, [said.address], observe, [there, ...visible]);
  });
}
