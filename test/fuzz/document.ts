import type { Document, Json } from '../service/document.ts';
import { type Chance, chanceOf } from './chance.ts';
import { draftOperations, writeEndpoints } from './endpoints.ts';
import { expressions } from './expressions.ts';
import { pairOf, pairOperations, relatedOperations } from './relations.ts';
import { draftWorld, writeResources } from './resources.ts';
import { writeAuthentication, writeErrors, writeEvents, writeLimits, writeVersioning } from './rest.ts';
import { draftMachines, writeStates } from './states.ts';

/** A document over the whole vocabulary, the same for the same seed. Most are accepted by `check`. */
export function documentOf(seed: number): Document {
  const chance = chanceOf(seed);
  const world = draftWorld(chance);
  const write = expressions(world, chance);
  draftMachines(world, chance);
  const resources = writeResources(world, chance, write);
  const states = writeStates(world, chance, write);
  const operations = [...draftOperations({ world, chance, write }), ...relatedOperations(world, chance)];
  const pair = pairOf(world, chance);
  if (pair) operations.push(...pairOperations(pair, chance));
  const writing = { world, operations, chance, write };
  const document: Document = {
    name: 'Generated',
    tacet: 1,
    ...(chance.percent(50) && {
      complete: chance.pick<Json>([true, true, ['endpoints', 'resources'], ['errors', 'states']]),
    }),
    service: { purpose: 'To be asked.', actors: { office: 'the office', user: 'who has an account' } },
    resources: {
      ...resources,
      ...(pair && {
        Pair: {
          identifier: ['left', 'right'],
          fields: Object.fromEntries(pair.fields.map(({ name, statement }) => [name, statement])),
        },
      }),
    },
    states: Object.keys(states).length > 0 ? states : '(none)',
    endpoints: writeEndpoints(operations, chance),
    authentication: writeAuthentication(writing),
    events: writeEvents(writing),
    errors: writeErrors(writing),
    limits: writeLimits(writing),
    versioning: writeVersioning(writing),
  };
  return chance.percent(30) ? marked(document, chance) : document;
}

const markers = ['(open)', '(open) which?', '(none)', '(any)'];

/** The document with markers in place of some of its values, at any depth (language §B). */
export function marked(document: Document, chance: Chance): Document {
  const copy = structuredClone(document);
  const count = chance.between(1, 4);
  for (let index = 0; index < count; index++) {
    const places = placesIn(copy).filter(
      ([holder, key]) => holder !== copy || !['name', 'tacet', 'complete'].includes(String(key)),
    );
    const [holder, key] = chance.pick(places);
    if (chance.percent(50)) (holder as { [name: string]: Json })[key as string] = chance.pick(markers);
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete (holder as { [name: string]: Json })[key];
  }
  return copy;
}

type Holder = Json[] | { [name: string]: Json };

/** Every value within another: what holds it, and by which name or place. */
export function placesIn(value: Json): (readonly [Holder, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[value, name] as const, ...placesIn(inner)]);
}
