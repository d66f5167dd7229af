import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { definitionsOf } from '../shape/definitions.ts';
import { Shaped, type Unknown, unknown } from '../value/value.ts';
import type { World } from '../world/world.ts';
import type { Prediction } from './prediction.ts';

/**
 * What the operator's function returns (language §I, rule 5): nothing is known of it but its shape. An item is given by its key
 * or with it, so that any value may stand for one.
 */
export function resultOf({ does, response }: Operation, world: World): Unknown {
  const answers = stated(response) ?? [];
  // The outcome is as the function says, so nobody knows which answer is sent.
  if (answers.some(({ when }) => stated(when)?.kind === 'outcomes')) return world.leave(unknown([]));
  const gives = stated(stated(does)?.qualifiers.gives);
  return gives ? new Shaped(schemaOf(gives), definitionsOf(world.specification)) : unknown([]);
}

/** Whether the function may ask for changes: then nothing is known of what is stored after it. */
export function mayChange({ does }: Operation): boolean {
  const change = stated(does);
  if (change?.verb !== 'handled') return false;
  return (stated(change.qualifiers.may) ?? []).some(({ verb }) => verb !== 'read' && verb !== 'list');
}

/** The function refuses, fails, takes too long or is not given (rule 6): any answer but that of a success. */
export function endedByHandler({ response, does }: Operation): Prediction {
  const successes = (stated(response) ?? []).flatMap(({ status }) => stated(status) ?? []);
  const all = [...Array(200).keys()]
    .map((place) => 400 + place)
    .concat([...Array(300).keys()].map((place) => 100 + place));
  return {
    status: all.filter((status) => !successes.includes(status)),
    headers: {},
    body: unknown([]),
    by: does.address,
  };
}
