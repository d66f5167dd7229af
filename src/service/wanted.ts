import type { Environment } from '../expression/compile.ts';
import { nothingBesides } from '../expression/query.ts';
import type { Model } from '../expression/query-operand.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { inAnswers } from '../specification/model/workings.ts';
import { holds } from '../specification/openness/holds.ts';
import { stated } from '../specification/reading/said.ts';
import { boundBy } from '../specification/rules/names.ts';
import { type Change, isAboutResource } from '../specification/vocabulary/change.ts';
import { compileAuthenticating } from './access/authenticating.ts';
import { type Holding, holdersOf } from './access/credentials.ts';
import { bearingIndexes } from './change/bearing.ts';
import { quotaGroups } from './change/quotas.ts';
import { compileRule, type ItemRule } from './judge/rule.ts';
import { type Columns, columnsOf } from './list/columns.ts';
import { type Indexes, indexesOf, type Narrowed, together } from './list/indexes.ts';
import { compileSearches } from './list/search.ts';
import { compileText, keptIn } from './list/text.ts';
import type { KeptResource } from './resource/kept.ts';
import { type Conditions, compileConditions } from './resource/where.ts';
import type { KeptText } from './store/store.ts';
import type { Kept } from './versions/resources.ts';

type On = (kept: KeptResource, bound: readonly string[], names?: readonly string[]) => Conditions;

/** What a store keeps besides rows, so that it finds them sooner. */
export interface Wanted {
  readonly indexes: Indexes;
  readonly columns: Columns;
  /** What of rows is written as it is kept, by the table's name. */
  readonly texts: readonly (readonly [table: string, text: KeptText])[];
}

/** By what a service finds what its operations, and the moves of its machines, are about. */
export function compileWanted(
  specification: Specification,
  resources: ReadonlyMap<string, KeptResource>,
  model: Model,
  environment: Environment,
  { along, together: inText }: Pick<Kept, 'along' | 'together'>,
): Wanted {
  const conditionsOn: On = (kept, bound, names) => compileConditions(kept, model, environment, bound, names);
  const ofChange = (change: Change, bound: readonly string[], rules: readonly ItemRule[] = []): Indexes[] => {
    const kept = isAboutResource(change) ? resources.get(change.subject.name) : undefined;
    return kept && kept.keyFields.length > 0 ? [ofWhere(change, bound, kept, conditionsOn, rules)] : [];
  };
  const authentication = stated(specification.authentication);
  const rulesFor = (operation: Operation): readonly ItemRule[] =>
    (authentication && compileRule(authentication, operation, environment)?.items) ?? [];
  // What no operation does that runs, nothing is found for.
  const running = specification.operations.filter((one) => holds(specification, one).length === 0);
  const lists: Narrowed[] = [];
  const texts: (readonly [string, KeptText])[] = [];
  const ofOperations = running.flatMap((operation) => {
    const bound = boundBy(operation).map(({ name }) => name);
    const { subject, endpoint } = operation;
    const does = stated(operation.does);
    const kept = subject ? resources.get(subject.name) : undefined;
    const following = (stated(endpoint.also) ?? []).flatMap((change) => ofChange(change, bound));
    if (does?.verb !== 'list' || !kept || kept.keyFields.length === 0) {
      const own = [does ?? []].flat().flatMap((change) => ofChange(change, bound, rulesFor(operation)));
      return [...own, ...following];
    }
    const conditions = conditionsOn(kept, bound);
    const { narrowed } = compileSearches(
      operation,
      conditions,
      environment,
      along.page(kept.name, inAnswers(operation), bound),
      rulesFor(operation),
    );
    lists.push(narrowed);
    const besides = narrowed.besides ?? nothingBesides;
    const { text } = compileText(operation, inText, besides, conditions) ?? {};
    if (text) texts.push(...keptIn(kept.name, text, besides));
    return [indexesOf(narrowed), ...following];
  });
  const moves = [...(stated(specification.states)?.values() ?? [])].flatMap((said) => [
    ...(stated(stated(said)?.transitions)?.values() ?? []),
  ]);
  const following = moves.flatMap((said) => stated(stated(said)?.also) ?? []);
  const indexes = together([
    ...ofOperations,
    ...lookupsOf({ ...specification, operations: running }, { resources, model, environment }),
    ...following.flatMap((change) => ofChange(change, [])),
    bearingIndexes(resources, model, environment),
    ...quotaGroups(specification, resources).map(({ kept, group }) => {
      const { row, condition } = conditionsOn(kept, ['quota']);
      return indexesOf({ row, always: [condition(group).node], filters: [], order: [], sorts: [] });
    }),
  ]);
  return { indexes, columns: columnsOf(lists), texts };
}

function ofWhere(
  { subject, qualifiers }: Change,
  bound: readonly string[],
  kept: KeptResource,
  conditionsOn: On,
  rules: readonly ItemRule[],
): Indexes {
  const as = stated(qualifiers.as);
  const { row, condition } = conditionsOn(kept, bound, as ? [as.text] : []);
  const where = stated(qualifiers.where);
  const always = where ? expressionsIn(where.template).map((one) => condition(one).node) : [];
  const judged = subject.kind === 'every' ? rules : [];
  const filters = judged.map(({ expression }) => condition(expression).node);
  return indexesOf({ row, always, filters, order: [], sorts: [] });
}

/** What holders of credentials, and those who log in, are found by. */
function lookupsOf({ authentication, operations }: Specification, holding: Holding): Indexes[] {
  const { resources, model, environment } = holding;
  const schemes = [...(stated(stated(authentication)?.schemes)?.values() ?? [])];
  const found = [
    ...schemes.map((said) => {
      const scheme = stated(said);
      return scheme ? holdersOf(scheme, holding) : null;
    }),
    ...operations.map((operation) =>
      compileAuthenticating(operation, resources.get(operation.subject?.name ?? ''), model, environment),
    ),
  ];
  return found.flatMap((one) => (one?.narrowed ? [indexesOf(one.narrowed)] : []));
}
