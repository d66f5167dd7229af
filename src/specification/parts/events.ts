import { entry, list, listOf, named, placedText, record, unread, type Values, value } from '../reading.ts';
import { expression, template } from '../templates.ts';

const kind = {
  by: value(listOf(placedText)),
  when: entry(expression),
  subject: entry(template),
  body: value(template),
};

/** Part 6: what is told to others, and how (language §6). */
const keys = {
  kinds: list(named(value(record(kind)), /^[A-Za-z][A-Za-z0-9_.-]*$/)),
  envelope: value(template),
  source: entry(template),
  subject: entry(template),
  delivery: list(named(value(unread), /^[A-Za-z][A-Za-z0-9_-]*$/)),
};

export type Events = Values<typeof keys>;
export const read = record(keys);
