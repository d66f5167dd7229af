import { entry, list, listOf, named, record, text, type Values, value } from '../reading.ts';

/** Part 1: what the service is for, who deals with it, what it covers (language §1.1). */
export const keys = {
  purpose: value(text),
  actors: list(named(value(text), /^[A-Za-z][A-Za-z0-9_-]*$/)),
  scope: value(record({ includes: entry(listOf(text)), excludes: entry(listOf(text)) })),
};

export type Service = Values<typeof keys>;
export const read = record(keys);
