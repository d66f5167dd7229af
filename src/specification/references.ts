import { typeOf } from '../expression/check.ts';
import type { Template } from '../expression/template.ts';
import type { Node } from '../source/node.ts';
import type { Span } from '../source/text.ts';
import { nearestVerb, verbs } from './change.ts';
import { nearest } from './nearest.ts';
import type { Operation } from './operation.ts';
import type { Errors, Row } from './parts/errors.ts';
import type { Resource, Resources } from './parts/resources.ts';
import { type Reading, within } from './reading.ts';
import { type Said, stated } from './said.ts';
import { type Bound, scopeFor, scopeModel, type Situation } from './scope.ts';
import type { Use } from './shape.ts';
import type { Specification } from './specification.ts';
import type { PlacedTemplate } from './templates.ts';

type Of = Specification;

/** What one part says of another: names that nobody has, expressions that do not fit, equal paths and rows. */
export function checkReferences(of: Of, reading: Reading): void {
  resourceReferences(of, reading);
  for (const operation of of.operations) operationReferences(of, operation, reading);
  twins(of, reading);
  const errors = stated(of.errors);
  if (errors) errorReferences(of, errors, reading);
}

function resourceReferences(of: Of, reading: Reading): void {
  const entries: Resources = stated(of.resources) ?? new Map();
  const names = [...entries.keys()];
  const known = (use: Use): void => {
    if (names.includes(use.name)) return;
    // An entry that an open list may still name is silence, and no fault (language §D.1).
    if (of.completeness.closed('resources') === undefined && /^[A-Z][A-Za-z0-9]*$/.test(use.name)) return;
    unknown(use.name, use.at, 'a shape', names, reading);
  };
  for (const said of entries.values()) {
    const entry = stated(said);
    if (entry?.kind === 'shape') for (const use of entry.shape.uses) known(use);
    if (entry?.kind === 'view' && entry.of.kind === 'stated')
      known({ name: entry.of.value.text, at: entry.of.value.at });
    if (entry?.kind !== 'resource') continue;
    const resource: Resource = entry;
    const fields = [...resource.fields.keys()];
    const closed = of.completeness.closed(`${resource.address}.fields`) !== undefined;
    for (const name of stated(resource.identifier) ?? [])
      if (closed && !fields.includes(name.text)) unknown(name.text, name.at, 'a field', fields, reading);
    for (const use of stated(resource.required) ?? [])
      if (closed && !fields.includes(use.name)) unknown(use.name, use.at, 'a field', fields, reading);
    for (const field of resource.fields.values()) {
      for (const use of field.shape.uses) known(use);
      check(of, field.create, 'set', resource, [], reading);
      check(of, field.derived, 'derived', resource, [], reading);
    }
  }
}

function operationReferences(of: Of, operation: Operation, reading: Reading): void {
  const change = stated(operation.does);
  const entries: Resources = stated(of.resources) ?? new Map();
  if (change && change.subject.kind !== 'named' && change.verb !== 'revoke' && change.verb !== 'handled') {
    const { name, at } = change.subject;
    const said = entries.get(name);
    const names = [...entries.keys()].filter((one) => stated(entries.get(one))?.kind === 'resource');
    if (said === undefined && (of.completeness.closed('resources') || names.length > 0))
      unknown(name, at, 'a resource', names, reading);
    else if (said?.kind === 'stated' && said.value.kind !== 'resource')
      unknown(name, at, 'a resource that is kept', names, reading);
    const transitions = transitionsOf(of, name);
    if (!(verbs as readonly string[]).includes(change.verb) && !transitions.includes(change.verb)) {
      const open = of.completeness.closed('states') === undefined && transitions.length === 0;
      const close = nearestVerb(change.verb, transitions);
      if (!open || close)
        reading.report(
          'unknown-verb',
          change.at,
          { verb: change.verb },
          { hint: close ? `did you mean ${close}?` : `verbs are: ${[...verbs, ...transitions].join(', ')}` },
        );
    }
  }
  const bound = boundBy(operation);
  const situation: Situation = change?.verb === 'list' ? 'list answer' : 'answer';
  for (const answer of stated(operation.response) ?? []) {
    check(of, answer.body, situation, operation.subject, bound, reading);
    for (const header of stated(answer.headers)?.values() ?? [])
      check(of, header, situation, operation.subject, bound, reading);
    const when = stated(answer.when);
    if (when?.kind === 'expression') expressionsAt(of, when.expression, situation, operation.subject, bound, reading);
  }
  const body = operation.request && stated(operation.request.body);
  const uses = [...(body?.shape.uses ?? []), ...(body?.of ? [body.of] : [])];
  const shapes = [...entries.keys()];
  for (const use of uses)
    if (!shapes.includes(use.name) && (of.completeness.closed('resources') || shapes.length > 0))
      unknown(use.name, use.at, 'a shape', shapes, reading);
}

