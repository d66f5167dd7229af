import type { Environment } from '../expression/compile.ts';
import type { Model } from '../expression/query-operand.ts';
import { expressionsIn } from '../expression/template.ts';
import { type Change, isAboutResource } from '../specification/change.ts';
import { holds } from '../specification/holds.ts';
import { boundBy } from '../specification/names.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { inAnswers } from '../specification/workings.ts';
import type { Alongs } from './along.ts';
import { bearingIndexes } from './change/bearing.ts';
import { type Indexes, indexesOf, together } from './list/indexes.ts';
import { compileSearches } from './list/search.ts';
import type { KeptResource } from './resource/kept.ts';
import { type Conditions, compileConditions } from './where.ts';

type On = (kept: KeptResource, bound: readonly string[], names?: readonly string[]) => Conditions;

/** The indexes by which a service finds what its operations, and the moves of its machines, are about. */
export function indexesWanted(
  specification: Specification,
  resources: ReadonlyMap<string, KeptResource>,
  model: Model,
  environment: Environment,
  along: Alongs,
): Indexes {
  const conditionsOn: On = (kept, bound, names) => compileConditions(kept, model, environment, bound, names);
  const ofChange = (change: Change, bound: readonly string[]): Indexes[] => {
    const kept = isAboutResource(change) ? resources.get(change.subject.name) : undefined;
    return kept && kept.keyFields.length > 0 ? [ofWhere(change, bound, kept, conditionsOn)] : [];
  };
  // What no operation does that runs, nothing is found for.
  const running = specification.operations.filter((one) => holds(specification, one).length === 0);
  const ofOperations = running.flatMap((operation) => {
    const bound = boundBy(operation).map(({ name }) => name);
    const { subject, endpoint } = operation;
    const does = stated(operation.does);
    const kept = subject ? resources.get(subject.name) : undefined;
    const own =
      does?.verb === 'list' && kept && kept.keyFields.length > 0
        ? [
            indexesOf(
              compileSearches(
                operation,
                conditionsOn(kept, bound),
                environment,
                along.page(kept.name, inAnswers(operation), bound),
              ).narrowed,
            ),
          ]
        : [does ?? []].flat().flatMap((change) => ofChange(change, bound));
    return [...own, ...(stated(endpoint.also) ?? []).flatMap((change) => ofChange(change, bound))];
  });
  const moves = [...(stated(specification.states)?.values() ?? [])].flatMap((said) => [
    ...(stated(stated(said)?.transitions)?.values() ?? []),
  ]);
  const following = moves.flatMap((said) => stated(stated(said)?.also) ?? []);
  return together([
    ...ofOperations,
    ...following.flatMap((change) => ofChange(change, [])),
    bearingIndexes(resources, model, environment),
  ]);
}

function ofWhere(
  { qualifiers }: Change,
  bound: readonly string[],
  kept: KeptResource,
  conditionsOn: On,
): Indexes {
  const as = stated(qualifiers.as);
  const { row, condition } = conditionsOn(kept, bound, as ? [as.text] : []);
  const where = stated(qualifiers.where);
  const always = where ? expressionsIn(where.template).map((one) => condition(one).node) : [];
  return indexesOf({ row, always, filters: [], order: [], sorts: [] });
}
