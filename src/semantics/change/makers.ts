import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { equal } from '../value/compare.ts';
import { either, some } from '../value/truth.ts';
import { Item, textOf, unknown, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';
import { issue, keySet } from './issue.ts';

/**
 * The functions that make something new (language §G.4), for a field, or for an answer.
 *
 * @param names what the claims of a token may read: `now`
 * @param item the item that is changed. Default: it is made just now, or there is none
 */
export function maker(
  world: World,
  field: Field | null,
  names: Readonly<Record<string, Value>>,
  item?: Value,
): (name: string, args: readonly Value[]) => Value | undefined {
  return (name, args) => {
    switch (name) {
      case 'uuid':
        return world.make('fresh', 'uuid', null, uuid);
      case 'random':
        return randomText(Number(args[0]), field, world);
      case 'sequence':
        return world.make('integer', `${field?.address} ${JSON.stringify(args.map(keyOf))}`);
      case 'unique':
        return field ? uniqueText(args[0] ?? null, field, item, world) : unknown(args, true);
      case 'issue':
        return args[1] instanceof Item ? issue(args[0] ?? null, args[1], world, names) : unknown(args, true);
      case 'jwks':
        return keySet(args[0] ?? null, world);
      default:
        return undefined;
    }
  };
}

/** RFC 9562 §4. */
const uuid = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

/** So many letters and digits (language §G.4). Few of them may be guessed. */
function randomText(count: number, field: Field | null, world: World): Value {
  const looks = Number.isSafeInteger(count) ? `[A-Za-z0-9]{${count}}` : undefined;
  return count >= 8
    ? world.make('fresh', 'random', null, looks)
    : world.make('text', `random ${field?.address}`, null, looks);
}

/** What tells the groups of a sequence apart. */
function keyOf(value: Value): string {
  return value instanceof Item ? `${value.resource} ${value.handle}` : JSON.stringify(value);
}

/** The text itself, or with a suffix if another item has it (language §G.4). */
function uniqueText(text: Value, field: Field, item: Value | undefined, world: World): Value {
  if (typeof text !== 'string' || stated(field.unique) === 'caseless') return unknown([text], false);
  const others = world
    .items(field.resource)
    .filter(({ handle }) => !(item instanceof Item) || handle !== item.handle);
  const isOurs = some(others, ({ members }) => equal(members.get(field.name) ?? null, text));
  const isTaken = world.decide(either(isOurs, () => world.mayBeTheirs([text])));
  return isTaken ? textOf([text, world.make('text', `suffix ${field.address}`)]) : text;
}
