import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Conditional } from '../../specification/vocabulary/parts/endpoints.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, ifReached, type Scenario, type Seen, scenario } from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { someItem } from '../items.ts';
import { make, perform } from '../perform.ts';
import { type Done, operationsFor, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { ask, cite, tagIn } from './asking.ts';
import { carriesValidators } from './sent.ts';

/** The form of a tag, and that it stays while the payload does (RFC 9110 §8.8.3). */
export function tags(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  { etag }: Conditional,
): Scenario[] {
  const isStrong = stated(etag) === 'strong';
  const form = isStrong ? /^"[\x21\x23-\x7e\x80-\xff]*"$/ : /^W\/"[\x21\x23-\x7e\x80-\xff]*"$/;
  const isCarried = carriesValidators(trial.of, operation);
  const carries: Check<Done> = {
    name: 'etag',
    says: `${operation.key} answers with a ${isStrong ? 'strong' : 'weak'} tag`,
    cites: cite(etag),
    // Of an item that is gone there is no tag.
    guard: (done) =>
      all(
        succeeded(done.exchange, operation),
        isCarried(done),
        known(stated(operation.does)?.verb !== 'delete', 'the item is gone'),
      ),
    claim: (done) => ({
      truth: known(form.test(tagIn(done) ?? '')),
      expected: isStrong ? 'ETag: "..."' : 'ETag: W/"..."',
      found: tagIn(done) ?? 'no ETag',
    }),
  };
  const observe = async () => await ask(trial, operation, await someItem(trial, resource));
  return [
    scenario(trial.of, restsOf(operation), observe, [carries]),
    ...(operation.method === 'GET' ? changing(trial, operation, resource, etag) : []),
  ];
}

interface Changing extends Seen {
  readonly steps: readonly Done[];
}

/** Two tags of one item are equal exactly when its payloads are (language §4.3). */
function changing(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  etag: Conditional['etag'],
): Scenario[] {
  const [updater] = operationsFor(trial.of, resource, 'update');
  const observe = async (): Promise<Changing> => {
    const item = await someItem(trial, resource);
    const steps = [await perform(trial, operation, { item }), await perform(trial, operation, { item })];
    // Another item is made: its payload is none of this one's.
    await ifReached(() => make(trial, resource));
    steps.push(await perform(trial, operation, { item }));
    for (let i = 0; updater && i < 2; i++) {
      await ifReached(() => ask(trial, updater, item));
      steps.push(await perform(trial, operation, { item }));
    }
    return { exchange: (steps.at(-1) as Done).exchange, steps };
  };
  const check: Check<Changing> = {
    name: 'etag.changes',
    says: `the tag of ${operation.key} changes exactly when the content does`,
    cites: cite(etag),
    guard: ({ steps }) =>
      all(...steps.map((one) => succeeded(one.exchange, operation)), doesJustThat(trial.of, operation)),
    claim: ({ steps }) => {
      const pairs = steps.flatMap((a, i) => steps.slice(i + 1).map((b) => [a, b] as const));
      const wrong = pairs.find(
        ([a, b]) => (tagIn(a) === tagIn(b)) !== (a.exchange.response?.body === b.exchange.response?.body),
      );
      const contents = new Set(steps.map(({ exchange }) => exchange.response?.body));
      const isTold = contents.size > 1 ? yes : unseen('its content was never another');
      return {
        truth: wrong ? known(false) : steps.every(tagIn) ? isTold : unseen('there is no tag'),
        expected: 'equal tags for equal content, and no others',
        found: wrong
          ? `${tagIn(wrong[0])} for ${shownAs(wrong[0].json)}, ${tagIn(wrong[1])} for ${shownAs(wrong[1].json)}`
          : 'so',
      };
    },
  };
  return [scenario(trial.of, restsOf(operation), observe, [check])];
}
