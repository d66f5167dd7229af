import { entry, list, named, record, unread, type Values, value } from '../reading.ts';

/** Part 8: how much, how often, how long (language §8). `defaults` is spelled out before (language §E.17). */
const keys = {
  rates: list(named(value(unread), /^[A-Za-z][A-Za-z0-9_-]*$/)),
  sizes: list(named(value(unread))),
  times: list(unread),
  concurrency: entry(unread),
  defaults: entry(named(value(unread))),
};

export type Limits = Values<typeof keys>;
export const read = record(keys);
