import type { Operation } from '../../specification/model/operation.ts';
import { withArticle } from '../../specification/reading/article.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, ifReached, type Scenario, scenario } from '../check.ts';
import { answerFound, doesJustThat, isRefusal, succeeded } from '../guards.ts';
import { identityOf } from '../item.ts';
import { someItem } from '../items.ts';
import { make, perform } from '../perform.ts';
import { deed, looksAsStated, succeeds } from '../success.ts';
import { operationFor, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { alsoDone } from './also.ts';
import { entriesOf, followed, isDoneBy, type Lived, leavesOthers, live, noIdentifier } from './listing.ts';

/** `delete`: the item is gone, from the list and for whoever asks for it (language §H.2). */
export function deletes(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const reader = operationFor(trial.of, resource, 'read');
  const observe = async (): Promise<Lived> => {
    const item = await someItem(trial, resource);
    return await live(trial, resource, operation, () => perform(trial, operation, { item }));
  };
  const gone: Check<Lived> = {
    name: 'effect.gone',
    says: `what ${operation.key} removes is gone from the list`,
    cites: deed(operation),
    guard: ({ exchange, item, after }) =>
      all(
        succeeded(exchange, operation),
        item && identityOf(item) ? yes : unseen(noIdentifier),
        after ? followed(after) : unseen(`nothing lists every ${resource.name}`),
      ),
    claim: ({ item, after = [] }) => {
      const left = entriesOf(after, item, { shown: undefined, lens: null }).map((entry) => entry.shown);
      return {
        truth: known(left.length === 0),
        expected: 'not in the list',
        found: left.length === 0 ? 'so' : shownAs(left),
      };
    },
  };
  const unknown: Check<Lived> = {
    name: 'effect.unknown',
    says: `what ${operation.key} removes is not shown any more`,
    cites: deed(operation),
    guard: ({ exchange, back }) =>
      all(
        succeeded(exchange, operation),
        back ? yes : unseen(`nothing reads ${withArticle(resource.name)}`),
        reader ? doesJustThat(trial.of, reader) : yes,
      ),
    claim: ({ back }) => ({
      truth: back ? isRefusal(back.exchange, reader) : unseen('nothing was read'),
      expected: 'a refusal',
      found: back ? answerFound(back.exchange) : 'nothing',
    }),
    exchange: ({ exchange, back }) => back?.exchange ?? exchange,
  };
  return scenario(trial.of, restsOf(operation), observe, [
    succeeds(trial, operation, operation.key, []),
    ...looksAsStated(trial, operation),
    ...(isDoneBy(trial, resource, 'list') ? [gone] : []),
    ...alsoDone(trial, operation, operation.key, []),
    ...(isDoneBy(trial, resource, 'read') ? [unknown] : []),
    ...leavesOthers(trial, operation, resource),
  ]);
}

/** `delete every`: nothing is left (language §H.2). */
export function clears(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const observe = async (): Promise<Lived> => {
    for (let i = 0; i < 2; i++) await ifReached(() => make(trial, resource));
    return await live(trial, resource, operation, () => perform(trial, operation));
  };
  const empty: Check<Lived> = {
    name: 'effect.empty',
    says: `after ${operation.key} the list is empty`,
    cites: deed(operation),
    guard: ({ exchange, after, before = [] }) =>
      all(
        succeeded(exchange, operation),
        after ? yes : unseen(`nothing lists every ${resource.name}`),
        known(before.length > 0, 'the list was empty before'),
        doesJustThat(trial.of, operation),
      ),
    claim: ({ after = [] }) => ({
      truth: known(after.length === 0),
      expected: 'no entry',
      found: `${after.length} entries`,
    }),
  };
  return scenario(trial.of, restsOf(operation), observe, [
    succeeds(trial, operation, operation.key, []),
    ...looksAsStated(trial, operation),
    empty,
  ]);
}
