import type { Operation } from '../specification/operation.ts';
import type { Conditional } from '../specification/parts/endpoints.ts';
import type { Resource } from '../specification/parts/resources.ts';
import { type Said, stated } from '../specification/said.ts';
import { type Check, ifReached, type Scenario, type Seen, type Statement, scenario } from './check.ts';
import { doesJustThat, succeeded } from './guards.ts';
import { type Header, header } from './http.ts';
import { someItem } from './items.ts';
import type { Item } from './partly.ts';
import { make, perform } from './perform.ts';
import type { Reason } from './refusal.ts';
import { refusing } from './refusing.ts';
import { bodyFor, isAboutOne } from './request.ts';
import { succeeds } from './success.ts';
import { type Attempt, type Done, operationsFor, restsOf, type Trial } from './trial.ts';
import { shownAs } from './unify.ts';
import { all, known, type Truth, unseen, yes } from './verdict.ts';

const cite = ({ address, at }: Said<unknown>): Statement => ({ address, at });
const past = 'Sun, 06 Nov 1994 08:49:37 GMT';
const future = 'Fri, 31 Dec 2999 23:59:59 GMT';

/** Preconditions, as RFC 9110 §13 reads them, and the tags and times that they are about (language §4.3). */
export function conditional(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const conditions = stated(operation.endpoint.conditional);
  if (conditions === undefined || !isAboutOne(operation) || stated(operation.does)?.verb === 'create')
    return [];
  const reads = ['GET', 'HEAD'].includes(operation.method);
  return [
    ...(reads ? cached(trial, operation, resource, conditions) : []),
    ...(reads ? [] : guarded(trial, operation, resource, conditions)),
    ...(stated(conditions.etag) ? tags(trial, operation, resource, conditions) : []),
  ];
}

const tagIn = ({ exchange }: Seen): string | undefined => header(exchange.response, 'etag');

/** Asks for an operation on an item as it usually is asked for. */
async function ask(trial: Trial, operation: Operation, item: Item, more: Attempt = {}): Promise<Done> {
  const body = bodyFor(trial, operation, 'most');
  return await perform(trial, operation, { item, ...(body !== undefined && { body }), ...more });
}

interface Tagged extends Done {
  readonly again: Done;
}

/** The form of a tag, and that it stays while the payload does (RFC 9110 §8.8.3). */
function tags(trial: Trial, operation: Operation, resource: Resource, { etag }: Conditional): Scenario[] {
  const isStrong = stated(etag) === 'strong';
  const form = isStrong ? /^"[\x21\x23-\x7e\x80-\xff]*"$/ : /^W\/"[\x21\x23-\x7e\x80-\xff]*"$/;
  const carries: Check<Done> = {
    name: 'etag',
    says: `${operation.key} answers with a ${isStrong ? 'strong' : 'weak'} tag`,
    cites: cite(etag),
    // Of an item that is gone there is no tag.
    guard: ({ exchange }) =>
      all(
        succeeded(exchange, operation),
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
      return {
        truth: wrong ? known(false) : steps.every(tagIn) ? yes : unseen('there is no tag'),
        expected: 'equal tags for equal content, and no others',
        found: wrong
          ? `${tagIn(wrong[0])} for ${shownAs(wrong[0].json)}, ${tagIn(wrong[1])} for ${shownAs(wrong[1].json)}`
          : 'so',
      };
    },
  };
  return [scenario(trial.of, restsOf(operation), observe, [check])];
}

