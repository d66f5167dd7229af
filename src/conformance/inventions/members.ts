import type { Syntax } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Shape, schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';

import { fieldSchema, type Schema, type Schemas } from '../schema.ts';
import { type Lens, lensOf } from './lens.ts';

/** What a document states of members, and how its shapes are found by name. */
export interface Known {
  readonly of: Specification;
  readonly resolve: Schemas['resolve'];
}

/** Where a member stands in content: JSON Pointer (RFC 6901), with `*` for each element of a list. */
export type Pointer = string;

type Pointers = readonly Pointer[];

const none: Pointers = [];
/** The value itself is what is beside. */
const itself: Pointers = [''];

/** The members of a value that a payload does not name. Where it cannot be told what it names, there are none. */
export function besidesTemplate(known: Known, template: Template, value: Json | undefined): Pointers {
  switch (template.kind) {
    case 'object': {
      const { members } = template;
      return ofObject(value, (name, inner) => {
        const member = members.get(name);
        return member ? besidesTemplate(known, member, inner) : itself;
      });
    }
    case 'list':
      return ofList(value, (inner) =>
        inAll(template.items.map((item) => besidesTemplate(known, item, inner))),
      );
    case 'literal':
      return besidesLiteral(template.value, value);
    case 'expression':
      return besidesSyntax(known, template.expression.syntax, value);
    default:
      return none;
  }
}

/** The members that the shape of an answer does not name. */
export function besidesShape(known: Known, shape: Shape, value: Json | undefined): Pointers {
  return besidesSchema(known, schemaOf(shape) as Schema, value);
}

/** The members that none of several payloads names: each is beside all of them, or within what is. */
export function inAll(found: readonly Pointers[]): Pointers {
  const isWithin = (one: Pointer, list: Pointers): boolean =>
    list.some((other) => one === other || one.startsWith(`${other}/`));
  return [...new Set(found.flat())].filter((one) => found.every((list) => isWithin(one, list)));
}

/** Calls, choices, lists and maps show what they are made of; of all else it is not told here. */
function besidesSyntax(known: Known, syntax: Syntax, value: Json | undefined): Pointers {
  switch (syntax.op) {
    case 'call': {
      const lens = lensOf(known.of, syntax.args[0]);
      return lens ? ofEach(value, besidesLens(known, lens)) : none;
    }
    case 'rcall': {
      const [name, , [, shown] = []] = syntax.args;
      return name === 'map' && shown ? ofList(value, (one) => besidesSyntax(known, shown, one)) : none;
    }
    case '?:': {
      const [, then, otherwise] = syntax.args;
      return inAll([then, otherwise].map((one) => besidesSyntax(known, one, value)));
    }
    case 'value':
      // Null shows no member; where there are some they are the other choice's.
      return syntax.args === null ? ofObject(value, () => itself) : none;
    default:
      return none;
  }
}

/** Looks into what a lens shows; nothing is beside where members that nobody stated are kept. */
const besidesLens = once((known: Known, lens: Lens): Look<[Json | undefined]> => {
  if (keepsOthers(known.of, lens.resource)) return () => none;
  const looks = new Map([...lens.fields].map(([name, field]) => [name, lookInto(known, field)]));
  return once((value) =>
    ofObject(value, (name, inner) => {
      const look = looks.get(name);
      if (look) return typeof inner === 'object' && inner !== null ? look(inner) : none;
      // What a view leaves out is stated to be left out.
      return lens.resource.fields.has(name) ? none : itself;
    }),
  );
});

function lookInto(known: Known, field: Field): Look<[Json]> {
  const made = stated(field.shown) ?? stated(field.derived);
  if (made) return (value) => besidesTemplate(known, made.template, value);
  if (field.refers.kind === 'stated') return () => none;
  const schema = fieldSchema(known.of, field);
  return (value) => besidesSchema(known, schema, value);
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

function besidesSchema(known: Known, schema: Schema, value: Json | undefined): Pointers {
  if (typeof value !== 'object' || value === null) return none;
  const here = known.resolve(schema);
  const { properties, items, others } = here as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly others?: Json;
  };
  if (Array.isArray(value)) return items ? ofList(value, (one) => besidesSchema(known, items, one)) : none;
  if (
    properties === undefined ||
    others === 'keep' ||
    further.some((keyword) => Object.hasOwn(here, keyword))
  )
    return none;
  return ofObject(value, (name, inner) =>
    Object.hasOwn(properties, name) ? besidesSchema(known, properties[name] as Schema, inner) : itself,
  );
}

function besidesLiteral(literal: Json, value: Json | undefined): Pointers {
  if (typeof literal !== 'object' || literal === null || Array.isArray(literal)) return none;
  return ofObject(value, (name, inner) =>
    Object.hasOwn(literal, name)
      ? besidesLiteral((literal as { readonly [name: string]: Json })[name] as Json, inner)
      : itself,
  );
}

/** Whether members that nobody stated are kept, and so shown (language §H.1). */
function keepsOthers(of: Specification, resource: Resource): boolean {
  const bodies = of.operations.flatMap((one) => (one.subject === resource ? (bodyOf(of, one) ?? []) : []));
  return bodies.some(({ others }) => others !== null && stated(others) === 'keep');
}

type Look<T extends readonly unknown[]> = (...about: T) => Pointers;

function ofObject(value: Json | undefined, look: Look<[string, Json]>): Pointers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return none;
  // Most show nothing beside.
  let found = none;
  for (const [name, inner] of Object.entries(value)) {
    const beside = look(name, inner);
    if (beside.length > 0) found = [...found, ...within(name, beside)];
  }
  return found;
}

function ofList(value: Json | undefined, look: Look<[Json]>): Pointers {
  return Array.isArray(value) ? within('*', [...new Set(value.flatMap((one) => look(one)))]) : none;
}

/** An item, or each of a list of them (language §H.3). */
function ofEach(value: Json | undefined, look: Look<[Json | undefined]>): Pointers {
  return Array.isArray(value) ? ofList(value, look) : look(value);
}

/** What was found in a member, or in elements, from where that stands. */
export function within(name: string, found: Pointers): Pointers {
  if (found.length === 0) return none;
  const place = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return found.map((one) => place + one);
}
