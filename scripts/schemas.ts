import { writeFileSync } from 'node:fs';
import { schemas } from '../src/specification/description/schemas.ts';

/** Writes the JSON Schemas of a specification, which are made of the vocabulary. */
for (const [name, content] of schemas())
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), content);
