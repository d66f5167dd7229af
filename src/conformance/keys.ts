import { path } from '../expression/expression.ts';
import { pathsIn, type Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Binding, Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { isSaid, stated } from '../specification/reading/said.ts';
import type { Change } from '../specification/vocabulary/change.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import type { Body } from './body.ts';
import { Unreached } from './check.ts';
import { alsoOf } from './foresee/also.ts';
import { freshValue, membersOf } from './item.ts';
import { calledIn } from './names.ts';
import type { Schema } from './schema.ts';
import type { Trial } from './trial.ts';

/**
 * The members that must be other ones in every request: the parts of an identifier that nothing sets, and what is
 * unique (language §2).
 */
export const keysGiven = once((operation: Operation, body: Body): readonly string[] => {
  const { subject } = operation;
  if (subject === null) return [];
  const creates = stated(operation.does)?.verb === 'create';
  const names = creates ? (stated(subject.identifier) ?? []).map((name) => name.text) : [];
  const unique = [...subject.fields.values()].filter((field) => isUnique(field)).map((field) => field.name);
  // Of fields that are unique together, another value in one is enough.
  const together = (stated(subject.unique) ?? []).flatMap(({ fields }) => {
    const own = fields.flatMap((name) => body.fields.get(name.text) ?? []);
    const free = own.find((field) => !stated(field.refers) && !isFew(schemaOf(field.shape)));
    return free && !own.some((field) => [...names, ...unique].includes(field.name)) ? [free.name] : [];
  });
  return [...new Set([...names, ...unique, ...together])].filter((name) => {
    const field = body.fields.get(name);
    return field !== undefined && field.create.kind === 'open' && !stated(field.refers);
  });
});

export function isUnique({ unique }: Field): boolean {
  return isSaid(unique) && unique.kind !== 'none' && stated(unique) !== false;
}

/** Whether another item may keep an item from having a value in this field: by the identifier, or what is unique (language §2). */
export function mayBeTaken({ identifier, fields, unique }: Resource, name: string): boolean {
  const field = fields.get(name);
  const keys = [stated(identifier) ?? [], ...(stated(unique) ?? []).map((one) => one.fields)].flat();
  return (field !== undefined && isUnique(field)) || keys.some(({ text }) => text === name);
}

/** Whether a shape admits but a few values, so that new ones run out. */
export function isFew(schema: Schema): boolean {
  const { minimum, maximum } = schema as Record<string, number | undefined>;
  const isShort = minimum !== undefined && maximum !== undefined && maximum - minimum < 1000;
  return 'enum' in schema || 'const' in schema || schema['type'] === 'boolean' || isShort;
}

/**
 * The same members with references to items that are there; one that can refer to nothing is left out. Throws
 * `Unreached` where it must be given.
 */
export function withReferences({ stock, random }: Trial, body: Body, value: Json): Json {
  const members = membersOf(value);
  if (members === undefined) return value;
  const found = Object.entries(members).flatMap(([name, given]): [string, Json][] => {
    const to = stated(body.refers.get(name)?.refers);
    if (to === undefined) return [[name, given]];
    const keys = (stock.get(to.resource) ?? []).flatMap((one) => one.known.get(to.field ?? '') ?? []);
    if (keys.length > 0) return [[name, random.pick(keys)]];
    if (((body.schema['required'] ?? []) as string[]).includes(name))
      throw new Unreached(`there is no ${to.resource} to refer to`);
    return [];
  });
  return Object.fromEntries(found);
}

/** The same members with an identifier that was not used before. */
export function renewed(trial: Trial, body: Body, keys: readonly string[], value: Json): Json {
  const members = membersOf(value);
  const given = keys.filter((key) => members && Object.hasOwn(members, key));
  if (members === undefined || given.length === 0) return value;
  const made: Record<string, Json> = { ...members };
  for (const key of given) {
    const field = body.fields.get(key);
    const resource = trial.of.resourcesByName.get(field?.resource ?? '');
    made[key] = freshValue(trial.fresh, field, resource ? { resource, members: made } : null);
  }
  return made;
}

/**
 * The references that no other item may have as well, in an identifier, because they are unique, or because those that
 * have it are counted: a new item is made to be referred to. Of several that are unique together, one is enough.
 */
export const freshReferences = once(
  (of: Specification, operation: Operation, body: Body): readonly Field[] => {
    const { subject } = operation;
    if (subject === null) return [];
    const sets = [
      (stated(subject.identifier) ?? []).map((name) => name.text),
      ...(stated(subject.unique) ?? []).map(({ fields }) => fields.map((name) => name.text)),
      ...[...subject.fields.values()].filter((field) => isUnique(field)).map((field) => [field.name]),
    ];
    const keys = keysGiven(operation, body);
    const found = sets.flatMap((names) => {
      const own = names.flatMap((name) => body.fields.get(name) ?? []);
      const isRenewed = own.some((field) => keys.includes(field.name));
      const isMade = names.some((name) => subject.fields.get(name)?.create.kind === 'stated');
      return isRenewed || isMade ? [] : own.filter((field) => stated(field.refers)).slice(0, 1);
    });
    const used = alsoOf(operation, []).flatMap(({ change }) => fieldNamed(change, body));
    const counted = countedBy(of, subject).filter(({ name }) => body.fields.has(name));
    return [...new Set([...found, ...used, ...counted])];
  },
);

/**
 * The references by which what always holds looks at other items, or at what is derived of them: how many loans a copy
 * is in, or what is left of what it refers to. What holds of the first may not hold of the next.
 */
export const countedBy = once((of: Specification, resource: Resource): readonly Field[] => {
  const found = [...(stated(resource.invariants)?.values() ?? [])].flatMap((said) => {
    const invariant = stated(said);
    const paths = invariant ? pathsIn(invariant.template) : [];
    const readsSet = paths.some(
      ([first, ...rest]) => rest.length === 0 && of.resourcesByName.has(first ?? ''),
    );
    return paths.flatMap(([first, name, member]) => {
      const field = first === 'this' ? resource.fields.get(name ?? '') : undefined;
      const target = of.resourcesByName.get(stated(field?.refers)?.resource ?? '');
      const isDerived = stated(target?.fields.get(member ?? '')?.derived) !== undefined;
      return field && target && (readsSet || isDerived) ? [field] : [];
    });
  });
  return [...new Set(found)];
});

type Other = Extract<Binding, { readonly kind: 'other' }>;

/** The items that a path binds by a name, and that `with` makes part of what tells a new item from others. */
export const othersInKey = once((operation: Operation): readonly Other[] => {
  const keys = (stated(operation.subject?.identifier) ?? []).map(({ text }) => text);
  return keys.every((key) => setByWith(operation).some(([name]) => name === key))
    ? othersSetAs(operation, keys)
    : [];
});

/** Those by which other items are counted (`countedBy`). */
export const othersCounted = once((of: Specification, operation: Operation): readonly Other[] => {
  const counted = operation.subject ? countedBy(of, operation.subject) : [];
  return othersSetAs(
    operation,
    counted.map(({ name }) => name),
  );
});

function othersSetAs(operation: Operation, fields: readonly string[]): readonly Other[] {
  const names = setByWith(operation).flatMap(([name, one]) =>
    fields.includes(name) && one.kind === 'expression' ? [path(one.expression.syntax)?.join('.')] : [],
  );
  return [...operation.bindings.values()]
    .filter((one) => one.kind === 'other')
    .filter((one) => names.includes(calledIn(one)));
}

/** What `with` sets of a new item, by its name. */
function setByWith({ does }: Operation): readonly (readonly [string, Template])[] {
  const change = stated(does);
  const maps = (change?.verb === 'create' && stated(change.qualifiers.with)) || [];
  return maps.flatMap(({ template }) => (template.kind === 'object' ? [...template.members] : []));
}

/** The reference whose item a change that follows is about: what it does may not be done twice to one item. */
export function fieldNamed({ subject }: Change, { fields }: Body): readonly Field[] {
  const { template } = subject.kind === 'expression' ? subject.item : { template: null };
  const [first, ...rest] = (template?.kind === 'expression' && path(template.expression.syntax)) || [];
  const name = first === 'this' ? rest[0] : first === 'request' && rest[0] === 'body' ? rest[1] : undefined;
  const field = fields.get(name ?? '');
  return field && stated(field.refers) ? [field] : [];
}
