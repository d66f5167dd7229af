import { rest, step } from '../address.ts';
import { entry, list, named, type Read, record, type Values, value, word } from '../reading.ts';
import { rule } from '../rule.ts';
import { isSaid } from '../said.ts';
import { scheme } from '../scheme.ts';
import { expression } from '../templates.ts';

/** Names of schemes and actors (language §A.5). */
const name = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Part 5: who may ask, and for what (language §5). */
const keys = {
  schemes: list(named(value(scheme), name)),
  several: entry(word('refuse', 'first')),
  actors: entry(named(value(expression), name)),
  authorization: list(named(value(rule))),
  otherwise: entry(rule),
};

export type Authentication = Values<typeof keys>;

export const read: Read<Authentication> = (node, place, reading) => {
  const found = record(keys)(node, place, reading);
  // Rules may name actors that nothing binds as yet.
  if (found && node.kind === 'map' && node.entries.size > 0 && !node.entries.has('actors'))
    reading.restOf(step(place.address, 'actors'), place.at);
  // What else there is to rule on, `otherwise` rules on.
  if (found && isSaid(found.otherwise)) {
    const { assumed, at } = found.otherwise;
    reading.point(rest(step(place.address, 'authorization')), assumed ? 'assumed' : 'stated', at);
  }
  return found;
};
