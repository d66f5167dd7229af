import { type Json, setMember } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { step } from '../../specification/reading/address.ts';
import { isSaid, stated } from '../../specification/reading/said.ts';
import type { Field, Resource, View } from '../../specification/vocabulary/parts/resources.ts';
import { objectSchema, type Shape, schemaOf } from '../../specification/vocabulary/shape.ts';
import { renamingsOf } from './renaming.ts';
import { Validators } from './validate.ts';

type Schema = Record<string, Json>;

/** What is to be sent does not have the shape that is stated of it: a fault of the service (language §H.3). */
export class Unshaped extends Error {}

/**
 * Holds content that is JSON against the shape that is stated of it, a resource's name in which stands for its
 * readable fields (language §H.3). Throws where it does not fit.
 *
 * @param schema Default: that of the shape
 */
export function compileHeldTo(
  specification: Specification,
  shape: Shape,
  schema = schemaOf(shape),
): (content: string) => void {
  const validate = validatorsOf(specification).compile(settled(schema, specification) as Schema);
  const renaming = renamingsOf(specification)?.ofShape(shape);
  return (content) => {
    const parsed: unknown = JSON.parse(content);
    const [wrong] = validate(renaming ? renaming.takenIn(parsed) : parsed)?.failures ?? [];
    if (wrong === undefined) return;
    const where = wrong.field === '' ? 'the whole' : wrong.field;
    throw new Unshaped(`the body is not of the shape at ${shape.address}: ${wrong.keyword} at ${where}`);
  };
}

const validatorsOf = once((specification: Specification) => new Validators(shownDefinitions(specification)));

function shownDefinitions(specification: Specification): Schema {
  const found: Schema = {};
  for (const [name, said] of stated(specification.resources) ?? []) {
    const entry = stated(said);
    const schema =
      entry === undefined ? {} : entry.kind === 'shape' ? schemaOf(entry.shape) : shown(entry, specification);
    setMember(found, name, settled(schema, specification));
  }
  for (const name of specification.resourcesByName.keys())
    if (!Object.hasOwn(found, name)) setMember(found, name, {});
  return found;
}

/** The members of an item that may be seen. What a view leaves out, and what is shown otherwise, is not looked at. */
function shown(entry: Resource | View, specification: Specification): Schema {
  const of = entry.kind === 'view' ? specification.resourcesByName.get(stated(entry.of)?.text ?? '') : entry;
  const fields = [...(of?.fields.values() ?? []), ...(entry.kind === 'view' ? entry.fields.values() : [])];
  const properties: Schema = {};
  for (const field of fields)
    setMember(properties, field.name, stated(field.readable) === false ? false : shapeShown(field));
  if (entry.kind === 'view') return { type: 'object', properties };
  const { others } = objectSchema({ fields: new Map(), required: entry.required, others: entry.others }) as {
    others: Schema;
  };
  const known = [...Object.keys(properties), ...(stated(entry.required) ?? []).map((one) => one.name)];
  return { type: 'object', properties, others: { ...others, known } };
}

function shapeShown(field: Field): Json {
  if (isSaid(field.shown)) return true;
  const schema = schemaOf(field.shape);
  // What it referred to may have gone (language §2.2, `ifDeleted`).
  return stated(field.ifDeleted) === 'clear' ? { anyOf: [schema, { type: 'null' }] } : schema;
}

/** What nobody stated may be there, but where it is refused, or where nothing is said of it and the list is closed. */
function settled(schema: Json, specification: Specification): Json {
  if (Array.isArray(schema)) return schema.map((one: Json) => settled(one, specification));
  if (typeof schema !== 'object' || schema === null) return schema;
  const result: Schema = {};
  for (const [keyword, value] of Object.entries(schema as Schema))
    if (['enum', 'const'].includes(keyword)) setMember(result, keyword, value);
    else if (keyword === 'others' && typeof value === 'object' && value !== null && 'known' in value)
      setMember(result, keyword, closed(value as Schema, specification));
    else setMember(result, keyword, settled(value, specification));
  return result;
}

function closed(others: Schema, { completeness }: Specification): Json {
  if (others['rule'] !== null) return others;
  const fields = step(String(others['address']).replace(/\.others$/, ''), 'fields');
  return { ...others, rule: completeness.closed(fields) === undefined ? 'keep' : 'refuse' };
}
