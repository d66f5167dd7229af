import { pathsRead } from '../../expression/expression.ts';
import { once } from '../../source/once.ts';
import { isDenied } from '../model/denied.ts';
import { machinesStated } from '../model/machine.ts';
import type { Operation } from '../model/operation.ts';
import { workings } from '../model/workings.ts';
import { rest } from '../reading/address.ts';
import { isAsked, isSaid, type Said, stated } from '../reading/said.ts';
import type { PlacedTemplate } from '../reading/templates.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';
import { type Request, requestByMedia } from '../vocabulary/request.ts';
import { type Hold, madeAt, notMade, type Of } from './holds.ts';

/** Points that hold up those requests alone that touch them (principles, "When a point is open"). */
export const sometimesHeld = once((operation: Operation, of: Of): readonly Hold[] => {
  const { subject } = operation;
  const found = [
    ...othersHold(operation, of),
    ...idleParameters(of, operation).values(),
    ...referredHold(of, operation),
    ...versionHold(of),
    ...againHold(operation),
    ...workHold(of, operation),
    ...answersHold(operation),
  ];
  if (subject && stated(operation.does)?.verb === 'create')
    for (const field of clientGiven(operation, subject))
      if (!requires(subject, field.name)) found.push({ address: madeAt(field), at: field.at, why: 'open' });
  return found;
});

/** The fields that refer to items, by the resource of these. */
const referring = once(({ resourcesByName }: Of) =>
  Map.groupBy(
    [...resourcesByName.values()].flatMap(({ fields }) => [...fields.values()]),
    ({ refers }) => stated(refers)?.resource,
  ),
);

/** What becomes of the items that refer to one that is deleted: such a one waits for it (language §2). */
function referredHold(of: Of, { does, subject }: Operation): Hold[] {
  if (subject === null || stated(does)?.verb !== 'delete') return [];
  return (referring(of).get(subject.name) ?? []).flatMap(({ ifDeleted, address }) => {
    const isTold = isSaid(ifDeleted) || isDenied(of, ifDeleted, address);
    return isTold ? [] : [{ address: ifDeleted.address, at: ifDeleted.at, why: 'open' }];
  });
}

/** When an answer is sent, where that is asked (language §H.3). */
function answersHold({ response }: Operation): Hold[] {
  return (stated(response) ?? []).flatMap(({ when }) =>
    isAsked(when) ? [{ address: when.address, at: when.at, why: 'open' }] : [],
  );
}

/** The work of the states that an item may come to by the change (language §3.1), where no function is given for it. */
function workHold(of: Of, { does, subject }: Operation): Hold[] {
  if (subject === null || ['read', 'list', 'delete'].includes(stated(does)?.verb ?? 'read')) return [];
  return machinesStated(of, subject.name).flatMap(([, said]) => {
    const works = stated(stated(said)?.work);
    return [...(works ?? [])].flatMap(([, one]): Hold[] => {
      const handled = stated(one)?.handled ?? one;
      if (handled.kind === 'none') return [];
      const handler = stated(stated(one)?.handled)?.text;
      if (handler !== undefined && of.handlers?.has(handler)) return [];
      const { address, at } = one;
      return [{ address, at, why: 'open', ...(handler !== undefined && { handler }) }];
    });
  });
}

/** What it takes to hold a request against its preconditions, and to know a repeat by its key (language §4.3, §4.4). */
function againHold({ endpoint }: Operation): Hold[] {
  const needed: Said<unknown>[] = [];
  const [conditional, idempotency] = [stated(endpoint.conditional), stated(endpoint.idempotency)];
  const isAsked = (...said: readonly Said<unknown>[]): boolean =>
    said.some(({ kind }) => kind === 'stated' || kind === 'any');
  if (conditional) {
    const { etag, ifMatch, ifNoneMatch, lastModified, ifModifiedSince, ifUnmodifiedSince } = conditional;
    if (isAsked(ifMatch, ifNoneMatch)) needed.push(etag);
    if (isAsked(ifModifiedSince, ifUnmodifiedSince)) needed.push(lastModified);
  }
  if (idempotency && isAsked(idempotency.header)) needed.push(idempotency.life, idempotency.per);
  return needed.flatMap((said) =>
    isSaid(said) ? [] : [{ address: said.address, at: said.at, why: 'open' }],
  );
}

