import { entry, list, listOf, named, placedText, record, unread, type Values, value } from '../reading.ts';
import { expression, textTemplate } from '../templates.ts';

const transition = {
  from: value(listOf(placedText)),
  to: value(placedText),
  when: entry(expression),
  set: entry(unread),
  also: entry(unread),
  after: entry(textTemplate),
  at: entry(textTemplate),
  within: entry(textTemplate),
};

/** Part 3: each entry is one machine, named `Resource.field` (language §3). */
const keys = {
  states: value(listOf(placedText)),
  initial: value(textTemplate),
  final: entry(listOf(placedText)),
  transitions: list(named(value(record(transition)), /^[A-Za-z][A-Za-z0-9_-]*$/)),
  work: entry(unread),
};

export type Machine = Values<typeof keys>;
export const read = named(value(record(keys)), /^[A-Z][A-Za-z0-9]*\../);
export type States = Exclude<ReturnType<typeof read>, undefined>;
