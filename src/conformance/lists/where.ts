import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, ifReached, type Scenario, type Seen, type Statement, scenario } from '../check.ts';
import { touchedBy } from '../foresee/also.ts';
import { doesJustThat } from '../guards.ts';
import type { Item } from '../partly.ts';
import { make, withOthers } from '../perform.ts';
import { operationFor, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { steady } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { type Walk, walk } from '../walk.ts';
import { placeOf } from '../world.ts';
import { isListed, several, sightings, tellsWho, where } from './collection.ts';
import { partedBy } from './parted.ts';

interface Narrowed extends Seen {
  readonly found: Walk;
  readonly items: readonly Item[];
}

/** A list shows the items that its `where` admits, and no other (language §H.2). */
export function narrowed(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const said = stated(operation.does)?.qualifiers.where;
  if (said?.kind !== 'stated') return [];
  const cites = { address: said.address, at: said.at };
  const observe = async (): Promise<Narrowed> => {
    const own = await several(trial, resource, 3);
    const other = await elsewhere(trial, resource, [...(where(trial, own[0]).others?.values() ?? [])]);
    const found = await walk(trial, operation, { attempt: where(trial, own[0]) });
    return { exchange: found.last.exchange, found, items: [...own, ...other] };
  };
  const guard = ({ found }: Narrowed) =>
    all(
      doesJustThat(trial.of, operation),
      tellsWho(found.entries) ? yes : unseen('the list does not tell who an item is'),
    );
  const count = (isIn: boolean, wanted: number) => (seen: Narrowed) => {
    const { found, items } = seen;
    const due = items.filter((item) => isListed(trial.of, operation, item, found.last.names) === isIn);
    const wrong = due.find((item) => sightings(found.entries, item).length !== wanted);
    return {
      truth: due.length === 0 ? unseen('no item is known to be so') : known(wrong === undefined),
      expected: `each of ${due.length} ${wanted === 1 ? 'once' : 'not at all'}`,
      found: wrong
        ? `${sightings(found.entries, wrong).length} times ${shownAs(Object.fromEntries(wrong.known))}`
        : 'so',
    };
  };
  const checks: Check<Narrowed>[] = [
    {
      name: 'where.all',
      says: `${operation.key} shows each ${resource.name} that it is about, once`,
      cites,
      guard,
      claim: count(true, 1),
    },
    {
      name: 'where.only',
      says: `${operation.key} shows no ${resource.name} that it is not about`,
      cites,
      guard,
      claim: count(false, 0),
    },
  ];
  return [
    scenario(trial.of, restsOf(operation), observe, checks),
    ...ofNone(trial, operation, resource, cites),
  ];
}

/** Of what was just made, and nothing is under it yet, the list is empty. */
function ofNone(trial: Trial, operation: Operation, resource: Resource, cites: Statement): Scenario[] {
  const { of } = trial;
  const parted = partedBy(trial, resource);
  const parent = of.resourcesByName.get(stated(parted?.field.refers)?.resource ?? '');
  const maker = parent && operationFor(of, parent, 'create');
  if (parted?.operation !== operation || !maker || touchedBy(of, maker).includes(resource.name)) return [];
  const observe = async (): Promise<Walk & Seen> => {
    const { item } = await make(trial, parent);
    const found = await walk(trial, operation, { attempt: { others: new Map([[parted.called, item]]) } });
    return { ...found, exchange: found.last.exchange };
  };
  const check: Check<Walk & Seen> = {
    name: 'where.none',
    says: `${operation.key} of a new ${parent.name}, for which no ${resource.name} was made, shows none`,
    cites,
    guard: () => all(doesJustThat(of, operation), doesJustThat(of, maker), steady(of, resource)),
    claim: ({ entries }) => ({
      truth: known(entries.length === 0),
      expected: 'none',
      found: shownAs(entries.map(({ shown }) => shown)),
    }),
  };
  return [scenario(of, restsOf(operation), observe, [check])];
}

/** Items of a resource that are made under others than these. */
async function elsewhere(trial: Trial, resource: Resource, under: readonly Item[]): Promise<readonly Item[]> {
  const maker = operationFor(trial.of, resource, 'create');
  const around = maker && (await ifReached(() => withOthers(trial, maker, {}, under)));
  const places = new Set(under.map(placeOf));
  const others = around?.others;
  if (!others || [...others.values()].every((one) => places.has(placeOf(one)))) return [];
  return (await ifReached(() => several(trial, resource, 1, undefined, { others }))) ?? [];
}
