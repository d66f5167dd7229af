import type { Specification } from '../../specification/model/specification.ts';
import { isSaid, stated } from '../../specification/reading/said.ts';
import type { Field, Resource, View } from '../../specification/vocabulary/parts/resources.ts';
import type { Use } from '../../specification/vocabulary/shape.ts';
import { laidOut } from './layout.ts';
import {
  type Member,
  type Named,
  nameIn,
  typeOfLiteral,
  typeOfMembers,
  typeOfShape,
  union,
} from './schema.ts';
import { typeOfValue, type Values } from './values.ts';

/** How the items of resources look, in the types of TypeScript (language §2). */
export interface Items {
  readonly named: Named;
  /** The type of a field as it is kept: a reference is the key of its item. */
  readonly field: (field: Field) => string;
  /** The type of an item's identifier: of several fields, the list of their values. */
  readonly key: (resource: Resource) => string;
  readonly shown: (resource: Resource) => string;
  readonly view: (view: View) => string;
  /** All that is kept, but what is kept only in a form that does not give it back. */
  readonly kept: (resource: Resource) => string;
  /** What a client may write, but the fields in `without`. */
  readonly written: (resource: Resource, options: Writing) => string;
  readonly values: Values;
}

export interface Writing {
  readonly has: (name: string) => boolean;
  readonly isRequired: (name: string) => boolean;
  /** Null takes a member away (RFC 7396). */
  readonly isMergePatch: boolean;
}

export function itemTypes(of: Specification): Items {
  const resources = of.resourcesByName;
  const entries = stated(of.resources);
  const named: Named = (name) => {
    const entry = stated(entries?.get(name));
    if (entry?.kind === 'shape') return `Shapes[${JSON.stringify(name)}]`;
    return entry ? `Shown[${JSON.stringify(name)}]` : 'unknown';
  };
  const machine = ({ resource, name }: Field) => stated(stated(of.states)?.get(`${resource}.${name}`));
  const field = (one: Field, seen: readonly Field[] = []): string => {
    const states = stated(machine(one)?.states);
    if (states) return union(states.map((state) => typeOfLiteral(state.text)));
    const refers = stated(one.refers);
    const plain = typeOfShape(one.shape, named);
    if (refers === undefined || plain !== 'unknown') return orNull(plain, stated(one.ifDeleted) === 'clear');
    const other = resources.get(refers.resource);
    const keys = refers.field === null ? (other ? fieldsOf(other) : []) : [other?.fields.get(refers.field)];
    const [target] = keys;
    const type =
      keys.length === 1 && target && !seen.includes(target) ? field(target, [...seen, one]) : 'unknown';
    return orNull(type, stated(one.ifDeleted) === 'clear');
  };
  /** Whether every item has it. */
  const isCertain = (resource: Resource, one: Field): boolean =>
    isNamed(stated(resource.identifier), one.name) ||
    isNamed(stated(resource.required), one.name) ||
    stated(one.default) !== undefined ||
    isSaid(one.create) ||
    machine(one) !== undefined;
  const values: Values = {
    of,
    named,
    key: (name) => {
      const resource = resources.get(name);
      return resource ? key(resource) : 'unknown';
    },
    member: (name, of_) => {
      const resource = resources.get(name);
      const one = resource?.fields.get(of_);
      if (!resource || !one) return undefined;
      return { type: field(one), isOptional: !isCertain(resource, one) };
    },
  };
  const key = (resource: Resource): string => {
    const types = fieldsOf(resource).map((one) => (one ? field(one) : 'unknown'));
    return types.length === 1
      ? (types[0] as string)
      : types.length === 0
        ? 'unknown'
        : `[${types.join(', ')}]`;
  };
  const shownField = (one: Field, isHere: boolean): Member => {
    const own = field(one);
    const template = stated(one.derived) ?? stated(one.shown);
    const worked = template && typeOfValue(template.template, values);
    const isWhole = stated(one.readable) === true;
    const type =
      worked === undefined
        ? own
        : own === 'unknown'
          ? worked.type
          : orNull(own, worked.type.endsWith('| null'));
    const hasShown = stated(one.shown) !== undefined;
    return {
      name: one.name,
      type: hasShown && worked ? worked.type : type,
      isOptional: !isWhole || !(isHere || isSaid(one.derived)),
    };
  };
  const isShown = (one: Field): boolean => one.readable.kind === 'stated' && one.readable.value !== false;
  const shown = (resource: Resource, fields: readonly Field[], more: readonly Field[]): string =>
    typeOfMembers(
      [
        ...fields.filter(isShown).map((one) => shownField(one, isCertain(resource, one))),
        ...more.map((one) => shownField(one, true)),
      ],
      stated(resource.others) === 'keep',
    );
  return {
    named,
    values,
    field: (one) => field(one),
    key,
    shown: (resource) => shown(resource, [...resource.fields.values()], []),
    view: (view) => {
      const resource = resources.get(stated(view.of)?.text ?? '');
      if (resource === undefined) return 'unknown';
      const [shows, omits] = [stated(view.shows), stated(view.omits)];
      const fields = [...resource.fields.values()].filter((one) =>
        shows ? isNamed(shows, one.name) : omits !== undefined && !isNamed(omits, one.name),
      );
      const own = [...view.fields.values()];
      return shown(
        resource,
        fields.filter((one) => !view.fields.has(one.name)),
        own,
      );
    },
    kept: (resource) =>
      typeOfMembers(
        [...resource.fields.values()]
          .filter((one) => !isSaid(one.derived) && !isSaid(one.secret))
          .map((one) => ({ name: one.name, type: field(one), isOptional: !isCertain(resource, one) })),
        stated(resource.others) === 'keep',
      ),
    written: (resource, { has, isRequired, isMergePatch }) =>
      typeOfMembers(
        [...resource.fields.values()]
          .filter((one) => one.writable.kind === 'stated' && one.writable.value !== false && has(one.name))
          .map((one) => ({
            name: one.name,
            type: orNull(field(one), isMergePatch && !isNamed(stated(resource.required), one.name)),
            isOptional: !isRequired(one.name),
          })),
        stated(resource.others) === 'keep',
      ),
  };
}

function fieldsOf(resource: Resource): (Field | undefined)[] {
  return (stated(resource.identifier) ?? []).map((name) => resource.fields.get(name.text));
}

function isNamed(list: readonly (Use | { readonly text: string })[] | undefined, name: string): boolean {
  return list?.some((one) => ('name' in one ? one.name : one.text) === name) ?? false;
}

export function orNull(type: string, isNull: boolean): string {
  return isNull && !/\bnull$/.test(type) ? union([type, 'null']) : type;
}

/** An interface in which each name has its type, in the order of the document. */
export function interfaceOf(
  name: string,
  about: string,
  entries: readonly (readonly [string, string])[],
): string {
  const members = entries.map(([one, type]) => `  ${nameIn(one)}: ${laidOut(type, 2)};\n`);
  return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}\n`;
}
