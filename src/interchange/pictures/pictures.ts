import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { machinesOf } from '../wording/machines.ts';
import { machinePicture } from './machine.ts';
import { mapName, mapPicture } from './map.ts';
import type { Picture } from './picture.ts';
import { operationPicture } from './sequence.ts';

/** A picture that can be drawn, by its name. */
export interface Drawable {
  readonly kind: 'map' | 'machine' | 'operation';
  readonly name: string;
  readonly draw: () => Picture;
}

/**
 * The pictures of a document: the map of its resources, each machine of part 3, and what follows a request for each
 * operation. An operation without a name, or with that of another picture, is named by its `METHOD /path`.
 */
export function picturesOf(of: Specification): readonly Drawable[] {
  const machines = [...machinesOf(of)].map(
    ([name, said]): Drawable => ({ kind: 'machine', name, draw: () => machinePicture(of, name, said) }),
  );
  const map: Drawable = { kind: 'map', name: mapName, draw: () => mapPicture(of) };
  const operations = of.operations.map((operation): Drawable => {
    const name = nameOf(operation);
    return { kind: 'operation', name, draw: () => operationPicture(of, operation, name) };
  });
  return [...(of.resourcesByName.size > 0 ? [map] : []), ...machines, ...operations];
}

function nameOf({ name, key }: Operation): string {
  return name === mapName ? key : name;
}
