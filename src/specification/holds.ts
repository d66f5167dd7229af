import { type Expression, pathsRead } from '../expression/expression.ts';
import { expressionsIn, type Template } from '../expression/template.ts';
import type { Span } from '../source/text.ts';
import { type Address, step } from './address.ts';
import { type Operation, singlesOut } from './operation.ts';
import type { Resource } from './parts/resources.ts';
import { isSaid, type Said, stated } from './said.ts';
import type { Specification } from './specification.ts';
import { notRun } from './unrun.ts';

/** Why an operation answers 501: a point that is open, or a statement that this version does not run. */
export interface Hold {
  readonly address: Address;
  readonly at: Span;
  readonly why: 'open' | 'not run';
}

type Of = Omit<Specification, 'operations'>;

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
  if (change && subject && change.subject.kind === 'one') {
    const makes = change.verb === 'create';
    const missing = makes || change.verb !== 'list' ? identifierHolds(subject) : [];
    for (const hold of missing) found.set(hold.address, hold);
    if (makes) for (const hold of makerHolds(subject)) found.set(hold.address, hold);
    const bare = missing.length === 0 && !makes && change.verb !== 'list' && !isSaid(change.where);
    if (bare && !singlesOut(operation)) open(step(step(operation.address, 'request'), 'path'), operation.at);
  }
  if (!isSaid(of.authentication) && expressionsOf(operation).some(readsActor))
    open('authentication', of.authentication.at);
  for (const { address, at } of notRun(of, operation)) found.set(address, { address, at, why: 'not run' });
  return [...found.values()];
}

/** Points that hold up those requests alone that touch them (principles, "When a point is open"). */
export function sometimesHeld(operation: Operation): Hold[] {
  const found: Hold[] = [];
  const { request, subject } = operation;
  if (request) {
    const others = stated(request.others);
    const takes = isSaid(request.body) || isSaid(request.query);
    if (takes && !isSaid(request.others)) {
      const own = subject && isSaid(subject.others) && !isSaid(request.query);
      if (!own) found.push({ address: request.others.address, at: request.others.at, why: 'open' });
    } else if (others)
      for (const said of [others.body, others.query])
        if (!isSaid(said)) found.push({ address: said.address, at: said.at, why: 'open' });
  }
  if (subject && stated(operation.does)?.verb === 'create')
    for (const field of clientGiven(subject)) {
      const set = step(step(field.address, 'set'), 'create');
      if (!requires(subject, field.name)) found.push({ address: set, at: field.at, why: 'open' });
    }
  return found;
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

/** The identifier's fields that nobody can give a value: not the client, not the service. */
function makerHolds(resource: Resource): Hold[] {
  return identifierFields(resource).flatMap((field) => {
    if (isSaid(field.create) || stated(field.writable) !== false) return [];
    return [{ address: step(step(field.address, 'set'), 'create'), at: field.at, why: 'open' as const }];
  });
}

function clientGiven(resource: Resource) {
  return identifierFields(resource).filter(
    (field) => !isSaid(field.create) && !isSaid(field.default) && stated(field.writable) !== false,
  );
}

function requires(resource: Resource, name: string): boolean {
  return (stated(resource.required) ?? []).some((use) => use.name === name);
}

export function identifierFields(resource: Resource) {
  return (stated(resource.identifier) ?? []).flatMap((name) => {
    const field = resource.fields.get(name.text);
    return field ? [field] : [];
  });
}

function expressionsOf(operation: Operation): Expression[] {
  const templates: Template[] = [];
  for (const answer of stated(operation.response) ?? []) {
    for (const said of [answer.body, ...(stated(answer.headers)?.values() ?? [])])
      if (said.kind === 'stated') templates.push(said.value.template);
    const when = stated(answer.when);
    if (when?.kind === 'expression') templates.push(when.expression.template);
  }
  for (const field of operation.subject?.fields.values() ?? [])
    for (const said of [field.create, field.derived]) if (said.kind === 'stated') templates.push(said.value.template);
  return templates.flatMap(expressionsIn);
}

function readsActor(expression: Expression): boolean {
  return pathsRead(expression.syntax).some((path) => path[0] === 'actor');
}
