import { rest, step } from '../../reading/address.ts';
import { nameOf, section } from '../../reading/form.ts';
import {
  absent,
  entry,
  type Formed,
  formed,
  list,
  named,
  type Reading,
  record,
  type Values,
  value,
  word,
} from '../../reading/reading.ts';
import { isSaid, type Said, stated } from '../../reading/said.ts';
import { expression } from '../../reading/templates.ts';
import { type Rule, rule } from '../rule.ts';
import { scheme } from '../scheme.ts';

const ways = section('5.1', 'authentication');
const rules = section('5.5', 'authentication');

const snippets = [
  {
    label: 'bearer',
    description: 'A token in Authorization, issued by this service',
    body: {
      '${1:token}': {
        type: 'http',
        scheme: 'bearer',
        credentials: { issued: '${2:opaque}', life: '${3:P7D}' },
        actor: '${4:Account}',
        challenge: 'Bearer',
      },
    },
  },
  {
    label: 'apiKey',
    description: 'A key in a header field, kept with a resource',
    body: {
      '${1:key}': {
        type: 'apiKey',
        in: 'header',
        name: '${2:X-Key}',
        credentials: { kept: '${3:Account.key}' },
        actor: '${4:Account}',
      },
    },
  },
  {
    label: 'basic',
    description: 'A name and a password that the operator holds',
    body: {
      '${1:desk}': {
        type: 'http',
        scheme: 'basic',
        credentials: 'operator',
        actor: '${2:office}',
        challenge: 'Basic realm="${3:desk}"',
      },
    },
  },
];

/** Part 5: who may ask, and for what (language §5). */
const keys = {
  schemes: list(
    named(value(scheme), nameOf('scheme name'), snippets),
    ways('How a client proves who it is: schemes, by name (5.1).', {
      must: 'accept these and no others',
      see: 'none, wrong, each',
      open: 'no client is known; see 5.5',
    }),
  ),
  several: entry(
    word('refuse', 'first'),
    ways('A request with credentials of several schemes: `refuse` it, or use the `first` of `schemes`.', {
      must: 'do so; a refusal is `credential wrong`',
      see: 'send two',
      open: 'choice (F.1)',
    }),
  ),
  actors: entry(
    named(value(expression), nameOf('actor name')),
    section('5.4', 'authentication')(
      'Who is which actor of part 1: names, each with an expression that is true of this actor (5.4).',
      {
        must: 'judge rules by it',
        see: 'the matrix of operations and actors',
        open: 'a rule with the name answers 501',
      },
    ),
  ),
  authorization: list(
    named(value(rule)),
    rules('The rule of each operation, by the name of the operation (5.5).', {
      must: 'let in whom the rule admits, and nobody else',
      see: 'the matrix of operations, actors, owners and credentials',
      open: 'with a scheme stated: 501',
    }),
  ),
  otherwise: entry(
    rule,
    rules('The rule of the operations that `authorization` does not list.', {
      must: 'judge them by it',
      see: 'such an operation',
      open: 'with a scheme stated: 501',
    }),
  ),
};

/** Where there are rules, they may name actors that nothing binds as yet. */
const ruling = { ...keys, actors: absent(keys.actors, 'list') };

export type Authentication = Values<typeof keys>;

export const read: Formed<Authentication> = formed(record(keys).form, (node, place, reading) => {
  const isSilent = node.kind === 'map' && node.entries.size === 0;
  const found = record(isSilent ? keys : ruling)(node, place, reading);
  // What else there is to rule on, `otherwise` rules on.
  if (found && isSaid(found.otherwise)) {
    const { assumed, at } = found.otherwise;
    reading.point(rest(step(place.address, 'authorization')), assumed ? 'assumed' : 'stated', at);
  }
  if (found) wantScopes(found, reading);
  return found;
});

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
