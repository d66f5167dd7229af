import { step } from '../address.ts';
import { answerFields } from '../field-name.ts';
import { period } from '../period.ts';
import {
  asMap,
  entry,
  list,
  listOf,
  named,
  placedText,
  type Read,
  record,
  say,
  type Values,
  value,
  word,
} from '../reading.ts';
import type { Said } from '../said.ts';
import { bytes, count } from '../size.ts';
import { expression, holdsExpression, isHandled, type PlacedTemplate } from '../templates.ts';

/** Whose requests are counted together: those of an actor, of a network address, or of whom an expression tells. */
export type Per =
  | { readonly kind: 'actor' | 'address' }
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate };

const per: Read<Per> = (node, place, reading) => {
  if (holdsExpression(node) || isHandled(node)) {
    const read = expression(node, place, reading);
    return read && { kind: 'expression', expression: read };
  }
  const kind = word('actor', 'address')(node, place, reading);
  return kind && { kind };
};

/** What tells a client how much is left: header fields of one's own, or those of a draft of the IETF's. */
export type RateHeaders =
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, Said<PlacedTemplate>> }
  | { readonly kind: 'draft-10' };

const rateHeaders: Read<RateHeaders> = (node, place, reading) => {
  if (node.kind === 'scalar') {
    const kind = word('draft-10')(node, place, reading);
    return kind && { kind };
  }
  const fields = answerFields(node, place, reading);
  return fields && { kind: 'fields', fields };
};

/**
 * `(none)` at `per`: all requests are counted together. `operations` absent: every operation is counted; `when`
 * absent: every request for them.
 */
const share = {
  allow: value(count(1)),
  per: value(per),
  operations: entry(listOf(placedText)),
  when: entry(expression),
};

/** `every` is in milliseconds. */
const rateKeys = {
  allow: share.allow,
  every: value(period),
  per: share.per,
  operations: share.operations,
  when: share.when,
  window: entry(word('fixed', 'sliding', 'bucket')),
  headers: entry(rateHeaders),
};

export type Rate = Values<typeof rateKeys>;

/** Whose requests are counted together, and which. */
export type Share = Values<typeof share>;

/** `body` is in bytes; `page`, and a resource, in items. */
const sizes: Read<ReadonlyMap<string, Said<number>>> = (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const found = new Map<string, Said<number>>();
  for (const [name, { key, value: size }] of map.entries) {
    const read = name === 'body' ? bytes : count(name === 'page' ? 1 : 0);
    found.set(name, say(size, value(read), { address: step(place.address, name), at: key }, reading));
  }
  reading.restOf(place.address, place.at);
  return found;
};

/** Both are in milliseconds. */
const timeKeys = { request: entry(period), operations: entry(named(value(period))) };

const name = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Part 8: how much, how often, how long (language §8). */
const keys = {
  rates: list(named(value(record(rateKeys)), name)),
  sizes: list(sizes),
  times: list(record(timeKeys)),
  concurrency: entry(named(value(record(share)), name)),
  // A map is spelled out before anything is read (language §E.17).
  defaults: entry(record({})),
};

export type Limits = Values<typeof keys>;
export const read = record(keys);
