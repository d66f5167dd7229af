import type { Specification } from '../../specification/model/specification.ts';
import { isSaid, stated } from '../../specification/reading/said.ts';
import type { Field, Resource, View } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf, type Use } from '../../specification/vocabulary/shape.ts';
import {
  isAnything,
  type Member,
  orNull,
  type Schema,
  schemaOfMembers,
  takesNull,
  tupleOf,
} from './schema.ts';
import { schemaOfValue, type Values } from './values.ts';

export interface Writing {
  readonly has: (name: string) => boolean;
  readonly isRequired: (name: string) => boolean;
  /** Null takes a member away (RFC 7396). */
  readonly isMergePatch: boolean;
}

/** How the items of resources look, as JSON Schemas (language §2). */
export class Items {
  readonly values: Values;
  readonly #of: Specification;

  constructor(of: Specification) {
    this.#of = of;
    this.values = {
      of,
      key: (name) => {
        const resource = of.resourcesByName.get(name);
        return resource ? this.key(resource) : true;
      },
      member: (name, member) => {
        const resource = of.resourcesByName.get(name);
        const field = resource?.fields.get(member);
        if (!resource || !field) return undefined;
        return { schema: this.field(field), isOptional: !this.isCertain(resource, field) };
      },
    };
  }

  /** A field as it is kept: a reference is the key of its item. */
  field(field: Field, seen: readonly Field[] = []): Schema {
    const states = stated(this.#machine(field)?.states);
    if (states) return { type: 'string', enum: states.map(({ text }) => text) };
    const own = schemaOf(field.shape);
    const isCleared = stated(field.ifDeleted) === 'clear';
    const refers = stated(field.refers);
    if (refers === undefined || !isAnything(own)) return isCleared ? orNull(own) : own;
    const other = this.#of.resourcesByName.get(refers.resource);
    const keys =
      refers.field === null ? (other ? identifiers(other) : []) : [other?.fields.get(refers.field)];
    const [target] = keys;
    if (keys.length !== 1 || !target || seen.includes(target)) return true;
    const key = this.field(target, [...seen, field]);
    const whole = typeof key === 'object' ? { ...key, ...own } : key;
    return isCleared ? orNull(whole) : whole;
  }

  /** An item's identifier: of several fields, the list of their values. */
  key(resource: Resource): Schema {
    const schemas = identifiers(resource).map((field) => (field ? this.field(field) : true));
    return schemas.length > 1 ? tupleOf(schemas) : (schemas[0] ?? true);
  }

  /** An item as answers show it. */
  shown(resource: Resource): Schema {
    return this.#shown(resource, [...resource.fields.values()], []);
  }

  view(view: View): Schema {
    const resource = this.#of.resourcesByName.get(stated(view.of)?.text ?? '');
    if (resource === undefined) return true;
    const [shows, omits] = [stated(view.shows), stated(view.omits)];
    const fields = [...resource.fields.values()].filter(({ name }) =>
      shows ? isNamed(shows, name) : omits !== undefined && !isNamed(omits, name),
    );
    const others = fields.filter(({ name }) => !view.fields.has(name));
    return this.#shown(resource, others, [...view.fields.values()]);
  }

  #shown(resource: Resource, fields: readonly Field[], more: readonly Field[]): Schema {
    const members = [
      ...fields.filter(isShown).map((field) => this.shownField(field, this.isCertain(resource, field))),
      ...more.map((field) => this.shownField(field, true)),
    ];
    return schemaOfMembers(members, stated(resource.others) === 'keep');
  }

  /** A field as answers show it; `isHere`: every item has it. */
  shownField(field: Field, isHere: boolean): Member {
    const isWhole = stated(field.readable) === true;
    const isOptional = !isWhole || !(isHere || isSaid(field.derived));
    return { name: field.name, schema: this.#shownSchema(field), isOptional };
  }

  #shownSchema(field: Field): Schema {
    const own = this.field(field);
    const template = stated(field.derived) ?? stated(field.shown);
    if (template === undefined) return own;
    const worked = schemaOfValue(template.template, this.values).schema;
    if (stated(field.shown) !== undefined || isAnything(own)) return worked;
    return worked !== true && takesNull(worked) ? orNull(own) : own;
  }

  /** All that is kept, but what is kept only in a form that does not give it back. */
  kept(resource: Resource): Schema {
    const members = [...resource.fields.values()]
      .filter(({ derived, secret }) => !isSaid(derived) && !isSaid(secret))
      .map((field) => ({
        name: field.name,
        schema: this.field(field),
        isOptional: !this.isCertain(resource, field),
      }));
    return schemaOfMembers(members, stated(resource.others) === 'keep');
  }

  /** What a client may write. */
  written(resource: Resource, { has, isRequired, isMergePatch }: Writing): Schema {
    const members = [...resource.fields.values()]
      .filter((field) => isWritable(field) && has(field.name))
      .map((field) => {
        const isRemovable = isMergePatch && !isNamed(stated(resource.required), field.name);
        const schema = this.field(field);
        return {
          name: field.name,
          schema: isRemovable ? orNull(schema) : schema,
          isOptional: !isRequired(field.name),
        };
      });
    return schemaOfMembers(members, stated(resource.others) === 'keep');
  }

  /** Whether every item has the field. */
  isCertain(resource: Resource, field: Field): boolean {
    return (
      isNamed(stated(resource.identifier), field.name) ||
      isNamed(stated(resource.required), field.name) ||
      stated(field.default) !== undefined ||
      isSaid(field.create) ||
      this.#machine(field) !== undefined
    );
  }

  #machine({ resource, name }: Field) {
    return stated(stated(this.#of.states)?.get(`${resource}.${name}`));
  }
}

export function isShown({ readable }: Field): boolean {
  return readable.kind === 'stated' && readable.value !== false;
}

export function isWritable({ writable }: Field): boolean {
  return writable.kind === 'stated' && writable.value !== false;
}

function identifiers(resource: Resource): (Field | undefined)[] {
  return (stated(resource.identifier) ?? []).map(({ text }) => resource.fields.get(text));
}

export function isNamed(
  list: readonly (Use | { readonly text: string })[] | undefined,
  name: string,
): boolean {
  return list?.some((each) => ('name' in each ? each.name : each.text) === name) ?? false;
}
