// Makes clients of a description: node generate.mjs DESCRIPTION.json FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString } from 'openapi-typescript';

const [description, folder] = process.argv.slice(2);
const types = await openapiTypes(readFileSync(description, 'utf8'));
writeFileSync(join(folder, 'types.ts'), astToString(types));
await createClient({
  input: description,
  output: { path: join(folder, 'hey'), module: { extension: '.js' } },
  logs: { level: 'silent' },
});
