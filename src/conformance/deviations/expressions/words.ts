/** Words that may stand for one another, by the key of the statement. */
export const words: Readonly<Record<string, readonly string[]>> = {
  others: ['refuse', 'ignore', 'keep'],
  ifDeleted: ['refuse', 'delete', 'clear', 'keep'],
  present: ['update', 'replace', 'match', 'keep'],
  absent: ['ignore', 'refuse'],
  same: ['changed', 'unchanged'],
  page: ['size', 'offset', 'start', 'number'],
  compare: ['strong', 'weak'],
  etag: ['strong', 'weak'],
  ifMatch: ['required', 'allowed'],
  ifUnmodifiedSince: ['required', 'allowed'],
  remembers: ['successes', 'all'],
  window: ['fixed', 'sliding', 'bucket'],
  several: ['refuse', 'first'],
  foreign: ['missing', 'wrong'],
  wrong: ['refuse', 'ignore'],
  hmac: ['sha256', 'sha512'],
};

/** Words of one key that mean other things in other places, by the end of the address. */
export const wordsAt: readonly (readonly [place: RegExp, words: readonly string[]])[] = [
  [/\.idempotency\.per$/, ['actor', 'key']],
  [/^events\.delivery\..*\.order$/, ['item', 'all']],
];

/** Keys whose text is sent or read as it is: another text is another thing. */
export const texts: ReadonlySet<string> = new Set([
  'media',
  'code',
  'field',
  'challenge',
  'prefix',
  'base',
  'header',
  'default',
]);

/** Spans of time, in milliseconds. */
export const spans: ReadonlySet<string> = new Set(['every', 'timeout', 'within', 'maxAge', 'rotate', 'life']);
