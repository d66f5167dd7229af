import { readFileSync } from 'node:fs';
import { json } from '../../src/source/node.ts';
import { text } from '../../src/source/text.ts';
import { outline } from '../../src/specification/reading/document.ts';
import type { Schema } from '../../src/specification/reading/form.ts';

const root = new URL('../../', import.meta.url);

export function file(name: string): string {
  return readFileSync(new URL(name, root), 'utf8');
}

export function schema(name: string): Schema {
  return JSON.parse(file(`schemas/${name}.schema.json`)) as Schema;
}

/** What a document writes, as one tree: the form that it has in YAML or JSON (language §A.2). */
export function tree(name: string, content: string): Schema {
  const { name: title, head, tree: parts, diagnostics } = outline([text(name, content)]);
  if (diagnostics.length > 0) throw new Error(`${name}: ${diagnostics[0]?.message}`);
  return { name: title, ...(head && (json(head) as Schema)), ...(json(parts) as Schema) };
}
