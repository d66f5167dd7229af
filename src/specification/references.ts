import type { Span } from '../source/text.ts';
import { isAboutResource, verbs } from './change.ts';
import { checkCircles } from './circles.ts';
import { errorReferences } from './error-references.ts';
import {
  boundBy,
  checkEntry,
  checkField,
  entryNames,
  nameAt,
  resourceNames,
  transitionsOf,
} from './names.ts';
import { shownNames } from './nearest.ts';
import type { Operation } from './operation.ts';
import type { Resource } from './parts/resources.ts';
import type { Machine } from './parts/states.ts';
import { type Reading, unknownName } from './reading.ts';
import { stated } from './said.ts';
import type { Specification } from './specification.ts';
import { type Standing, Typing } from './typing.ts';

type Of = Specification;

/** What one part says of another: names that nobody has, expressions that do not fit, equal paths and rows. */
export function checkReferences(of: Of, reading: Reading): void {
  const typing = new Typing(of, reading);
  resourceReferences(of, typing, reading);
  for (const operation of of.operations) operationReferences(of, operation, typing, reading);
  twins(of, reading);
  errorReferences(of, typing, reading);
  otherParts(of, reading);
  checkCircles(of, reading);
}

function resourceReferences(of: Of, typing: Typing, reading: Reading): void {
  const uses = (found: readonly { readonly name: string; readonly at: Span }[]): void => {
    for (const { name, at } of found) checkEntry(of, name, at, 'a shape', reading);
  };
  for (const said of stated(of.resources)?.values() ?? []) {
    const entry = stated(said);
    if (entry?.kind === 'shape') uses(entry.shape.uses);
    if (entry?.kind === 'view' && entry.of.kind === 'stated')
      checkEntry(of, entry.of.value.text, entry.of.value.at, 'a resource', reading);
    if (entry?.kind !== 'resource') continue;
    const resource: Resource = entry;
    const { name } = resource;
    for (const one of stated(resource.identifier) ?? []) checkField(of, name, one.text, one.at, reading);
    for (const one of (stated(resource.unique) ?? []).flat()) checkField(of, name, one.text, one.at, reading);
    for (const use of stated(resource.required) ?? []) checkField(of, name, use.name, use.at, reading);
    for (const field of resource.fields.values()) {
      uses(field.shape.uses);
      typing.template(field.create, { situation: 'set', subject: resource, bound: [] });
      typing.template(field.derived, { situation: 'derived', subject: resource, bound: [] });
    }
  }
}

function operationReferences(of: Of, operation: Operation, typing: Typing, reading: Reading): void {
  const change = stated(operation.does);
  if (change && isAboutResource(change)) {
    const { name, at } = change.subject;
    const entry = stated(stated(of.resources)?.get(name));
    if (entry && entry.kind !== 'resource')
      unknownName(name, at, 'a resource that is kept', resourceNames(of), reading);
    else checkEntry(of, name, at, 'a resource', reading);
    verb(of, change.verb, name, change.at, reading);
  }
  path(of, operation, reading);
  const standing: Standing = {
    situation:
      change === undefined && operation.does.kind !== 'none'
        ? 'open answer'
        : change?.verb === 'list'
          ? 'list answer'
          : 'answer',
    subject: operation.subject,
    bound: boundBy(operation),
  };
  for (const answer of stated(operation.response) ?? []) {
    typing.template(answer.body, standing);
    for (const header of stated(answer.headers)?.values() ?? []) typing.template(header, standing);
    const when = stated(answer.when);
    if (when?.kind === 'expression') typing.truth(when.expression, standing);
  }
  const body = operation.request && stated(operation.request.body);
  for (const use of [...(body?.shape.uses ?? []), ...(body?.of ? [body.of] : [])])
    checkEntry(of, use.name, use.at, 'a shape', reading);
}

/** A verb, or a transition of the resource; one that part 3 may still name is silence, and no fault. */
function verb(of: Of, written: string, resource: string, at: Span, reading: Reading): void {
  const transitions = transitionsOf(of, resource);
  const known = [...verbs, ...transitions];
  if (known.includes(written)) return;
  const close = reading.suggest(written, known);
  if (of.completeness.closed('states') === undefined && transitions.length === 0 && !close) return;
  const hint = close ? `did you mean ${close}?` : `verbs are: ${shownNames(known)}`;
  reading.report('unknown-verb', at, { verb: written }, { hint });
}

/** The parameters of `request.path` are those of the path, and fields of what they are bound to. */
function path(of: Of, operation: Operation, reading: Reading): void {
  const names = operation.path.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  for (const [name, said] of stated(operation.request?.path) ?? []) {
    if (!names.includes(name))
      unknownName(name, nameAt(of, said), 'a parameter of this path', names, reading);
    const parameter = stated(said);
    if (!parameter?.binding) continue;
    const { resource, field } = parameter.binding;
    checkEntry(of, resource, parameter.at, 'a resource', reading);
    checkField(of, resource, field, parameter.at, reading);
  }
}

/** Names that stand twice: operations, and paths that no literal segment tells apart (language §4.1). */
function twins(of: Of, reading: Reading): void {
  const names = new Map<string, Span>();
  const paths = new Map<string, Operation>();
  for (const operation of of.operations) {
    const named = stated(operation.endpoint.operation);
    const first = names.get(operation.name);
    if (named && first)
      reading.report('operation-twice', named.at, { name: operation.name }, { related: [first] });
    names.set(operation.name, named?.at ?? operation.at);
    const form = operation.path.map((s) => ('literal' in s ? `=${s.literal}` : '*')).join('/');
    const twin = paths.get(`${operation.method} ${form}`);
    if (twin) reading.report('path-twice', operation.at, { key: operation.key }, { related: [twin.at] });
    paths.set(`${operation.method} ${form}`, operation);
  }
}

/** The states that a machine moves between are those that it lists (language §3.1). */
function states(machine: Machine, reading: Reading): void {
  const known = stated(machine.states)?.map((one) => one.text);
  if (known === undefined) return;
  const moves = [...(stated(machine.transitions)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const named = [
    ...moves.flatMap((move) => [...(stated(move.from) ?? []), ...[stated(move.to) ?? []].flat()]),
    ...(stated(machine.final) ?? []),
  ];
  for (const one of named)
    if (!known.includes(one.text)) unknownName(one.text, one.at, 'a state', known, reading);
  const initial = stated(machine.initial);
  if (initial?.template.kind !== 'literal') return;
  const first = String(initial.template.value);
  if (!known.includes(first)) unknownName(first, initial.node.span, 'a state', known, reading);
}

/** The names by which parts 3, 5 and 6 refer to resources and operations. */
function otherParts(of: Of, reading: Reading): void {
  const operations = of.operations.map((one) => one.name);
  for (const [name, said] of stated(of.states) ?? []) {
    checkEntry(of, name.split('.')[0] as string, nameAt(of, said), 'a resource', reading);
    const machine = stated(said);
    if (machine) states(machine, reading);
  }
  const rules = stated(stated(of.authentication)?.authorization);
  for (const [name, said] of rules ?? [])
    if (!operations.includes(name)) unknownName(name, nameAt(of, said), 'an operation', operations, reading);
  const emitters = [
    ...operations,
    ...entryNames(of).flatMap((name) => transitionsOf(of, name).map((transition) => `${name}.${transition}`)),
  ];
  for (const said of stated(stated(of.events)?.kinds)?.values() ?? [])
    for (const one of stated(stated(said)?.by) ?? [])
      if (!emitters.includes(one.text))
        unknownName(one.text, one.at, 'an operation or a transition', emitters, reading);
}
