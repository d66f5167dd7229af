import { callsMade, type Expression, pathsRead } from '../../expression/expression.ts';
import { once } from '../../source/once.ts';
import type { Span } from '../../source/text.ts';
import { countsByActor } from '../model/counted.ts';
import { schemesIssued } from '../model/issuing.ts';
import { machinesStated, transitionsIn } from '../model/machine.ts';
import { boundFields, type Operation, singlesOut } from '../model/operation.ts';
import { operationRun } from '../model/run.ts';
import type { Specification } from '../model/specification.ts';
import { inAnswers, inChange, readsActor, workings } from '../model/workings.ts';
import { type Address, rest, step } from '../reading/address.ts';
import type { Point } from '../reading/reading.ts';
import { isAsked, isSaid, type Said, stated } from '../reading/said.ts';
import { bringsBody, type Change, findsNoItem, isAboutResource, verbs } from '../vocabulary/change.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';
import { admissionHolds } from './admission.ts';
import { notRun } from './unrun.ts';

/** Why an operation answers 501: a point that is open, or a statement that this version does not run. */
export interface Hold {
  readonly address: Address;
  readonly at: Span;
  readonly why: 'open' | 'not run';
  /** Set where a function of this name is asked for, which the operator does not give (language §I). */
  readonly handler?: string;
}

export type Of = Specification;

/** Verbs that single out no item by its parameters (language §H.2). */
const findsOtherwise = findsNoItem.filter((verb) => verb !== 'create');

/**
 * The smallest set of points that, answered, would let an operation be carried out (language §F.5). Empty: it
 * can be. What only some requests need is not here but in `sometimes-held.ts`.
 */
export const holds = once((of: Of, operation: Operation): readonly Hold[] => {
  const found = new Map<Address, Hold>();
  const open = (address: Address, at: Span): void => void found.set(address, { address, at, why: 'open' });
  const needs = (said: Said<unknown>): void => {
    if (!isSaid(said)) open(said.address, said.at);
  };
  const { does } = operation;
  // Where it is open what the verb is about, what is done is not, and it is that point which is asked (language §B).
  const about = does.kind === 'open' ? askedAbout(of, does.address) : undefined;
  if (about) open(about.address, about.at);
  else needs(does);
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
    } else if (missing.length === 0 && !isSaid(change.qualifiers.where) && !singlesOut(operation)) {
      // Where every parameter is bound, no more can be said of the path.
      const { where } = change.qualifiers;
      const isBound = [...operation.bindings.values()].every(({ kind }) => kind !== 'text');
      const asked = [...operation.bindings.values()].flatMap(({ parameter }) =>
        parameter?.is.kind === 'open' && isAsked(parameter.is) ? parameter.is : [],
      );
      if (asked.length > 0) for (const { address, at } of asked) open(address, at);
      else if (isBound || isAsked(where)) open(where.address, where.at);
      else open(step(step(operation.address, 'request'), 'path'), operation.at);
    }
  }
  const body = operation.request?.body;
  if (!(body && isSaid(body)) && inChange(operation).some(readsMemberOfBody))
    open(step(step(operation.address, 'request'), 'body'), body?.at ?? operation.at);
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
  if (change?.verb === 'run') for (const one of runHolds(of, operation, change)) found.set(one.address, one);
  return [...found.values()];
});

const open = new WeakMap<Operation, readonly Address[]>();

/** Those of them that are open: while one is, the operation is not carried out (language §F.5). */
export function openHolds(of: Of, operation: Operation): readonly Address[] {
  const found =
    open.get(operation) ??
    holds(of, operation)
      .filter(({ why, handler }) => why === 'open' && handler === undefined)
      .map(({ address }) => address);
  open.set(operation, found);
  return found;
}

/** The point of a verb that stands there, and is about what is open: `create: (open) which?`. */
function askedAbout({ points, states }: Of, does: Address): Point | undefined {
  const machines = [...(stated(states)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const moves = machines.flatMap((machine) => [...transitionsIn(machine).keys()]);
  return [...verbs, ...moves]
    .map((verb) => points.get(step(does, verb)))
    .find((point) => point?.state === 'open');
}

/** A body is looked at only where it is stated; what is set from a member of it waits for that (language §4.1). */
function readsMemberOfBody({ syntax }: Expression): boolean {
  return pathsRead(syntax).some(
    ([root, part, ...more]) => root === 'request' && part === 'body' && more.length > 0,
  );
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
    ...(credentials?.kind === 'issued' && stated(credentials.issued) === 'jwt'
      ? [credentials.algorithm]
      : []),
  ];
  return needed.filter((one) => !isSaid(one));
}

/** What a `run` lacks, and what holds up the operation that it sends requests to (language §H.2). */
function runHolds(of: Of, operation: Operation, { qualifiers }: Change): Hold[] {
  const own = [qualifiers.for, qualifiers.request].filter((said: Said<unknown>) => !isSaid(said));
  const inner = operationRun(of, operation);
  // A `run` of a `run` is an error of the document.
  const others = inner && stated(inner.does)?.verb !== 'run' ? holds(of, inner) : [];
  return [...own.map(({ address, at }): Hold => ({ address, at, why: 'open' })), ...others];
}

/**
 * What a change lacks that is a transition (language §3.1): whence and whither it leads, or, where it is not
 * described, whether there is such a one.
 */
function moveHolds(of: Of, change: Change): Hold[] {
  if (!isAboutResource(change) || (verbs as readonly string[]).includes(change.verb)) return [];
  const machines = machinesStated(of, change.subject.name);
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

/** What a new item's machines have to say: each its first state (language §3.1). */
function firstStates(of: Of, subject: Resource): Said<unknown>[] {
  return machinesStated(of, subject.name).map(([, said]) => stated(said)?.initial ?? said);
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

/** The identifier's fields to which neither the path nor the service gives a value. */
export function notMade(operation: Operation, resource: Resource): Field[] {
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

export function madeAt(field: Field): Address {
  return step(step(field.address, 'set'), 'create');
}

export function identifierFields(resource: Resource): Field[] {
  return (stated(resource.identifier) ?? []).flatMap((name) => resource.fields.get(name.text) ?? []);
}