/** A reader that has the content already is told so, and not sent it again (RFC 9110 §13.1.2, §13.1.3). */
function cached(trial: Trial, operation: Operation, resource: Resource, conditions: Conditional): Scenario[] {
  const { etag, ifNoneMatch, lastModified, ifModifiedSince } = conditions;
  const observe = (field: (first: Done) => readonly Header[]) => async (): Promise<Tagged> => {
    const item = await someItem(trial, resource);
    const first = await perform(trial, operation, { item });
    const again = await perform(trial, operation, { item, headers: field(first) });
    return { ...first, again };
  };
  const guard =
    (wanted: string) =>
    (seen: Tagged): Truth =>
      all(
        succeeded(seen.exchange, operation),
        header(seen.exchange.response, wanted) ? yes : unseen(`there is no ${wanted}`),
        doesJustThat(trial.of, operation),
      );
  const sends = (says: string, cites: Statement, wanted: string, status: 200 | 304): Check<Tagged> => ({
    name: status === 304 ? 'conditional.unmodified' : 'conditional.modified',
    says: `${operation.key} ${says} is answered with ${status === 304 ? '304 and no content' : 'the content'}`,
    cites,
    guard: guard(wanted),
    claim: ({ exchange, again }) => {
      const { response } = again.exchange;
      const isBare = response?.status === 304 && response.body === '';
      const isWhole =
        response?.status === exchange.response?.status && response?.body === exchange.response?.body;
      return {
        truth: known(status === 304 ? isBare : isWhole),
        expected: status === 304 ? 'status 304, no content' : 'the answer to a request without it',
        found: `status ${response?.status}, ${shownAs(response?.body)}`,
      };
    },
    exchange: ({ again }) => again.exchange,
  });
  const tagged: Check<Tagged> = {
    name: 'conditional.tag',
    says: `${operation.key}, answered with 304, carries the tag (RFC 9110 §15.4.5)`,
    cites: cite(etag),
    guard: (seen) => all(guard('etag')(seen), known(seen.again.exchange.response?.status === 304)),
    claim: (seen) => ({
      truth: known(tagIn(seen.again) === tagIn(seen)),
      expected: `ETag: ${tagIn(seen)}`,
      found: tagIn(seen.again) ?? 'no ETag',
    }),
    exchange: ({ again }) => again.exchange,
  };
  const one = (field: (first: Done) => readonly Header[], checks: readonly Check<Tagged>[]): Scenario =>
    scenario(trial.of, restsOf(operation), observe(field), checks);
  const byTag =
    (value: (tag: string) => string) =>
    (first: Done): readonly Header[] => [['If-None-Match', value(tagIn(first) ?? '"none"')]];
  const byTime =
    (value: (time: string) => string) =>
    (first: Done): readonly Header[] => [
      ['If-Modified-Since', value(header(first.exchange.response, 'last-modified') ?? past)],
    ];
  const none = cite(ifNoneMatch);
  const since = cite(ifModifiedSince);
  return [
    ...(stated(ifNoneMatch) && stated(etag)
      ? [
          one(
            byTag((tag) => tag),
            [sends('with its tag in If-None-Match', none, 'etag', 304), tagged],
          ),
          one(
            byTag((tag) => `"other", ${tag}`),
            [sends('with its tag among others in If-None-Match', none, 'etag', 304)],
          ),
          one(
            byTag((tag) => (tag.startsWith('W/') ? tag.slice(2) : `W/${tag}`)),
            [sends('with its tag by weak comparison in If-None-Match', none, 'etag', 304)],
          ),
          one(
            byTag(() => '*'),
            [sends('with If-None-Match: *', none, 'etag', 304)],
          ),
          one(
            byTag(() => '"another"'),
            [sends('with another tag in If-None-Match', none, 'etag', 200)],
          ),
        ]
      : []),
    ...(stated(ifModifiedSince) && stated(lastModified)
      ? [
          one(
            byTime((time) => time),
            [sends('with its time in If-Modified-Since', since, 'last-modified', 304)],
          ),
          one(
            byTime(() => past),
            [sends('with an earlier time in If-Modified-Since', since, 'last-modified', 200)],
          ),
        ]
      : []),
  ];
}

/** A change that wants the item to be as the client knows it (RFC 9110 §13.1.1, §13.1.4). */
function guarded(
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
