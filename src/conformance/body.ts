import { path } from '../expression/expression.ts';
import type { Template } from '../expression/template.ts';
import { type Json, setMember } from '../source/node.ts';
import { once } from '../source/once.ts';
import { changesOf } from '../specification/model/changes.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import type { Body as RequestBody } from '../specification/vocabulary/request.ts';
import { isBinary, type Others, type Shape, schemaOf } from '../specification/vocabulary/shape.ts';
import { fieldSchema, type Schema } from './schema.ts';

/** What a request's body may hold, and what becomes of members that nobody stated (language §E.4, §4.2). */
export interface Body {
  /** The first word of a condition's subject: the resource, or `body` where the shape has no name. */
  readonly name: string;
  readonly schema: Schema;
  /** The members that are fields of the subject. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The members that become keys of other items: references, given as such or set from here by `with`. */
  readonly refers: ReadonlyMap<string, Field>;
  /** Null where the shape is a plain JSON Schema, of which `others` says nothing (language §H.1). */
  readonly others: Said<Others> | null;
}

/** What a body of an operation may be; null where it has none, or none is stated. */
export const bodyOf = once((of: Specification, operation: Operation): Body | null => {
  const { request, subject } = operation;
  const body = request && stated(request.body);
  if (!request || !body) return null;
  const nearest = stated(request.others)?.body ?? (request.others as Said<never>);
  const name = body.of?.name;
  if (subject === null || name !== subject.name) {
    const shape =
      name === undefined ? schemaOf(body.shape) : { $ref: `#/$defs/${name}`, ...schemaOf(body.shape) };
    const own = shapeOf(of, name) ?? body.shape;
    const others = own.object && (own.object.others.kind === 'open' ? nearest : own.object.others);
    return {
      name: name ?? 'body',
      schema: shape,
      fields: new Map(),
      refers: referringMembers(of, operation, true),
      others,
    };
  }
  const others = subject.others.kind === 'open' ? nearest : subject.others;
  const members = writableMembers(of, operation, subject, others, body);
  const own = [...members.fields].filter(([, { refers }]) => stated(refers));
  return {
    name,
    ...members,
    refers: new Map([...referringMembers(of, operation, false), ...own]),
    others,
  };
});

/** The members of a body that a change sets a reference to (language §H.2, `with`). */
function referringMembers(of: Specification, operation: Operation, isWhole: boolean): Map<string, Field> {
  return new Map(
    changesOf(operation).flatMap(({ subject, qualifiers }) => {
      const fields = of.resourcesByName.get(subject.name ?? '')?.fields ?? new Map<string, Field>();
      const refers = (field: string): Field[] => {
        const found = fields.get(field);
        return found && stated(found.refers) ? [found] : [];
      };
      return (stated(qualifiers.with) ?? []).flatMap(({ template }): [string, Field][] => {
        if (template.kind === 'object')
          return [...template.members].flatMap(([field, value]) => {
            const [, body, member, ...further] = bodyPath(value) ?? [];
            return body === 'body' && member !== undefined && further.length === 0
              ? refers(field).map((one): [string, Field] => [member, one])
              : [];
          });
        return isWhole && bodyPath(template)?.length === 2
          ? [...fields.keys()].flatMap((name) => refers(name).map((one): [string, Field] => [name, one]))
          : [];
      });
    }),
  );
}

/** The path that a template wholly is, where it is into the body of the request. */
function bodyPath(template: Template): string[] | undefined {
  const found = template.kind === 'expression' ? path(template.expression.syntax) : undefined;
  return found?.[0] === 'request' && found[1] === 'body' ? found : undefined;
}

function shapeOf(of: Specification, name: string | undefined): Shape | undefined {
  const entry = name === undefined ? undefined : stated(stated(of.resources)?.get(name));
  return entry?.kind === 'shape' ? entry.shape : undefined;
}

/** The writable members of a resource; those of `required` are so where the whole is given (language §E.4). */
function writableMembers(
  of: Specification,
  operation: Operation,
  subject: Resource,
  others: Said<Others>,
  body: RequestBody,
) {
  const creates = stated(operation.does)?.verb === 'create';
  const bound = [...operation.bindings.values()].flatMap((one) =>
    one.kind === 'subject' ? [one.field] : [],
  );
  const writable = [...subject.fields].filter(
    // The tester sends no bytes, and JSON has none (language §E.4).
    ([name, field]) =>
      isWritable(field, creates) && !bound.includes(name) && holds(body, name) && !isBinary(field.shape),
  );
  // A state that is given asks for a transition, of which a new item has none (language §3.2).
  const isState = (name: string): boolean => stated(of.states)?.has(`${subject.name}.${name}`) ?? false;
  const fields = new Map(writable.filter(([name]) => !creates || !isState(name)));
  const properties: Record<string, Json> = {};
  for (const [name, field] of fields) setMember(properties, name, fieldSchema(of, field));
  const isWhole = creates || stated(operation.does)?.verb === 'replace';
  const whole = isWhole ? (stated(subject.required) ?? []).map((use) => use.name) : [];
  const beside = schemaOf(body.shape);
  const schema: Schema = {
    ...(isWhole ? schemaOf(subject.further) : {}),
    ...beside,
    type: 'object',
    properties,
    required: [
      ...new Set([...whole.filter((name) => fields.has(name)), ...((beside['required'] ?? []) as string[])]),
    ],
    others: { known: writable.map(([name]) => name), rule: stated(others) ?? null, address: others.address },
  };
  return { schema, fields };
}

/** Whether a member is one of those that are left of a resource in a body (language §E.4, `shows` and `omits`). */
export function holds({ shows, omits }: RequestBody, name: string): boolean {
  const isOne = (one: { readonly text: string }): boolean => one.text === name;
  return (stated(shows)?.some(isOne) ?? true) && !stated(omits)?.some(isOne);
}

/** Whether a client may give a field, on creation or later (language §2.2, `writable`). */
export function isWritable({ writable }: Field, creates: boolean): boolean {
  const word = stated(writable);
  if (typeof word === 'object') return false;
  return word !== false && (creates || (word !== 'once' && word !== 'same'));
}
