import { nameOf, section } from '../../reading/form.ts';
import { entry, list, listOf, named, record, text, type Values, value } from '../../reading/reading.ts';

const about = section('1.1', 'service');
const ofScope = section('1.1', 'service.scope');

const scope = {
  includes: entry(listOf(text), ofScope('What the service covers.')),
  excludes: entry(listOf(text), ofScope('What the service does not cover.')),
};

/** Part 1: what the service is for, who deals with it, what it covers (language §1.1). */
export const keys = {
  purpose: value(
    text,
    about('What the service is for.', { must: 'show it to people', see: 'nothing', open: 'nothing' }),
  ),
  actors: list(
    named(value(text), nameOf('actor name')),
    about('Who deals with the service: names, each with a description. Part 5 binds the names (5.4).', {
      must: 'take these names in part 5',
      see: 'the matrix of operations and actors',
      open: 'part 5 may use other names',
    }),
  ),
  scope: value(
    record(scope),
    about('What the service covers and does not cover.', {
      must: 'show it to people',
      see: 'nothing',
      open: 'nothing',
    }),
  ),
};

export type Service = Values<typeof keys>;
export const read = record(keys);
