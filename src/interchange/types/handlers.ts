import { changesOf } from '../../specification/model/changes.ts';
import { handlersIn } from '../../specification/model/handlers.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Change, Permission } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Items } from '../schemas/items.ts';
import { type Member, type Named, typeOfMembers, typeOfSchema, union } from './schema.ts';

/** The functions that the operator gives, by name; one that has several uses is one function (language §I). */
export function handlerTypes(of: Specification, items: Items, named: Named): (readonly [string, string])[] {
  const keyType = (resource: Resource): string => typeOfSchema(items.key(resource), named);
  const found = new Map<string, Set<string>>();
  const add = (name: string, type: string): void => {
    found.set(name, (found.get(name) ?? new Set()).add(type));
  };
  /** An item is given with its identifier, or by its key alone. */
  const given = (name: string): string => {
    const resource = of.resourcesByName.get(name);
    return resource ? union([keptType(resource), keyType(resource)]) : named(name);
  };
  const handled = (change: Change, request: string): void => {
    if (change.verb !== 'handled' || change.subject.name === null) return;
    const { gives, may } = change.qualifiers;
    const shape = stated(gives);
    const result = shape ? typeOfSchema(schemaOf(shape), given) : 'unknown';
    add(change.subject.name, `Handler<${request}, ${typeOfMay(of, may, keyType)}, ${result}>`);
  };
  for (const operation of of.operations)
    for (const change of changesOf(operation))
      handled(change, `Operations[${JSON.stringify(operation.name)}]["request"]`);
  for (const [name, said] of stated(of.states) ?? []) {
    const machine = stated(said);
    for (const move of (machine && stated(machine.transitions)?.values()) ?? [])
      for (const change of stated(stated(move)?.also) ?? []) handled(change, 'unknown');
    for (const one of (machine && stated(machine.work)?.values()) ?? []) {
      const work = stated(one);
      const handler = work && stated(work.handled);
      const resource = of.resourcesByName.get(name.split('.')[0] ?? '');
      if (handler) add(handler.text, `Work<${keptType(resource)}, ${typeOfMay(of, work.may, keyType)}>`);
    }
  }
  for (const { name, kind } of handlersIn(of)) if (kind === 'expression') add(name, 'Worked');
  return [...found].map(([name, types]) => [name, [...types].join(' & ')] as const);
}

/** What a handler may do: by verb and resource, as `may` names it; nothing else is there. */
function typeOfMay(
  of: Specification,
  may: Said<readonly Permission[]>,
  keyType: (resource: Resource) => string,
): string {
  const verbs = new Map<string, Member[]>();
  for (const { verb, resource: name } of stated(may) ?? []) {
    const resource = of.resourcesByName.get(name);
    const member = {
      name,
      type: resource ? change(verb, resource, keyType(resource)) : 'unknown',
      isOptional: false,
    };
    verbs.set(verb, [...(verbs.get(verb) ?? []), member]);
  }
  return typeOfMembers(
    [...verbs].map(([name, members]) => ({ name, type: typeOfMembers(members, false), isOptional: false })),
    false,
  );
}

function change(verb: string, resource: Resource, keyType: string): string {
  const kept = keptType(resource);
  const key = `key: ${keyType}`;
  switch (verb) {
    case 'list':
      return `() => AsyncIterable<${kept}>`;
    case 'read':
      return `(${key}) => Promise<${union([kept, 'null'])}>`;
    case 'create':
      return `(members: Partial<${kept}>) => void`;
    case 'delete':
      return `(${key}) => void`;
    case 'update':
    case 'replace':
      return `(${key}, members: Partial<${kept}>) => void`;
    default:
      return `(${key}, members?: Partial<${kept}>) => void`;
  }
}

function keptType(resource: Resource | undefined): string {
  return resource ? `Kept[${JSON.stringify(resource.name)}]` : 'unknown';
}
