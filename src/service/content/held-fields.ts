import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import {
  type AnswerFields,
  fieldShapes,
  type ShapedField,
} from '../../specification/vocabulary/answer-field.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { definitions } from '../shape/schema.ts';
import { Unshaped } from '../shape/shown-shape.ts';
import { compileSpelling } from '../shape/spelling.ts';
import { Validators } from '../shape/validate.ts';
import { inField, type Style } from './style.ts';

/** Holds header fields, a name and a value in turn, against the shapes that are stated of them. Throws where one does not fit. */
export type HoldFields = (fields: readonly string[]) => void;

/** No field of an answer is written as one JSON text. */
const simple: Style = { word: 'simple', explode: false, json: { depth: 0, nodes: 0 } };

/** Of the fields whose value is stated; undefined: no shape stands beside a value (language §H.3). */
export function compileHeldFields(
  specification: Specification,
  headers: Said<AnswerFields>,
): HoldFields | undefined {
  const shaped = fieldShapes(headers).filter(([, { value }]) => stated(value) !== undefined);
  if (shaped.length === 0) return undefined;
  const known = definitions(specification, null);
  const validators = new Validators(known);
  const holds = shaped.map(([name, field]) => compileHeld(name, field, known, validators));
  return (fields) => {
    for (const hold of holds) hold(fields);
  };
}

function compileHeld(
  name: string,
  { shape, required }: ShapedField,
  known: ReturnType<typeof definitions>,
  validators: Validators,
): HoldFields {
  const schema = schemaOf(shape);
  const validate = validators.compile(schema);
  const read = inField(simple, compileSpelling(schema, known));
  const fail = (keyword: string): never => {
    throw new Unshaped(`the header field ${name} is not of the shape at ${shape.address}: ${keyword}`);
  };
  return (fields) => {
    const at = fields.indexOf(name);
    const found = read(at === -1 ? undefined : fields[at + 1]);
    if (found === undefined) return stated(required) === true ? fail('required') : undefined;
    if (typeof found === 'string') return fail(found);
    const [wrong] = validate(found.value)?.failures ?? [];
    return wrong && fail(wrong.keyword);
  };
}