function boundBy(operation: Operation): Bound[] {
  return [...operation.bindings.values()].flatMap((binding) =>
    binding.kind === 'other' && binding.as !== null ? [{ name: binding.as, resource: binding.resource }] : [],
  );
}

function transitionsOf(of: Of, resource: string): string[] {
  const machines = [...(stated(of.states) ?? [])].filter(([name]) => name.split('.')[0] === resource);
  return machines.flatMap(([, said]) => {
    const machine = stated(said);
    return machine ? [...(stated(machine.transitions)?.keys() ?? [])] : [];
  });
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

function errorReferences(of: Of, errors: Errors, reading: Reading): void {
  const codes = [...(stated(errors.codes) ?? new Map<string, Said<Row>>()).entries()];
  const operations = of.operations.map((one) => one.name);
  const names = codes.map(([code]) => code);
  for (const one of stated(errors.order) ?? [])
    if (!names.includes(one.text) && one.text !== 'replay') unknown(one.text, one.at, 'a code', names, reading);
  const payload = stated(errors.payload);
  if (payload) {
    check(of, payload.body, 'error', null, [], reading);
    for (const header of stated(payload.headers)?.values() ?? []) check(of, header, 'error', null, [], reading);
  }
  for (const said of stated(errors.messages)?.values() ?? []) check(of, said, 'message', null, [], reading);
  const seen = new Map<string, Span>();
  for (const [, said] of codes) {
    const row = stated(said);
    if (row === undefined) continue;
    for (const one of stated(row.operations) ?? [])
      if (!operations.includes(one.text)) unknown(one.text, one.at, 'an operation', operations, reading);
    for (const template of [row.message, row.title, row.body]) check(of, template, 'error', null, [], reading);
    for (const header of stated(row.headers)?.values() ?? []) check(of, header, 'error', null, [], reading);
    const scopeOf = (stated(row.operations) ?? [{ text: '' }]).map((one) => one.text);
    for (const condition of stated(row.when) ?? []) {
      if (condition.expression) {
        const about = of.operations.filter((one) => scopeOf.includes(one.name));
        const subject = about.length === 1 ? (about[0]?.subject ?? null) : null;
        expressionsAt(of, condition.expression, 'condition', subject, about.flatMap(boundBy), reading);
        continue;
      }
      for (const operation of scopeOf)
        for (const name of condition.names) {
          const key = `${name} ${condition.subject} ${operation}`;
          const twin = seen.get(key);
          if (twin) reading.report('condition-twice', condition.at, { condition: `${name} ${condition.subject}`.trim() }, { related: [twin] });
          seen.set(key, condition.at);
        }
    }
  }
}

function check(
  of: Of,
  said: Said<PlacedTemplate>,
  situation: Situation,
  subject: Resource | null,
  bound: readonly Bound[],
  reading: Reading,
): void {
  if (said.kind === 'stated') expressionsAt(of, said.value, situation, subject, bound, reading);
}

function expressionsAt(
  of: Of,
  placed: PlacedTemplate,
  situation: Situation,
  subject: Resource | null,
  bound: readonly Bound[],
  reading: Reading,
): void {
  const scope = scopeFor(situation, subject, bound, scopeModel(of.resourcesByName, stated(of.resources)));
  const visit = (template: Template, node: Node): void => {
    if (template.kind === 'list' && node.kind === 'list')
      template.items.forEach((item, index) => void visit(item, node.items[index] as Node));
    if (template.kind === 'object' && node.kind === 'map')
      for (const [name, member] of template.members) visit(member, node.entries.get(name)?.value as Node);
    const pieces = template.kind === 'text' ? template.pieces : template.kind === 'expression' ? [template] : [];
    for (const piece of pieces) {
      if (typeof piece === 'string') continue;
      typeOf(piece.expression.syntax, scope, (fault) =>
        reading.report(
          'expression-type',
          within(node, piece.from + fault.start, piece.from + fault.end),
          { problem: fault.message },
        ),
      );
    }
  };
  visit(placed.template, placed.node);
}

function unknown(name: string, at: Span, wanted: string, known: readonly string[], reading: Reading): void {
  const close = nearest(name, known);
  const hint = close ? `did you mean ${close}?` : known.length > 0 ? `known: ${known.join(', ')}` : null;
  reading.report('unknown-name', at, { name, wanted }, { hint });
}

