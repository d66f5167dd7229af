import { draft07 } from './draft-07.ts';
import { specificationSchema } from './json-schema.ts';

/** The files of `schemas/` that are made of the vocabulary, each with its content. */
export function schemas(): ReadonlyMap<string, string> {
  const newest = specificationSchema();
  return new Map([
    ['specification.schema.json', `${JSON.stringify(newest, null, 2)}\n`],
    ['specification.draft-07.schema.json', `${JSON.stringify(draft07(newest), null, 2)}\n`],
  ]);
}
