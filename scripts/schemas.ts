import { writeFileSync } from 'node:fs';
import { schemas } from '../src/specification/description/schemas.ts';
import { pages } from './reference.ts';

/** Writes what is made of the tables in the code: the JSON Schemas of a specification, and tables of the reference. */
for (const [name, content] of schemas())
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), content);
for (const [path, content] of pages()) writeFileSync(new URL(`../${path}`, import.meta.url), content);
