import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Conditional } from '../../specification/vocabulary/parts/endpoints.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, type Scenario, type Statement, scenario } from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { type Header, header } from '../http.ts';
import { someItem } from '../items.ts';
import { perform } from '../perform.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';
import { cite, past, tagIn } from './asking.ts';

interface Tagged extends Done {
  readonly again: Done;
}

/** A reader that has the content already is told so, and not sent it again (RFC 9110 §13.1.2, §13.1.3). */
export function cached(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  conditions: Conditional,
): Scenario[] {
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
    ...(stated(ifNoneMatch) && typeof stated(etag) === 'string'
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
