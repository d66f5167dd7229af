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
        return world.make('fresh', 'uuid');
      case 'random':
        return Number(args[0]) >= 8
          ? world.make('fresh', 'random')
          : world.make('text', `random ${field?.address}`);
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
