import { callsMade, type Expression, pathsRead } from '../expression/expression.ts';
import { functionsNotRun } from '../expression/functions.ts';
import { expressionsIn, type Template } from '../expression/template.ts';
import { find, type Address, steps } from './address.ts';
import type { Span } from '../source/text.ts';
import type { Node } from '../source/node.ts';
import { json } from '../source/node.ts';
import type { Answer } from './answer.ts';
import type { Operation } from './operation.ts';
import type { Resource } from './parts/resources.ts';
import type { Parameter } from './request.ts';
import { isSaid, type Said, stated } from './said.ts';
import type { Specification } from './specification.ts';

/** A statement that this version reads and does not run. An operation that it takes part in is held up. */
export interface NotRun {
  readonly address: Address;
  readonly at: Span;
}

const verbsRun = ['create', 'read', 'list', 'update', 'delete'];
const mediaRun = ['application/json', 'application/merge-patch+json'];
const fieldKeys = ['set.update', 'taken', 'shown', 'secret', 'unique', 'holds', 'refers', 'ifDeleted'];

type Of = Omit<Specification, 'operations'>;

/** The statements that take part in an operation and are not run by this version, each once. */
export function notRun(of: Of, operation: Operation): NotRun[] {
  const found = new Map<Address, NotRun>();
  const add = (address: Address, at: Span): void => void found.set(address, { address, at });
  const addIfSaid = (said: Said<unknown> | undefined): void => {
    if (said && said.kind !== 'open' && said.kind !== 'none') add(said.address, said.at);
  };
  const addAt = (address: Address): void => {
    const node = at(of, address);
    if (node) add(address, node.span);
  };
  wholeParts(of, operation, addIfSaid, addAt);
  const { endpoint, request } = operation;
  for (const said of [endpoint.also, endpoint.conditional, endpoint.idempotency]) addIfSaid(said);
  const change = stated(operation.does);
  if (change) {
    if (!verbsRun.includes(change.verb) || change.subject.kind === 'named')
      add(`${operation.address}.does`, change.at);
    addIfSaid(change.where);
    for (const said of change.qualifiers.values()) addIfSaid(said);
  }
  if (request) {
    for (const said of [request.under, request.nesting]) addIfSaid(said);
    if (request.media.kind === 'stated' && !request.media.value.every((media) => mediaRun.includes(media)))
      add(request.media.address, request.media.at);
    for (const parameters of [request.path, request.query, request.headers])
      for (const said of stated(parameters)?.values() ?? []) for (const role of rolesOf(said)) addIfSaid(role);
    for (const binding of operation.bindings.values())
      if (binding.kind === 'other') addAt(`${request.address}.path`);
  }
  if (operation.subject) for (const said of inResource(of, operation.subject)) add(said.address, said.at);
  for (const answer of stated(operation.response) ?? []) {
    addIfSaid(answer.under);
    for (const template of templatesOf(answer)) {
      for (const expression of expressionsIn(template)) {
        for (const one of inExpression(of, expression)) add(one.address, one.at);
        for (const call of callsMade(expression.syntax))
          if (functionsNotRun.includes(call)) add(answer.body.address, answer.body.at);
      }
    }
  }
  return [...found.values()];
}

/** Parts 3, 5, 6, 8 and 9, as far as they bear on the operation; and what part 7 says of it and is not run. */
function wholeParts(
  of: Of,
  operation: Operation,
  addIfSaid: (said: Said<unknown>) => void,
  addAt: (address: Address) => void,
): void {
  addIfSaid(of.authentication);
  addIfSaid(of.versioning);
  const name = operation.name;
  for (const [machine, said] of stated(of.states) ?? [])
    if (machine.split('.')[0] === operation.subject?.name) addIfSaid(said);
  const kinds = stated(of.events)?.kinds;
  if (kinds?.kind === 'stated')
    for (const said of kinds.value.values()) {
      const by = stated(said) && stated(stated(said)?.by as Said<readonly { text: string }[]>);
      if (!by || by.some((one) => one.text === name)) addIfSaid(said);
    }
  const limits = stated(of.limits);
  if (limits) {
    for (const [rate, said] of stated(limits.rates) ?? []) {
      const node = at(of, `limits.rates.${rate}.operations`);
      const operations = node ? json(node) : null;
      if (!Array.isArray(operations) || operations.includes(name)) addIfSaid(said);
    }
    for (const said of [limits.sizes, limits.times, limits.concurrency]) addIfSaid(said);
  }
  for (const [code, said] of stated(stated(of.errors)?.codes as Said<ReadonlyMap<string, Said<object>>>) ?? []) {
    const row = stated(said) as { operations?: Said<readonly { text: string }[]>; as?: Said<unknown>; under?: Said<unknown> };
    const operations = row?.operations && stated(row.operations);
    if (operations && !operations.some((one) => one.text === name)) continue;
    for (const key of ['as', 'under'] as const) if (row?.[key]) addIfSaid(row[key] as Said<unknown>);
    void code;
  }
  addAt('errors.payload.under');
}

function rolesOf(said: Said<Parameter>): Iterable<Said<unknown>> {
  return stated(said)?.roles.values() ?? [];
}

function inResource(of: Of, resource: Resource): NotRun[] {
  const found: NotRun[] = [];
  const addAt = (address: Address): void => {
    const node = at(of, address);
    if (node && !(node.kind === 'scalar' && /^\((none|open)\)/.test(String(node.value)))) found.push({ address, at: node.span });
  };
  for (const key of ['unique', 'invariants']) addAt(`${resource.address}.${key}`);
  for (const field of resource.fields.values()) {
    for (const key of fieldKeys) addAt(`${field.address}.${key}`);
    for (const said of [field.readable, field.writable])
      if (said.kind === 'stated' && typeof said.value !== 'boolean') found.push({ address: said.address, at: said.at });
    for (const said of [field.create, field.derived]) {
      const template = stated(said)?.template;
      const calls = template ? expressionsIn(template).flatMap((e) => callsMade(e.syntax)) : [];
      if (calls.some((call) => functionsNotRun.includes(call))) found.push({ address: said.address, at: said.at });
    }
  }
  return found;
}

/** Views, and sets of a resource's items, in an expression. */
function inExpression(of: Of, expression: Expression): NotRun[] {
  const resources = stated(of.resources);
  const names = [...callsMade(expression.syntax), ...pathsRead(expression.syntax).map((path) => path[0] as string)];
  return names.flatMap((name) => {
    const said = resources?.get(name);
    const found = said && stated(said);
    const isSet = found?.kind === 'resource' && pathsRead(expression.syntax).some((path) => path[0] === name);
    return said && isSaid(said) && (found?.kind === 'view' || isSet) ? [{ address: said.address, at: said.at }] : [];
  });
}

function templatesOf(answer: Answer): Template[] {
  const headers = stated(answer.headers)?.values() ?? [];
  return [answer.body, ...headers].flatMap((said) => (said.kind === 'stated' ? [said.value.template] : []));
}

function at(of: Of, address: Address): Node | undefined {
  return find(of.tree, steps(address) ?? []);
}

