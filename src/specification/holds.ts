import { callsMade, pathsRead } from '../expression/expression.ts';
import type { Span } from '../source/text.ts';
import { type Address, rest, step } from './address.ts';
import { admissionHolds } from './admission.ts';
import { bringsBody, type Change, isAboutResource, verbs } from './change.ts';
import { countsByActor } from './counted.ts';
import { isDenied } from './denied.ts';
import { schemesIssued } from './issuing.ts';
import { boundFields, type Operation, singlesOut } from './operation.ts';
import type { Field, Resource } from './parts/resources.ts';
import { isAsked, isSaid, type Said, stated } from './said.ts';
import type { Specification } from './specification.ts';
import { notRun } from './unrun.ts';
import { inAnswers, readsActor, workings } from './workings.ts';

/** Why an operation answers 501: a point that is open, or a statement that this version does not run. */
export interface Hold {
  readonly address: Address;
  readonly at: Span;
  readonly why: 'open' | 'not run';
  /** Set where a function of this name is asked for, which the operator does not give (language §I). */
  readonly handler?: string;
}

type Of = Omit<Specification, 'operations'>;

/** Verbs that single out no item by its parameters (language §H.2). */
const findsOtherwise = ['list', 'authenticate', 'handled', 'revoke'];

/**
 * The smallest set of points that, answered, would let an operation be carried out (language §F.5). Empty: it
 * can be. What only some requests need is not here but in `sometimesHeld`.
 */
export function holds(of: Of, operation: Operation): Hold[] {
  const found = new Map<Address, Hold>();
  const open = (address: Address, at: Span): void => void found.set(address, { address, at, why: 'open' });
  const needs = (said: Said<unknown>): void => {
    if (!isSaid(said)) open(said.address, said.at);
  };
  needs(operation.does);
  if (!isSaid(operation.response)) open(step(operation.response.address, 'status'), operation.response.at);
  for (const answer of stated(operation.response) ?? []) needs(answer.status);
  const change = stated(operation.does);
  const { subject } = operation;
  if (change && subject && change.subject.kind === 'one' && !findsOtherwise.includes(change.verb)) {
    const missing = identifierHolds(subject);
    for (const hold of missing) found.set(hold.address, hold);
    if (change.verb === 'create') {
      for (const initial of firstStates(of, subject)) needs(initial);
      for (const field of unmade(operation, subject)) open(madeAt(field), field.at);
      if (lacksBody(operation, subject)) open(step(step(operation.address, 'request'), 'body'), operation.at);
    } else if (missing.length === 0 && !isSaid(change.qualifiers.where) && !singlesOut(operation))
      open(step(step(operation.address, 'request'), 'path'), operation.at);
  }
  for (const hold of [change ?? [], stated(operation.endpoint.also) ?? []]
    .flat()
    .flatMap((one) => moveHolds(of, one)))
    found.set(hold.address, hold);
  for (const shown of viewsShown(of, operation)) needs(shown);
  const isActorRead = workings(operation).some(readsActor) || countsByActor(of, operation);
  if (!isSaid(of.authentication) && isActorRead) open('authentication', of.authentication.at);
  const authentication = stated(of.authentication);
  for (const name of schemesIssued(of, operation))
    for (const { address, at } of issuedOpen(of, name)) open(address, at);
  if (authentication)
    for (const { address, at } of admissionHolds(authentication, operation)) open(address, at);
  for (const one of notRun(of, operation))
    found.set(one.address, { ...one, why: one.handler === undefined ? 'not run' : 'open' });
  return [...found.values()];
}

/** What is open of the credentials that `issue()` makes (language §5.2). */
function issuedOpen({ authentication }: Of, name: string): readonly Said<unknown>[] {
  const part = stated(authentication);
  if (part === undefined) return isSaid(authentication) ? [] : [authentication];
  const said = stated(part.schemes)?.get(name);
  const scheme = stated(said);
  const credentials = scheme && stated(scheme.credentials);
  const needed: readonly Said<unknown>[] = [
    scheme === undefined ? (said ?? part.schemes) : scheme.credentials,
    ...(credentials?.kind === 'issued' ? [credentials.issued] : []),
  ];
  return needed.filter((one) => !isSaid(one));
}

/**
 * What a change lacks that is a transition (language §3.1): whence and whither it leads, or, where it is not
 * described, whether there is such a one.
 */
function moveHolds(of: Of, change: Change): Hold[] {
  if (!isAboutResource(change) || (verbs as readonly string[]).includes(change.verb)) return [];
  const machines = [...(stated(of.states) ?? [])].filter(
    ([name]) => name.split('.')[0] === change.subject.name,
  );
  const opened = (point: Address, at: Span): Hold => ({ address: point, at, why: 'open' });
  for (const [, said] of machines) {
    const machine = stated(said);
    const move = machine && stated(machine.transitions)?.get(change.verb);
    const transition = stated(move);
    if (transition)
      return ([transition.from, transition.to] as Said<unknown>[])
        .filter((one) => !isSaid(one))
        .map((one) => opened(one.address, one.at));
    if (move) return isSaid(move) ? [] : [opened(move.address, move.at)];
  }
  if (machines.length === 0)
    return [opened(of.states.kind === 'stated' ? rest('states') : 'states', change.at)];
  return machines.map(([, said]) => {
    const transitions = stated(said)?.transitions ?? said;
    return opened(transitions.kind === 'stated' ? rest(transitions.address) : transitions.address, change.at);
  });
}

