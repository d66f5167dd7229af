import type { Span } from '../../source/text.ts';
import { isAboutResource, verbs } from '../change.ts';
import { boundBy, checkEntry, checkField, nameAt, resourceNames, transitionsOf } from '../names.ts';
import { shownNames } from '../nearest.ts';
import type { Operation } from '../operation.ts';
import { type Reading, unknownName } from '../reading.ts';
import { stated } from '../said.ts';
import type { Specification } from '../specification.ts';
import type { Standing, Typing, Validate } from '../typing.ts';

type Of = Specification;

/** What part 4 says of other parts, and names and paths that stand twice (language §4). */
export const validate: Validate = (of, typing, reading) => {
  for (const operation of of.operations) operationReferences(of, operation, typing, reading);
  twins(of, reading);
};

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
