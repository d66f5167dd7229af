import { path, pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { bodyOf } from '../body.ts';
import type { Members } from '../item.ts';
import type { Persona } from './persona.ts';
import { type Carried, carry, nothing, together } from './presenting.ts';
import { placesOf, shownIn } from './showing.ts';

/** The schemes of part 5, by name. */
export const schemesOf = once(({ authentication }: Specification): ReadonlyMap<string, Scheme> => {
  const found = [...(stated(stated(authentication)?.schemes) ?? [])].flatMap(([name, said]) => {
    const scheme = stated(said);
    return scheme ? [[name, scheme] as const] : [];
  });
  return new Map(found);
});

/** The schemes by any of which, all together, an operation may be asked for (language §5.5). */
export const alternativesOf = once(
  (of: Specification, operation: Operation): readonly (readonly string[])[] => {
    const part = stated(of.authentication);
    const wanted = part && stated(stated(ruleOf(part, operation))?.schemes);
    return (
      wanted?.map((all) => all.map(({ text }) => text)) ?? [...schemesOf(of).keys()].map((name) => [name])
    );
  },
);

/** Whether some operation wants the credential of a scheme together with that of another. */
export const isWantedWithOthers = once((of: Specification, scheme: string): boolean => {
  return of.operations.some((one) =>
    alternativesOf(of, one).some((all) => all.length > 1 && all.includes(scheme)),
  );
});

/** Whether an operation lets in whoever asks, whatever else is so. */
export const isFree = once((of: Specification, operation: Operation): boolean => {
  const part = stated(of.authentication);
  const rule = part && stated(ruleOf(part, operation));
  const isAnyone = (stated(rule?.rule) ?? []).some(({ kind }) => kind === 'anyone');
  return of.authentication.kind === 'none' || (isAnyone && stated(rule?.items) === undefined);
});

/** The schemes by which somebody asks for an operation; undefined: their credentials are not those that it wants. */
function chosen(of: Specification, operation: Operation, persona: Persona): readonly string[] | undefined {
  return alternativesOf(of, operation).find((all) => all.every((name) => persona.credentials.has(name)));
}

/** Whether it is an item who asks: credentials from outside tell of nobody whom the tester made. */
export function asksAsItem(of: Specification, operation: Operation | null, persona: Persona): boolean {
  const schemes = operation ? chosen(of, operation, persona) : undefined;
  if (schemes === undefined) return operation === null || mayHold(of, operation, persona);
  return schemes.some((name) => !of.credentials?.has(name));
}

/** Whether somebody may come by what an operation wants: it is kept in items such as this, or issued for them. */
function mayHold(of: Specification, operation: Operation, { item }: Persona): boolean {
  if (item === null) return false;
  return alternativesOf(of, operation).some((all) =>
    all.every((name) => {
      const scheme = schemesOf(of).get(name);
      const credentials = scheme && stated(scheme.credentials);
      if (credentials?.kind === 'kept')
        return (stated(credentials.kept) ?? []).every(({ resource }) => resource === item.resource.name);
      const actor = scheme && stated(scheme.actor);
      const isOthers = actor?.kind === 'resource' && actor.resource.text !== item.resource.name;
      return credentials === undefined || (credentials.kind === 'issued' && !isOthers);
    }),
  );
}

/**
 * The name of part 1 that somebody is told by whose credentials are from outside; null where they are none that the
 * operation wants, undefined where more than a name tells who it is.
 */
export function kindOf(
  of: Specification,
  operation: Operation | null,
  persona: Persona,
): string | null | undefined {
  const all = operation ? chosen(of, operation, persona) : [...persona.credentials.keys()];
  if (all === undefined) return operation && mayHold(of, operation, persona) ? undefined : null;
  const actors = all.flatMap((name) => stated(schemesOf(of).get(name)?.actor) ?? []);
  const [actor] = actors;
  return actors.length === 1 && actor?.kind === 'actor' ? actor.actor.text : undefined;
}

/** What a request to an operation carries for somebody. */
export function carriedBy(of: Specification, operation: Operation, persona: Persona | null): Carried {
  const { authentication } = of;
  if (persona === null || authentication.kind !== 'stated') return nothing;
  const all = chosen(of, operation, persona);
  const schemes = schemesOf(of);
  const carried = (all ?? []).map((name) =>
    carry(schemes.get(name) as Scheme, persona.credentials.get(name) as string),
  );
  return together(carried.flatMap((one) => one ?? []));
}

/** The resources whose items hold credentials, with the operations by which the tester may make one. */
export const entrances = once(
  (of: Specification): readonly { readonly resource: Resource; readonly operation: Operation }[] => {
    const names = [...schemesOf(of).values()].flatMap(({ credentials, actor }) => {
      const held = stated(credentials);
      const known = stated(actor);
      const kept = held?.kind === 'kept' ? stated(held.kept)?.[0]?.resource : undefined;
      return kept ?? (known?.kind === 'resource' ? known.resource.text : []);
    });
    return of.operations.flatMap((operation) => {
      const { subject } = operation;
      const isOne = subject !== null && names.includes(subject.name) && verbOf(operation) === 'create';
      return isOne && mayEnter(of, operation) ? [{ resource: subject, operation }] : [];
    });
  },
);

/** Whether an operation may let in somebody whom the tester has not made: nobody, or who has a credential from outside. */
function mayEnter(of: Specification, operation: Operation): boolean {
  if (isFree(of, operation)) return true;
  const part = stated(of.authentication);
  const grants = part ? (stated(stated(ruleOf(part, operation))?.rule) ?? []) : [];
  return grants.some(({ kind }) => kind === 'expression' || (of.credentials?.size ?? 0) > 0);
}

/** The operations by which anyone of a resource logs in. */
export const logIns = once((of: Specification, resource: Resource): readonly Operation[] => {
  return of.operations.filter(
    (one) => verbOf(one) === 'authenticate' && one.subject === resource && isFree(of, one),
  );
});

export const verbOf = ({ does }: Operation): string | undefined => stated(does)?.verb;

/** The schemes of which the tester can come by credentials, as far as the document tells. */
export const obtainable = once((of: Specification): ReadonlySet<string> => {
  const found = new Set(of.credentials);
  for (const { resource, operation } of entrances(of))
    for (const [name, scheme] of schemesOf(of)) {
      const asked = [operation, ...logIns(of, resource)];
      const credentials = stated(scheme.credentials);
      if (
        credentials?.kind === 'issued' &&
        asked.some((one) => placesOf(of, one, { scheme: name }).length > 0)
      )
        found.add(name);
      if (credentials?.kind === 'kept') {
        const fields = stated(credentials.kept) ?? [];
        const body = bodyOf(of, operation);
        const isKnown = ({ field }: { readonly field: string }): boolean =>
          body?.fields.has(field) === true || placesOf(of, operation, { field }).length > 0;
        if (fields.length > 0 && fields[0]?.resource === resource.name && fields.every(isKnown))
          found.add(name);
      }
    }
  return found;
});

/** Whether an operation is about the one who asks, whoever that is: no parameter says which item. */
export const isAboutSelf = once((of: Specification, { subject, bindings, does }: Operation): boolean => {
  const change = stated(does);
  if (subject === null || change?.subject.kind !== 'one' || change.verb === 'create') return false;
  if ([...bindings.values()].some(({ kind }) => kind === 'subject')) return false;
  if (entrances(of).every(({ resource }) => resource !== subject)) return false;
  const where = stated(change.qualifiers.where);
  return (where ? expressionsIn(where.template) : []).some(({ syntax }) =>
    pathsRead(syntax).some(([root]) => root === 'actor'),
  );
});

/** Adds the credentials that an answer tells, to what is known. */
export function learn(
  of: Specification,
  credentials: Map<string, string>,
  from: Operation,
  json: Json | undefined,
  given: Members,
): void {
  for (const [name, scheme] of schemesOf(of)) {
    if (credentials.has(name)) continue;
    const found = credentialIn(of, from, name, scheme, json, given);
    if (found !== undefined) credentials.set(name, found);
  }
}

function credentialIn(
  of: Specification,
  operation: Operation,
  name: string,
  scheme: Scheme,
  json: Json | undefined,
  given: Members,
): string | undefined {
  const credentials = stated(scheme.credentials);
  if (credentials?.kind === 'issued') return shownIn(of, operation, { scheme: name }, json);
  if (credentials?.kind !== 'kept') return undefined;
  const values = (stated(credentials.kept) ?? []).map(({ field }) => {
    const value = given[field] ?? shownIn(of, operation, { field }, json);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  });
  const [first, second = ''] = values;
  if (first === undefined || values.includes(undefined)) return undefined;
  const isBasic = stated(scheme.scheme)?.toLowerCase() === 'basic';
  return isBasic ? Buffer.from(`${first}:${second}`).toString('base64') : first;
}

/** The body by which somebody with these members logs in; null where it cannot be told. */
export function proofFor(operation: Operation, given: Members): Members | null {
  const places = proving(operation);
  const body = [...(places ?? [])].flatMap(([field, member]): [string, Json][] => {
    const value = given[field];
    return value === undefined ? [] : [[member, value]];
  });
  return places !== null && body.length === places.size ? Object.fromEntries(body) : null;
}

/** By field, the member of the body that has to match it; null where something else has to. */
export function proving({ does }: Operation): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  for (const [field, said] of stated(stated(does)?.qualifiers.by) ?? []) {
    const placed = stated(said);
    const [expression] = placed ? expressionsIn(placed.template) : [];
    const [root, part, member, further] = (expression && path(expression.syntax)) ?? [];
    if (root !== 'request' || part !== 'body' || member === undefined || further !== undefined) return null;
    found.set(field, member);
  }
  return found;
}
