import { type Known, type Lacks, mayBeNull } from '../../expression/nulls.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import { stated } from '../reading/said.ts';
import type { PlacedTemplate } from '../reading/templates.ts';
import { type Change, isAboutResource, type Permission } from '../vocabulary/change.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';

type Of = Specification;

/** What a change that makes an item gives it besides a body; null: nobody can tell beforehand. */
type Given = ReadonlySet<string> | null;

/**
 * Which members of items may be null or absent (language §G.3). A member of which that cannot be told is taken to be
 * there, so that no author is warned of what cannot happen.
 */
export function compileLacks(of: Of): Lacks {
  const known = new Map<string, boolean>();
  const lacks: Lacks = (resource, name) => {
    const key = `${resource}.${name}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    // A field that is derived of itself is reported as a circle.
    known.set(key, false);
    const names = resource === 'actor' ? actorsOf(of) : [resource];
    const is = names.length > 0 && names.every((one) => one !== null && isLacking(of, one, name, lacks));
    known.set(key, is);
    return is;
  };
  return lacks;
}

function isLacking(of: Of, resource: string, name: string, lacks: Lacks): boolean {
  const holder = of.resourcesByName.get(resource);
  const field = holder?.fields.get(name);
  return holder !== undefined && field !== undefined && mayLack(of, holder, field, lacks);
}

/** The resources of which `actor` is an item, by each scheme (language §5.3); null where it is none, or nobody can tell. */
function actorsOf({ authentication }: Of): readonly (string | null)[] {
  return [...(stated(stated(authentication)?.schemes)?.values() ?? [])].map((said) => {
    const actor = stated(stated(said)?.actor);
    if (actor?.kind === 'resource') return actor.resource.text;
    return actor?.kind === 'field' ? actor.resource : null;
  });
}

function mayLack(of: Of, resource: Resource, field: Field, lacks: Lacks): boolean {
  const { name } = field;
  const derived = stated(field.derived)?.template;
  if (derived) return derived.kind === 'expression' && mayBeNull(derived.expression.syntax, lacks);
  if (stated(resource.identifier)?.some((one) => one.text === name)) return false;
  if (stated(stated(stated(of.states)?.get(`${resource.name}.${name}`))?.initial)) return false;
  const isNullable = [stated(field.shape.keywords.get('type'))].flat().includes('null');
  if (isNullable || stated(field.ifDeleted) === 'clear') return true;
  const isRequired = stated(resource.required)?.some((one) => one.name === name) === true;
  if (isRequired || field.create.kind !== 'open') return false;
  if (field.default.kind !== 'open') return stated(field.default) === null;
  const makings = makingsIn(of).get(resource.name) ?? [];
  // Of an item that nothing makes, nobody can tell what it holds.
  return makings.length > 0 && makings.some((given) => given !== null && !given.has(name));
}

/** What each change that makes an item gives it, by the resource of the item. */
const makingsIn = once((of: Of): ReadonlyMap<string, readonly Given[]> => {
  const makings = new Map<string, Given[]>();
  const add = (resource: string, given: Given): void => {
    const list = makings.get(resource) ?? [];
    makings.set(resource, list);
    list.push(given);
  };
  const addCreated = (may: readonly Permission[] | undefined): void => {
    for (const { verb, resource } of may ?? []) if (verb === 'create') add(resource, null);
  };
  const look = (change: Change | undefined, operation?: Operation): void => {
    if (change === undefined) return;
    const { verb, subject, qualifiers } = change;
    if (verb === 'handled') addCreated(stated(qualifiers.may));
    if (verb !== 'create' || !isAboutResource(change) || subject.name === null) return;
    const bound = [...(operation?.bindings ?? [])].flatMap(([, one]) =>
      one.kind === 'subject' ? [one.field] : [],
    );
    add(subject.name, givenBy(stated(qualifiers.with) ?? [], bound));
  };
  for (const operation of of.operations) {
    look(stated(operation.does), operation);
    for (const change of stated(operation.endpoint.also) ?? []) look(change);
  }
  for (const said of stated(of.states)?.values() ?? []) {
    const machine = stated(said);
    for (const move of stated(machine?.transitions)?.values() ?? [])
      for (const change of stated(stated(move)?.also) ?? []) look(change);
    for (const work of stated(machine?.work)?.values() ?? []) addCreated(stated(stated(work)?.may));
  }
  return makings;
});

function givenBy(entries: readonly PlacedTemplate[], bound: readonly string[]): Given {
  const names = new Set(bound);
  for (const { template } of entries) {
    if (template.kind === 'object') for (const name of template.members.keys()) names.add(name);
    else if (template.kind !== 'expression' || template.expression.text.trim() !== 'request.body')
      return null;
  }
  return names;
}

/** What is known where an operation goes on: the conditions of part 7 that would have refused it are not true. */
export function knownOf({ errors }: Of, operation: Operation): Known[] {
  return [...(stated(stated(errors)?.codes)?.values() ?? [])].flatMap((said) => {
    const row = stated(said);
    const isFor = stated(row?.operations)?.some(({ text }) => text === operation.name) === true;
    return isFor ? (stated(row?.when) ?? []).flatMap(({ expression }) => knownBy(expression, false)) : [];
  });
}

/** What follows from a condition that holds, or does not. */
export function knownBy(placed: PlacedTemplate | null | undefined, is: boolean): Known[] {
  const template = placed?.template;
  return template?.kind === 'expression' ? [{ syntax: template.expression.syntax, is }] : [];
}