/** Which version a request is of that names none (language §9.1). */
function versionHold(of: Of): Hold[] {
  const versioning = stated(of.versioning);
  if (versioning === undefined || stated(versioning.place) === undefined || isSaid(versioning.default))
    return [];
  return [{ address: versioning.default.address, at: versioning.default.at, why: 'open' }];
}

/** What becomes of members and parameters that nobody stated; the nearest `others` wins (language §4.2). */
function othersHold({ request, subject }: Operation, of: Of): Hold[] {
  const needed = (request ? requestByMedia(request) : []).flatMap((one) => othersNeeded(one, subject, of));
  const open = new Map(needed.filter((said) => !isSaid(said)).map((said) => [said.address, said]));
  return [...open.values()].map(({ address, at }) => ({ address, at, why: 'open' }));
}

function othersNeeded(request: Request, subject: Operation['subject'], of: Of): Said<unknown>[] {
  const body = stated(request.body);
  const takesQuery = request.query.kind === 'stated';
  const named = body?.of && stated(stated(of.resources)?.get(body.of.name));
  const shown = named?.kind === 'shape' ? named.shape.object : named?.kind === 'resource' ? named : null;
  const own = body?.shape.object ?? shown ?? (body?.of?.name === subject?.name ? subject : null);
  const whole = stated(request.others);
  const needed: Said<unknown>[] = [];
  if (body && !(own && isSaid(own.others))) needed.push(whole ? whole.body : request.others);
  if (takesQuery) needed.push(whole ? whole.query : request.others);
  return needed;
}

/**
 * The query parameters of a list of which it is open what they do, by name, with the point that says it: the role
 * that is asked for; or, where a parameter is no filter, no sort, no page and no item's field, and stands in no expression, its own
 * rest, while that is open (principles, "what a list's parameter does").
 */
export function idleParameters(of: Of, operation: Operation): ReadonlyMap<string, Hold> {
  const found = new Map<string, Hold>();
  if (stated(operation.does)?.verb !== 'list') return found;
  const read = workings(operation).flatMap(({ syntax }) => pathsRead(syntax));
  for (const [name, said] of stated(operation.request?.query) ?? []) {
    const parameter = stated(said);
    if (!parameter) continue;
    const roles = [parameter.roles.filter, parameter.roles.sort, parameter.roles.page];
    const asked = roles.find(isAsked);
    const isUsed =
      parameter.binding !== null ||
      roles.some((role) => role.kind === 'stated') ||
      read.some(
        ([root, part, member]) => root === 'request' && part === 'query' && (member ?? name) === name,
      );
    const { filter } = parameter.roles;
    const handler = handlerNotGiven(of, filter);
    if (asked) found.set(name, { address: asked.address, at: asked.at, why: 'open' });
    else if (handler !== undefined && !isSaid(parameter.default))
      found.set(name, { address: filter.address, at: filter.at, why: 'open', handler });
    else if (!isUsed && of.completeness.closed(parameter.address) === undefined)
      found.set(name, { address: rest(parameter.address), at: parameter.at, why: 'open' });
  }
  return found;
}

/** The function that is to say what a filter shows, where the operator gives none (language §I). */
function handlerNotGiven({ handlers }: Of, filter: Said<PlacedTemplate>): string | undefined {
  const template = stated(filter)?.template;
  return template?.kind === 'handled' && handlers?.has(template.name) !== true ? template.name : undefined;
}

/** The identifier's fields that have the value that the client gives, and no other. */
function clientGiven(operation: Operation, resource: Resource): Field[] {
  return notMade(operation, resource).filter(
    (field) => stated(field.writable) !== false && !isSaid(field.default),
  );
}

function requires(resource: Resource, name: string): boolean {
  return (stated(resource.required) ?? []).some((use) => use.name === name);
}
