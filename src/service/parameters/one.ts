import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Style, styleOf } from '../content/style.ts';
import type { JsonLimits } from '../http/json.ts';
import { keyShape } from '../shape/key-shape.ts';
import { definitions } from '../shape/schema.ts';
import { compileSpelling, type Spelling } from '../shape/spelling.ts';
import { type Failure, Validators } from '../shape/validate.ts';
import { compileMeaning } from './meaning.ts';

/** A parameter: its shape, and how its text becomes a value of it. */
export interface One {
  readonly name: string;
  readonly style: Style;
  readonly spelling: Spelling;
  readonly required: boolean;
  readonly default: Json | undefined;
  readonly taken: PlacedTemplate | undefined;
  readonly validate: (value: unknown) => readonly Failure[];
  /** By what a row lists it: `query.limit`, `Todo.id`. */
  readonly subject: string;
}

type Place = 'path' | 'query' | 'headers';
type Schema = Readonly<Record<string, Json>>;

/** Compiles the parameters of one specification. */
export function compileOne(
  specification: Specification,
  json: JsonLimits,
): (parameter: Parameter, place: Place) => One {
  const known = definitions(specification, null);
  const validators = new Validators(known);
  return (parameter, place) => {
    const plain = {
      name: parameter.name,
      style: styleOf(parameter, place, json),
      required: stated(parameter.required) === true,
      default: stated(parameter.default),
      taken: stated(parameter.roles.taken),
      subject: `${place}.${parameter.name}`,
    };
    const field = fieldOf(specification, parameter.binding);
    if (parameter.binding && parameter.is.kind !== 'stated')
      return { ...plain, ...ofField(specification, field, known) };
    const schema = schemaOf(parameter.shape);
    const validate = validators.compile(schema);
    const meaning = compileMeaning(parameter);
    return {
      ...plain,
      spelling: compileSpelling(schema, known),
      validate: (value) => {
        const failures = validate(value)?.failures ?? [];
        const further = failures.length === 0 && meaning ? meaning(value) : null;
        return further ? [further] : failures;
      },
    };
  };
}

/**
 * The parameters of the path. One that is bound to a field of what is made has that field's shape; where an item
 * is looked up by it, only its type matters, since what is not of it is no item's key (language §H.4, 7), and the shape that is
 * stated of the parameter itself (§4.2, rule 5).
 */
export function compilePath(
  specification: Specification,
  operation: Operation,
  json: JsonLimits,
): readonly One[] {
  const creates = stated(operation.does)?.verb === 'create';
  const { subject } = operation;
  const known = definitions(specification, null);
  const compile = compileOne(specification, json);
  return [...operation.bindings].flatMap(([name, binding]) => {
    const own = binding.parameter ? [compile(binding.parameter, 'path')] : [];
    if (binding.kind === 'text') return own;
    const resource = binding.kind === 'subject' ? subject?.name : binding.resource;
    const field = resource && fieldOf(specification, { resource, field: binding.field });
    if (!field) return [];
    const one: One = {
      name,
      style: styleOf(binding.parameter, 'path', json),
      required: false,
      default: undefined,
      taken: undefined,
      subject: `${resource}.${field.name}`,
      ...ofField(specification, field, known),
    };
    // A shape of its own is judged of the value as the field has it, which is what it is.
    const shaped = own.map((each) => ({ ...each, spelling: one.spelling }));
    if (!creates || binding.kind !== 'subject') return [...shaped, one];
    const validate = new Validators(known).compile(schemaOf(field.shape));
    return [...shaped, { ...one, validate: (value) => validate(value)?.failures ?? [] }];
  });
}

/** A key is spelled as its field is, and nothing else is asked of it. */
function ofField(
  specification: Specification,
  field: Field | undefined,
  known: Schema,
): Pick<One, 'spelling' | 'validate'> {
  const schema = field && keyShape(specification, field);
  return { spelling: compileSpelling(schema, known), validate: () => [] };
}

function fieldOf(
  specification: Specification,
  binding: { readonly resource: string; readonly field: string } | null,
): Field | undefined {
  return binding ? specification.resourcesByName.get(binding.resource)?.fields.get(binding.field) : undefined;
}
