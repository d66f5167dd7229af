import type { Value } from '../value/value.ts';
import { unknown } from '../value/value.ts';
import type { World } from '../world/world.ts';

/** The functions that make something new (language §G.4), for what stands at an address. */
export function maker(
  world: World,
  address: string,
): (name: string, args: readonly Value[]) => Value | undefined {
  return (name, args) => {
    switch (name) {
      case 'uuid':
        return world.make('fresh', 'uuid');
      case 'random':
        return Number(args[0]) >= 8 ? world.make('fresh', 'random') : world.make('text', `random ${address}`);
      case 'sequence':
        return world.make('integer', `${address} ${JSON.stringify(args)}`);
      case 'unique':
      case 'issue':
      case 'jwks':
        return unknown(args, true);
      default:
        return undefined;
    }
  };
}
