import { get, type Json, json, type Node } from '../../../source/node.ts';
import { annotations } from '../../../specification/vocabulary/keywords.ts';
import { isObject, listed, mapped, single } from './schema.ts';

/** A schema with what its shape tells people (language §E.18), at any depth: no meaning has it. */
export function annotated(schema: Json, shape: Node | undefined): Json {
  if (shape?.kind !== 'map' || !isObject(schema)) return schema;
  const found: Record<string, Json> = { ...schema };
  for (const name of annotations) {
    const said = get(shape, name);
    if (said) found[name] = json(said);
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = get(shape, keyword) ?? (keyword === 'properties' ? get(shape, 'fields') : undefined);
    if (inner === undefined) continue;
    if (single.includes(keyword)) found[keyword] = annotated(value, inner);
    else if (listed.includes(keyword) && inner.kind === 'list')
      found[keyword] = (value as readonly Json[]).map((each, index) => annotated(each, inner.items[index]));
    else if (mapped.includes(keyword) && isObject(value)) found[keyword] = eachAnnotated(value, inner);
  }
  return found;
}

function eachAnnotated(schemas: { readonly [name: string]: Json }, shapes: Node): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, annotated(schema, get(shapes, name))]),
  );
}

/** What is told people at a place of the document; undefined: nothing. */
export function descriptionAt(node: Node | undefined): string | undefined {
  const said = get(node, 'description');
  return said?.kind === 'scalar' && said.value !== null ? said.written : undefined;
}
