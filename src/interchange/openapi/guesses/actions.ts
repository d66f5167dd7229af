import { json } from '../../../source/node.ts';
import { step } from '../../../specification/reading/address.ts';
import { unnamed } from '../../recognise/collections.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described } from '../operations.ts';
import { raw } from '../place.ts';
import { propertiesOf, type Shaping } from '../shape.ts';
import { ofAnswers } from './answer.ts';
import type { Meant } from './meant.ts';
import { foundIn } from './named.ts';
import type { Kept } from './recognised.ts';
import { type Scope, testsOf } from './scopes.ts';

/** An action upon an item that the path of an operation names, such as `/orders/{id}/cancel`. */
export interface Action {
  readonly kept: Kept;
  /** The member that tells in which state an item is, and what it is after the action. */
  readonly field: string;
  readonly value: string;
  /** The one member of the answer that holds the item; null: it is the answer. */
  readonly under: string | null;
}

/** What the member is called that tells in which state an item is. */
const stateful = ['status', 'state', 'phase'];

/**
 * Operations that are called by what becomes of an item: the only member of its kind has the participle of the path's last
 * word among its values, and the answer is the item.
 */
export function actionsIn(
  operations: readonly Described[],
  kept: readonly Kept[],
  meant: ReadonlyMap<Described, Meant>,
  shaping: Shaping,
): ReadonlyMap<Described, Action> {
  const found = new Map<Described, Action>();
  for (const operation of operations) {
    if (meant.has(operation) || !['POST', 'PUT'].includes(operation.method)) continue;
    const [, above = '', verb = ''] = /^(.*)\/([a-z]+)$/i.exec(operation.path) ?? [];
    const those = kept.filter(
      ({ isFurther, collection: { itemPath } }) =>
        !isFurther && itemPath !== null && unnamed(itemPath) === unnamed(above),
    );
    const [one] = those;
    const item = foundIn(operation.successes[0]?.content, shaping);
    if (one === undefined || those.length > 1 || item?.name !== one.name) continue;
    const state = stateAfter(verb, one, shaping);
    if (state) found.set(operation, { kept: one, ...state, under: item.under ?? null });
  }
  return found;
}

/** The member and the value that an action leads to; undefined: none, or several might be meant. */
function stateAfter(
  verb: string,
  { schema }: Kept,
  { places }: Shaping,
): Pick<Action, 'field' | 'value'> | undefined {
  const fields = [...propertiesOf(schema, places)].filter(([name]) => stateful.includes(name.toLowerCase()));
  const [[field, place] = [], ...others] = fields;
  const listed = place && raw(places.followed(place), 'enum');
  const values = listed ? [json(listed.node)].flat() : [];
  const participles = participlesOf(verb.toLowerCase());
  const fitting = values.filter(
    (value): value is string => typeof value === 'string' && participles.includes(value.toLowerCase()),
  );
  const [value] = fitting;
  if (field === undefined || others.length > 0 || value === undefined || fitting.length > 1) return undefined;
  return { field, value };
}

const irregular: Readonly<Record<string, string>> = {
  ...{ pay: 'paid', send: 'sent', hold: 'held', freeze: 'frozen', begin: 'begun', withdraw: 'withdrawn' },
  ...{ void: 'void', lose: 'lost', win: 'won', put: 'put', read: 'read', undo: 'undone' },
};

/** How a verb's participle may be written: `cancel`, `canceled` and `cancelled`. */
function participlesOf(verb: string): readonly string[] {
  const own = irregular[verb];
  if (own !== undefined) return [own, ...(verb === 'void' ? ['voided'] : [])];
  if (verb.endsWith('e')) return [`${verb}d`];
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`];
  return [`${verb}ed`, `${verb}${verb.at(-1)}ed`];
}

/** What an action most likely does. Nobody would bet on it: when it is refused, and what else it does, no description says. */
export function ofAction(
  operation: Described,
  { kept, field, value, under }: Action,
  scopes: readonly Scope[],
  shaping: Shaping,
): readonly Guess[] {
  const at = step('endpoints', operation.key);
  const tests = testsOf(scopes);
  const does: Guess = {
    at: `${at}.does`,
    value: {
      update: kept.name,
      with: { [field]: value },
      ...(tests !== undefined && { where: tests }),
    },
    why: `${operation.key} is called like what makes ${field} ${value}`,
    confidence: 'stand-in',
  };
  const body = ofAnswers(operation, { verb: 'update', kept, under }, shaping);
  return [does, ...body.map((each): Guess => ({ ...each, confidence: 'stand-in' }))];
}
