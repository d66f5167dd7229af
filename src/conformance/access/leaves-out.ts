import type { Operation } from '../../specification/model/operation.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, ifReached, type Scenario, type Seen, type Statement, scenario } from '../check.ts';
import { isListed, several, sightings, tellsWho } from '../lists/collection.ts';
import type { Item } from '../partly.ts';
import { restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { known, type Truth, unseen, yes } from '../verdict.ts';
import { type Walk, walk } from '../walk.ts';
import type { Persona } from './persona.ts';

interface Filtered extends Seen {
  readonly found: Walk;
  readonly items: readonly Item[];
}

/**
 * A list leaves out what its rule does not let the one who asks to, and nothing else (language §5.5): items that it
 * made, where it may make any, and another's.
 *
 * @param by who asks by the time that it is asked
 */
export function leavesOut(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  cites: Statement,
  by: () => Persona,
): Scenario {
  const { of } = trial;
  const observe = async (): Promise<Filtered> => {
    const who = by();
    const ofWho = ifReached(() => several(trial, resource, 2, undefined, { as: who }));
    const own = (await ofWho) ?? (await several(trial, resource, 2));
    const as = await trial.enter();
    const others = as ? await several(trial, resource, 2, undefined, { as }) : [];
    const found = await walk(trial, operation, { attempt: { as: who } });
    return { exchange: found.last.exchange, found, items: [...own, ...others] };
  };
  const guard = ({ found }: Filtered): Truth =>
    tellsWho(found.entries) ? yes : unseen('the list does not tell who an item is');
  const times = (isIn: boolean, wanted: number) => (seen: Filtered) => {
    const { found, items } = seen;
    const due = items.filter((item) => isListed(of, operation, item, found.last.names) === isIn);
    const faulty = due.find((item) => sightings(found.entries, item).length !== wanted);
    return {
      truth: due.length === 0 ? unseen('no item is known to be so') : known(faulty === undefined),
      expected: `each of ${due.length} ${wanted === 1 ? 'once' : 'not at all'}`,
      found: faulty ? shownAs(Object.fromEntries(faulty.known)) : 'so',
    };
  };
  const checks: Check<Filtered>[] = [
    {
      name: 'authorization.all',
      says: `${operation.key} shows each ${resource.name} that its rule lets to`,
      cites,
      guard,
      claim: times(true, 1),
    },
    {
      name: 'authorization.only',
      says: `${operation.key} shows no ${resource.name} that its rule does not let to`,
      cites,
      guard,
      claim: times(false, 0),
    },
  ];
  return scenario(of, restsOf(operation), observe, checks);
}
