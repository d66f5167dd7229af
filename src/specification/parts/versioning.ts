import { list, named, record, text, unread, type Values, value, word } from '../reading.ts';

/** Part 9: how versions are named, where a request names one, what differs (language §9). */
const keys = {
  scheme: value(word('number', 'semver', 'date')),
  place: value(unread),
  versions: list(named(value(unread))),
  default: value(text),
};

export type Versioning = Values<typeof keys>;
export const read = record(keys);
