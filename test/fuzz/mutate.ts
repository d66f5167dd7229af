import { read } from '../../src/specification/read.ts';
import type { Document, Json } from '../service/document.ts';
import type { Chance } from './chance.ts';
import { placesIn } from './document.ts';

const values: readonly Json[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  '',
  '(open)',
  '(none)',
  '(any)',
  '${',
  '${this}',
  '${this.id.id}',
  '${1 +}',
  '${a.b(c)}',
  'every Article',
  'create Article',
  'Article',
  'Article.id',
  'Article.id as this',
  '__proto__',
  'constructor',
  [],
  {},
  [[]],
  [{}],
  { handled: 'own' },
  { of: 'Article' },
  { '': '' },
  { __proto: null, constructor: 'x' },
];

/** The document with values dropped, swapped with others of it, renamed, or of another kind. */
export function mutated(document: Document, chance: Chance): Document {
  const copy = structuredClone(document);
  const count = chance.between(1, 3);
  for (let index = 0; index < count; index++) {
    const places = placesIn(copy);
    const [holder, key] = chance.pick(places) as [{ [name: string]: Json }, string];
    const [other, name] = chance.pick(places) as [{ [name: string]: Json }, string];
    chance.pick<() => void>([
      () => void delete holder[key],
      () => {
        holder[key] = structuredClone(chance.pick(values));
      },
      () => {
        holder[key] = structuredClone(other[name] as Json);
      },
      () => {
        const value = holder[key] as Json;
        delete holder[key];
        holder[chance.pick(['x', name, 'this', 'Id', `${key} `, 'toString'])] = value;
      },
    ])();
  }
  return copy;
}

/** What reading a document throws; undefined where it ends in diagnostics, as it has to. */
export function thrownBy(document: Document): string | undefined {
  try {
    read('mutated.json', JSON.stringify(document, null, 1));
    return undefined;
  } catch (error) {
    return (error as Error).stack?.split('\n').slice(0, 6).join('\n') ?? String(error);
  }
}
