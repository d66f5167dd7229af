import { equal } from '../../expression/functions.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Conditional } from '../../specification/vocabulary/parts/endpoints.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { ifReached, type Scenario, scenario, Unreached } from '../check.ts';
import { doesJustThat } from '../guards.ts';
import { type Header, header } from '../http.ts';
import { membersOf } from '../item.ts';
import { someItem } from '../items.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { onlyOne, type Raced, race } from '../races/race.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { succeeds } from '../success.ts';
import { type Attempt, type Done, operationsFor, restsOf, type Trial } from '../trial.ts';
import { all, unseen, yes } from '../verdict.ts';
import { ask, cite, future, past } from './asking.ts';

/** A change that wants the item to be as the client knows it (RFC 9110 §13.1.1, §13.1.4). */
export function guarded(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  conditions: Conditional,
): Scenario[] {
  const { etag, ifMatch, ifNoneMatch, lastModified, ifUnmodifiedSince } = conditions;
  const { key } = operation;
  const reader = operationsFor(trial.of, resource, 'read').find(({ endpoint }) => {
    const own = stated(endpoint.conditional);
    return own && (stated(own.etag) || stated(own.lastModified));
  });
  const current = async (item: Item, name: string): Promise<string | undefined> => {
    const read = reader && (await ifReached(() => perform(trial, reader, { item })));
    return read && header(read.exchange.response, name);
  };
  const passes = (
    says: string,
    said: Said<unknown>,
    field: (item: Item) => Promise<Header | null>,
  ): Scenario => {
    const observe = async (): Promise<Done & { readonly has: boolean }> => {
      const item = await someItem(trial, resource);
      const one = await field(item);
      return { ...(await ask(trial, operation, item, one ? { headers: [one] } : {})), has: one !== null };
    };
    const check = succeeds(trial, operation, `${key} ${says}`, [], cite(said));
    return scenario(trial.of, restsOf(operation), observe, [
      { ...check, guard: (seen) => all(check.guard(seen), seen.has ? yes : unseen('nothing shows its tag')) },
    ]);
  };
  const fails = (says: string, said: Said<unknown>, name: Reason['name'], more: () => Attempt): Scenario =>
    refusing(trial, {
      says: `${key} ${says}`,
      operation,
      cites: cite(said),
      reasons: [{ name, subject: '', failures: [] }],
      must: doesJustThat(trial.of, operation),
      item: () => someItem(trial, resource),
      send: (item) => ask(trial, operation, item as Item, more()),
    });
  const stale = (says: string): Scenario => {
    let tag: string | undefined;
    return refusing(trial, {
      says: `${key} ${says}`,
      operation,
      cites: cite(ifMatch),
      reasons: [{ name: 'precondition failed', subject: '', failures: [] }],
      must: doesJustThat(trial.of, operation),
      item: async () => {
        const item = await someItem(trial, resource);
        tag = await current(item, 'etag');
        const [updater] = operationsFor(trial.of, resource, 'update');
        if (updater) await ask(trial, updater, item);
        return item;
      },
      send: (item) => ask(trial, operation, item as Item, { headers: [['If-Match', tag ?? '"none"']] }),
    });
  };
  /** Several change the item that they all have seen as it was (RFC 9110 §13.1.1): the first makes the others' tag old. */
  const raced = (): Scenario => {
    let before: Item | undefined;
    const changesIt = ({ given }: Done): boolean =>
      Object.entries(membersOf(given) ?? {}).some(
        ([name, value]) => before?.known.has(name) === true && !equal(before.known.get(name), value),
      );
    const says = `${key} with the tag that it has`;
    const check = onlyOne(operation, says, cite(ifMatch), doesJustThat(trial.of, operation), changesIt);
    const observe = async (): Promise<Raced> => {
      before = await someItem(trial, resource);
      const item = before;
      const tag = await current(item, 'etag');
      if (tag === undefined) throw new Unreached('nothing shows its tag');
      return await race(trial, operation, () => ({
        item,
        headers: [['If-Match', tag]],
        body: bodyFor(trial, operation, 'most') ?? {},
      }));
    };
    return scenario(trial.of, restsOf(operation), observe, [check]);
  };
  const strong = stated(etag) === 'strong' && reader !== undefined;
  return [
    ...(stated(ifMatch)
      ? [
          ...(strong
            ? [
                passes('with its tag in If-Match', ifMatch, async (item) =>
                  asField(await current(item, 'etag'), (tag) => tag),
                ),
                passes('with its tag among others in If-Match', ifMatch, async (item) =>
                  asField(await current(item, 'etag'), (tag) => `"other", ${tag}`),
                ),
              ]
            : []),
          passes('with If-Match: *', ifMatch, () => Promise.resolve(['If-Match', '*'])),
          fails('with another tag in If-Match', ifMatch, 'precondition failed', () => ({
            headers: [['If-Match', '"another"']],
          })),
        ]
      : []),
    ...(stated(ifMatch) && strong && operationsFor(trial.of, resource, 'update').length > 0
      ? [stale('with the tag that it had before a change')]
      : []),
    ...(stated(ifMatch) && strong && stated(operation.does)?.verb === 'update' ? [raced()] : []),
    ...(stated(ifMatch) === 'required'
      ? [fails('without If-Match', ifMatch, 'precondition missing', () => ({ omit: ['If-Match'] }))]
      : []),
    ...(stated(ifMatch) === 'allowed'
      ? [passes('without If-Match', ifMatch, () => Promise.resolve(['X-Nothing', 'none']))]
      : []),
    ...(stated(ifNoneMatch)
      ? [
          fails('with If-None-Match: *', ifNoneMatch, 'precondition failed', () => ({
            headers: [['If-None-Match', '*']],
          })),
        ]
      : []),
    ...(stated(ifUnmodifiedSince) && stated(lastModified)
      ? [
          passes('with a later time in If-Unmodified-Since', ifUnmodifiedSince, () =>
            Promise.resolve(['If-Unmodified-Since', future]),
          ),
          fails(
            'with an earlier time in If-Unmodified-Since',
            ifUnmodifiedSince,
            'precondition failed',
            () => ({
              headers: [['If-Unmodified-Since', past]],
            }),
          ),
          ...(stated(ifUnmodifiedSince) === 'required'
            ? [
                fails('without If-Unmodified-Since', ifUnmodifiedSince, 'precondition missing', () => ({
                  omit: ['If-Unmodified-Since'],
                })),
              ]
            : []),
        ]
      : []),
  ];
}

function asField(tag: string | undefined, value: (tag: string) => string): Header | null {
  return tag === undefined ? null : ['If-Match', value(tag)];
}
