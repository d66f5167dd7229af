import type { Syntax } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import { type Shape, schemaOf } from '../../specification/shape.ts';
import type { Specification } from '../../specification/specification.ts';
import { bodyOf } from '../body.ts';
import { type Lens, lensOf } from '../lens.ts';
import { fieldSchema, type Schema, type Schemas } from '../schema.ts';

/** What a document states of members, and how its shapes are found by name. */
export interface Known {
  readonly of: Specification;
  readonly resolve: Schemas['resolve'];
}

/** Where a member stands in content: JSON Pointer (RFC 6901), with `*` for each element of a list. */
export type Pointer = string;

/** The members of a value that a payload does not name. Where it cannot be told what it names, there are none. */
export function besidesTemplate(
  known: Known,
  template: Template,
  value: Json | undefined,
  at = '',
): Pointer[] {
  switch (template.kind) {
    case 'object': {
      const { members } = template;
      return ofObject(value, at, (name, inner, place) => {
        const member = members.get(name);
        return member ? besidesTemplate(known, member, inner, place) : [place];
      });
    }
    case 'list':
      return ofList(value, at, (inner, place) =>
        inAll(template.items.map((item) => besidesTemplate(known, item, inner, place))),
      );
    case 'literal':
      return besidesLiteral(template.value, value, at);
    case 'expression':
      return besidesSyntax(known, template.expression.syntax, value, at);
    default:
      return [];
  }
}

/** The members that the shape of an answer does not name. */
export function besidesShape(known: Known, shape: Shape, value: Json | undefined, at = ''): Pointer[] {
  return besidesSchema(known, schemaOf(shape) as Schema, value, at);
}

/** The members that none of several payloads names: each is beside all of them, or within what is. */
export function inAll(found: readonly (readonly Pointer[])[]): Pointer[] {
  const isWithin = (one: Pointer, list: readonly Pointer[]): boolean =>
    list.some((other) => one === other || one.startsWith(`${other}/`));
  return [...new Set(found.flat())].filter((one) => found.every((list) => isWithin(one, list)));
}

/** Calls, choices, lists and maps show what they are made of; of all else it is not told here. */
function besidesSyntax(known: Known, syntax: Syntax, value: Json | undefined, at: Pointer): Pointer[] {
  switch (syntax.op) {
    case 'call': {
      const lens = lensOf(known.of, syntax.args[0]);
      return lens ? ofEach(value, at, (one, place) => besidesLens(known, lens, one, place)) : [];
    }
    case 'rcall': {
      const [name, , [, shown] = []] = syntax.args;
      return name === 'map' && shown
        ? ofList(value, at, (one, place) => besidesSyntax(known, shown, one, place))
        : [];
    }
    case '?:': {
      const [, then, otherwise] = syntax.args;
      return inAll([then, otherwise].map((one) => besidesSyntax(known, one, value, at)));
    }
    case 'value':
      // Null shows no member; where there are some they are the other choice's.
      return syntax.args === null ? ofObject(value, at, (_name, _inner, place) => [place]) : [];
    default:
      return [];
  }
}

function besidesLens(known: Known, lens: Lens, value: Json | undefined, at: Pointer): Pointer[] {
  if (keepsOthers(known.of, lens.resource)) return [];
  return ofObject(value, at, (name, inner, place) => {
    const field = lens.fields.get(name);
    if (field) return besidesField(known, field, inner, place);
    // What a view leaves out is stated to be left out.
    return lens.resource.fields.has(name) ? [] : [place];
  });
}

function besidesField(known: Known, field: Field, value: Json, at: Pointer): Pointer[] {
  const made = stated(field.shown) ?? stated(field.derived);
  if (made) return besidesTemplate(known, made.template, value, at);
  return field.refers.kind === 'stated' ? [] : besidesSchema(known, fieldSchema(known.of, field), value, at);
}

/** Keywords by which a schema lets in members that `properties` does not name, or may. */
const further = [
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
];

function besidesSchema(known: Known, schema: Schema, value: Json | undefined, at: Pointer): Pointer[] {
  const here = known.resolve(schema);
  const { properties, items, others } = here as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly others?: Json;
  };
  if (Array.isArray(value))
    return items ? ofList(value, at, (one, place) => besidesSchema(known, items, one, place)) : [];
  if (
    properties === undefined ||
    others === 'keep' ||
    further.some((keyword) => Object.hasOwn(here, keyword))
  )
    return [];
  return ofObject(value, at, (name, inner, place) =>
    Object.hasOwn(properties, name)
      ? besidesSchema(known, properties[name] as Schema, inner, place)
      : [place],
  );
}

function besidesLiteral(literal: Json, value: Json | undefined, at: Pointer): Pointer[] {
  if (typeof literal !== 'object' || literal === null || Array.isArray(literal)) return [];
  return ofObject(value, at, (name, inner, place) =>
    Object.hasOwn(literal, name)
      ? besidesLiteral((literal as { readonly [name: string]: Json })[name] as Json, inner, place)
      : [place],
  );
}

/** Whether members that nobody stated are kept, and so shown (language §H.1). */
function keepsOthers(of: Specification, resource: Resource): boolean {
  const bodies = of.operations.flatMap((one) => (one.subject === resource ? (bodyOf(of, one) ?? []) : []));
  return bodies.some(({ others }) => others !== null && stated(others) === 'keep');
}

type Look<T extends readonly unknown[]> = (...about: T) => Pointer[];

function ofObject(value: Json | undefined, at: Pointer, look: Look<[string, Json, Pointer]>): Pointer[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    look(name, inner, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function ofList(value: Json | undefined, at: Pointer, look: Look<[Json, Pointer]>): Pointer[] {
  return Array.isArray(value) ? [...new Set(value.flatMap((one: Json) => look(one, `${at}/*`)))] : [];
}

/** An item, or each of a list of them (language §H.3). */
function ofEach(value: Json | undefined, at: Pointer, look: Look<[Json | undefined, Pointer]>): Pointer[] {
  return Array.isArray(value) ? ofList(value, at, look) : look(value, at);
}
