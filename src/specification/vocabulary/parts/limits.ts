import { answerFields } from '../../reading/field-name.ts';
import { nameOf, section } from '../../reading/form.ts';
import { period } from '../../reading/period.ts';
import {
  either,
  entry,
  type Formed,
  formed,
  list,
  listOf,
  named,
  placedText,
  record,
  type Values,
  value,
  word,
} from '../../reading/reading.ts';
import type { Said } from '../../reading/said.ts';
import { bytes, count } from '../../reading/size.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  literalJson,
  type PlacedTemplate,
} from '../../reading/templates.ts';

/** Whose requests are counted together: those of an actor, of a network address, or of whom an expression tells. */
export type Per =
  | { readonly kind: 'actor' | 'address' }
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate };

const actorOrAddress = word('actor', 'address');

const per: Formed<Per> = either(
  (node, place, reading) => {
    if (holdsExpression(node) || isHandled(node)) {
      const read = expression(node, place, reading);
      return read && { kind: 'expression', expression: read };
    }
    const kind = actorOrAddress(node, place, reading);
    return kind && { kind };
  },
  actorOrAddress,
  expression,
);

/** What tells a client how much is left: header fields of one's own, or those of a draft of the IETF's. */
export type RateHeaders =
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, Said<PlacedTemplate>> }
  | { readonly kind: 'draft-10' };

const draft = word('draft-10');

const rateHeaders: Formed<RateHeaders> = either(
  (node, place, reading) => {
    if (node.kind === 'scalar') {
      const kind = draft(node, place, reading);
      return kind && { kind };
    }
    const fields = answerFields(node, place, reading);
    return fields && { kind: 'fields', fields };
  },
  draft,
  answerFields,
);

const about = section('8.1', 'limits.rates');

/**
 * `(none)` at `per`: all requests are counted together. `operations` absent: every operation is counted; `when`
 * absent: every request for them.
 */
const share = {
  allow: value(
    count(1),
    about('How many requests.', {
      must: 'refuse more: `rate exceeded NAME`',
      see: 'use it up; wait',
      open: 'not counted',
    }),
  ),
  per: value(
    per,
    about('Whose requests are counted together: `actor`, `address`, an expression, or `(none)` for all.', {
      rules: '3 and 4',
      must: 'count so',
      see: 'two of them',
      open: 'not counted',
    }),
  ),
  operations: entry(
    listOf(placedText),
    about('Which operations are counted, together.', {
      must: 'count no others',
      see: 'another operation',
      open: 'all',
    }),
  ),
  when: entry(
    expression,
    about('Which requests are counted: an expression over `actor`, `request` and `now`.', {
      must: 'count no others',
      see: 'a request for which it is false',
      open: 'all',
    }),
  ),
};

/** `every` is in milliseconds. */
const rateKeys = {
  allow: share.allow,
  every: value(
    period,
    about('In what time: a duration, as in `PT1M`.', {
      must: 'count in this time',
      see: 'use it up; wait',
      open: 'not counted',
    }),
  ),
  per: share.per,
  operations: share.operations,
  when: share.when,
  window: entry(
    word('fixed', 'sliding', 'bucket'),
    about('How the time is reckoned: `fixed`, `sliding` or `bucket`.', {
      rules: '5',
      must: 'reckon so',
      see: 'requests at its edges',
      open: 'choice (F.1)',
    }),
  ),
  headers: entry(
    rateHeaders,
    about('Header fields of answers to counted and refused requests: templates over `rate`, or `draft-10`.', {
      rules: '6 and 7',
      must: 'send them on every such answer',
      see: 'the fields',
      open: 'none',
    }),
  ),
};

export type Rate = Values<typeof rateKeys>;

/** Whose requests are counted together, and which. */
export type Share = Values<typeof share>;

const of = section('8.3', 'limits.sizes');

