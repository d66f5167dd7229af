import { rest, step } from '../address.ts';
import { entry, list, named, type Read, type Reading, record, type Values, value, word } from '../reading.ts';
import { type Rule, rule } from '../rule.ts';
import { isSaid, type Said, stated } from '../said.ts';
import { scheme } from '../scheme.ts';
import { expression } from '../templates.ts';

/** Names of schemes and actors (language §A.5). */
const name = /^[A-Za-z][A-Za-z0-9_-]*$/;

const actors = named(value(expression), name);

/** Part 5: who may ask, and for what (language §5). */
const keys = {
  schemes: list(named(value(scheme), name)),
  several: entry(word('refuse', 'first')),
  actors: entry(actors),
  authorization: list(named(value(rule))),
  otherwise: entry(rule),
};

/** Where there are rules, they may name actors that nothing binds as yet. */
const ruling = { ...keys, actors: list(actors) };

export type Authentication = Values<typeof keys>;

export const read: Read<Authentication> = (node, place, reading) => {
  const isSilent = node.kind === 'map' && node.entries.size === 0;
  const found = record(isSilent ? keys : ruling)(node, place, reading);
  // What else there is to rule on, `otherwise` rules on.
  if (found && isSaid(found.otherwise)) {
    const { assumed, at } = found.otherwise;
    reading.point(rest(step(place.address, 'authorization')), assumed ? 'assumed' : 'stated', at);
  }
  if (found) wantScopes(found, reading);
  return found;
};

/** Where a rule wants scopes of a scheme, what its credentials grant is a point (language §5.1). */
function wantScopes({ schemes, authorization, otherwise }: Authentication, reading: Reading): void {
  const rules: readonly (Said<Rule> | undefined)[] = [...(stated(authorization)?.values() ?? []), otherwise];
  const wanted = rules.flatMap((said) => stated(stated(said)?.schemes)?.flat() ?? []);
  for (const { text, scopes } of wanted) {
    const granted = stated(stated(schemes)?.get(text))?.scopes;
    if (scopes.length > 0 && granted?.kind === 'open' && !reading.points.has(granted.address))
      reading.point(granted.address, 'open', granted.at);
  }
}