/** Points that hold up those requests alone that touch them (principles, "When a point is open"). */
export function sometimesHeld(operation: Operation, of: Of): Hold[] {
  const { subject } = operation;
  const found = [
    ...othersHold(operation, of),
    ...idleParameters(of, operation).values(),
    ...referredHold(of, operation),
    ...versionHold(of),
    ...againHold(operation),
    ...workHold(of, operation),
  ];
  if (subject && stated(operation.does)?.verb === 'create')
    for (const field of clientGiven(operation, subject))
      if (!requires(subject, field.name)) found.push({ address: madeAt(field), at: field.at, why: 'open' });
  return found;
}

/** What becomes of the items that refer to one that is deleted: such a one waits for it (language §2). */
function referredHold(of: Of, { does, subject }: Operation): Hold[] {
  if (subject === null || stated(does)?.verb !== 'delete') return [];
  const fields = [...of.resourcesByName.values()].flatMap((resource) => [...resource.fields.values()]);
  return fields.flatMap(({ refers, ifDeleted, address }) => {
    const isTold = isSaid(ifDeleted) || isDenied(of, ifDeleted, address);
    return stated(refers)?.resource !== subject.name || isTold
      ? []
      : [{ address: ifDeleted.address, at: ifDeleted.at, why: 'open' }];
  });
}

/** The work of the states that an item may come to by the change (language §3.1), where no function is given for it. */
function workHold(of: Of, { does, subject }: Operation): Hold[] {
  if (subject === null || ['read', 'list', 'delete'].includes(stated(does)?.verb ?? 'read')) return [];
  return [...(stated(of.states) ?? [])].flatMap(([name, said]) => {
    const works = stated(stated(said)?.work);
    if (name.split('.')[0] !== subject.name) return [];
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
  const body = request && stated(request.body);
  const takesQuery = request?.query.kind === 'stated';
  if (!request || !(body || takesQuery)) return [];
  const named = body?.of && stated(stated(of.resources)?.get(body.of.name));
  const shown = named?.kind === 'shape' ? named.shape.object : named?.kind === 'resource' ? named : null;
  const own = body?.shape.object ?? shown ?? (body?.of?.name === subject?.name ? subject : null);
  const whole = stated(request.others);
  const needed: Said<unknown>[] = [];
  if (body && !(own && isSaid(own.others))) needed.push(whole ? whole.body : request.others);
  if (takesQuery) needed.push(whole ? whole.query : request.others);
  const open = new Map(needed.filter((said) => !isSaid(said)).map((said) => [said.address, said]));
  return [...open.values()].map(({ address, at }) => ({ address, at, why: 'open' }));
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
    if (asked) found.set(name, { address: asked.address, at: asked.at, why: 'open' });
    else if (!isUsed && of.completeness.closed(parameter.address) === undefined)
      found.set(name, { address: rest(parameter.address), at: parameter.at, why: 'open' });
  }
  return found;
}

/** What a new item's machines have to say: each its first state (language §3.1). */
function firstStates(of: Of, subject: Resource): Said<unknown>[] {
  return [...(stated(of.states) ?? [])].flatMap(([name, said]) => {
    if (name.split('.')[0] !== subject.name) return [];
    return [stated(said)?.initial ?? said];
  });
}

/** What the views that an answer uses show: one that says neither which fields nor which not shows none (language §2). */
function viewsShown(of: Of, operation: Operation): Said<unknown>[] {
  const called = inAnswers(operation).flatMap(({ syntax }) => callsMade(syntax));
  return called.flatMap((name) => {
    const view = stated(stated(of.resources)?.get(name));
    return view?.kind === 'view' && !isSaid(view.omits) ? [view.shows] : [];
  });
}

/** Whether the identifier, and each field that it names, is described. */
export function identifierHolds(resource: Resource): Hold[] {
  const names = stated(resource.identifier);
  if (names === undefined)
    return [{ address: resource.identifier.address, at: resource.identifier.at, why: 'open' }];
  return names.flatMap((name) =>
    resource.fields.has(name.text)
      ? []
      : [{ address: step(step(resource.address, 'fields'), name.text), at: name.at, why: 'open' as const }],
  );
}

/** The identifier's fields that nobody can give a value: not the client, not the path, not the service. */
function unmade(operation: Operation, resource: Resource): Field[] {
  return notMade(operation, resource).filter((field) => stated(field.writable) === false);
}

/** The identifier's fields that have the value that the client gives, and no other. */
function clientGiven(operation: Operation, resource: Resource): Field[] {
  return notMade(operation, resource).filter(
    (field) => stated(field.writable) !== false && !isSaid(field.default),
  );
}

/** The identifier's fields to which neither the path nor the service gives a value. */
function notMade(operation: Operation, resource: Resource): Field[] {
  const change = stated(operation.does);
  // What else `with` sets is not looked at here: this version does not run it.
  if (change && !bringsBody(change)) return [];
  const bound = boundFields(operation);
  return identifierFields(resource).filter((field) => !isSaid(field.create) && !bound.includes(field.name));
}

/** Whether a new item has to have a member that only a body could give, and that there is one is open. */
function lacksBody(operation: Operation, resource: Resource): boolean {
  const change = stated(operation.does);
  const body = operation.request?.body;
  if ((change && !bringsBody(change)) || (body && isSaid(body))) return false;
  const bound = boundFields(operation);
  return (stated(resource.required) ?? []).some(({ name }) => {
    const field = resource.fields.get(name);
    return !bound.includes(name) && !(field && (isSaid(field.create) || isSaid(field.default)));
  });
}

function madeAt(field: Field): Address {
  return step(step(field.address, 'set'), 'create');
}

function requires(resource: Resource, name: string): boolean {
  return (stated(resource.required) ?? []).some((use) => use.name === name);
}

export function identifierFields(resource: Resource): Field[] {
  return (stated(resource.identifier) ?? []).flatMap((name) => resource.fields.get(name.text) ?? []);
}