/** `body` is in bytes, `page` in items. */
const sizeKeys = {
  body: entry(
    bytes,
    of('The largest content of a request: a size (H.5), as in `64 KiB`.', {
      must: 'refuse more: `too large body`',
      see: 'at the bound, and one past it',
      open: "the host's",
    }),
  ),
  operations: entry(
    named(value(bytes)),
    of('The largest content of a request for each of these operations, in place of `body`.', {
      must: 'refuse more: `too large body`',
      see: 'at the bound, and one past it',
      open: '`body`',
    }),
  ),
  page: entry(
    count(1),
    of('How many items a page may have.', {
      must: 'refuse a larger `page: size`: `too large page`',
      see: 'at the bound, and one past it',
      open: 'no bound',
    }),
  ),
};

/** How much: a size, or what an expression gives for each item. */
const allowance: Formed<number | PlacedTemplate> = either(
  (node, place, reading) =>
    holdsExpression(node) || isHandled(node) ? expression(node, place, reading) : bytes(node, place, reading),
  bytes,
  expression,
);

const stored = section('8.4', 'limits.quotas');

/**
 * What there may be of a resource (language §8.4). `per` absent: all items are counted together; `sum` absent: each item
 * counts as 1; `when` absent: every item is counted.
 */
const quotaKeys = {
  of: value(
    placedText,
    stored('The resource whose items count.', {
      must: 'count them',
      see: 'create items',
      open: 'not counted',
    }),
  ),
  allow: value(
    allowance,
    stored('How much: a number, a size (H.5), or an expression over `this`.', {
      must: 'refuse more: `quota exceeded NAME`',
      see: 'at, and one past',
      open: 'not counted',
    }),
  ),
  per: entry(
    expression,
    stored('Whose items count together: an expression over `this`.', {
      rules: '17',
      must: 'count so',
      see: 'two groups',
      open: 'all together',
    }),
  ),
  sum: entry(
    expression,
    stored('What is added up of each item: an expression over `this`.', {
      must: 'add it up',
      see: 'items of several sizes',
      open: 'each item counts as 1',
    }),
  ),
  when: entry(
    expression,
    stored('Which items count: a condition over `this`.', {
      must: 'count no others',
      see: 'an item that comes to count',
      open: 'all',
    }),
  ),
};

export type Quota = Values<typeof quotaKeys>;

const time = section('8.3', 'limits.times');

/** Both are in milliseconds. */
const timeKeys = {
  request: entry(
    period,
    time('How long any request may take: a duration.', {
      rules: '11 and 12',
      must: 'roll back: `timed out`',
      see: 'where it can be made slow',
      open: "the host's",
    }),
  ),
  operations: entry(
    named(value(period)),
    time('How long a request for each of these operations may take, in place of `request`.', {
      rules: '11 and 12',
      must: 'roll back: `timed out`',
      see: 'where it can be made slow',
      open: '`request`',
    }),
  ),
};

const rateSnippets = [
  {
    label: 'rate',
    description: 'So many requests in a while',
    body: { '${1:desk}': { allow: '${2:100}', every: '${3:PT1M}', per: '${4:actor}' } },
  },
];

const bounds = section('8.3', 'limits');

/** Part 8: how much, how often, how long (language §8). */
const keys = {
  rates: list(
    named(value(record(rateKeys, { title: 'rate' })), nameOf('rate name'), rateSnippets),
    section('8.1', 'limits')('How many requests in what time, by name (8.1).'),
  ),
  sizes: list(record(sizeKeys), bounds('How large the content of a request, and a page, may be (8.3).')),
  times: list(record(timeKeys), bounds('How long a request may take (8.3).')),
  concurrency: entry(
    named(value(record(share, { title: 'concurrency' })), nameOf('name')),
    section('8.2', 'limits')('How many requests at once, by name (8.2).'),
  ),
  quotas: entry(
    named(value(record(quotaKeys, { title: 'quota' })), nameOf('quota name')),
    section('8.4', 'limits')('How many items a resource may have, or how much they may use, by name (8.4).'),
  ),
  // A map is spelled out before anything is read (language §E.17).
  defaults: entry(
    formed({ kind: 'map', of: { ...value(literalJson), literal: true } }, record({})),
    bounds('Defaults of fields and parameters, by address (8.3, E.17).'),
  ),
};

export type Limits = Values<typeof keys>;
export const read = record(keys);
