import { staticType } from '../../expression/check.ts';
import { mostIn } from '../../expression/cost.ts';
import { any, holdsBytes, list } from '../../expression/type.ts';
import { credentialFields } from '../model/credential-fields.ts';
import type { Operation } from '../model/operation.ts';
import { operationRun } from '../model/run.ts';
import type { Specification } from '../model/specification.ts';
import { streamsIn } from '../model/streams.ts';
import { fixedMedia, isAmong, isJson, mediaKind } from '../reading/media.ts';
import { type Reading, unknownName } from '../reading/reading.ts';
import { isSaid, stated } from '../reading/said.ts';
import type { Change } from '../vocabulary/change.ts';
import { schemaOf } from '../vocabulary/shape.ts';
import { hasBytes } from './bytes.ts';
import { nameAt, useGiven } from './names.ts';
import type { Bound, Standing } from './scope.ts';
import type { Typing } from './typing.ts';

type Of = Specification;

/** Types what a `run` sends, and for what: a list of which it is stated how many elements it has at most (language §H.2). */
export function checkSent(
  { qualifiers }: Change,
  standing: Omit<Standing, 'situation'>,
  value: readonly Bound[],
  typing: Typing,
  reading: Reading,
): void {
  const each = stated(qualifiers.for);
  if (each !== undefined) {
    typing.check(each, { ...standing, situation: 'request' }, list(any));
    const { template } = each;
    const most = template.kind === 'expression' ? mostIn(template.expression.syntax) : undefined;
    if (most === undefined) reading.report('run-unbounded', qualifiers.for.at, {});
  }
  const sent = stated(qualifiers.request);
  if (sent === undefined) return;
  const within: Standing = { ...standing, bound: [...standing.bound, ...value], situation: 'request' };
  for (const one of stated(sent.path)?.values() ?? []) typing.text(one, within);
  for (const one of stated(sent.query)?.values() ?? []) typing.template(one, within);
  for (const one of stated(sent.headers)?.values() ?? []) typing.text(one, within);
  typing.sent(sent.body, within);
}

/** What a `run` says of the operation that it names, once all are typed (language §H.2). */
export function checkRuns(of: Of, reading: Reading): void {
  for (const operation of of.operations) {
    const change = stated(operation.does);
    const also = stated(operation.endpoint.also) ?? [];
    for (const one of also)
      if (one.verb === 'run') report(reading, one, 'an operation sends requests by `does` alone');
    if (change?.verb !== 'run') continue;
    if (also.length > 0) report(reading, change, 'beside `run`, the operation has no changes of its own');
    const inner = operationRun(of, operation);
    if (inner === undefined) checkName(of, change, reading);
    else checkInner(of, change, inner, reading);
  }
  for (const said of stated(of.states)?.values() ?? [])
    for (const move of stated(stated(said)?.transitions)?.values() ?? [])
      for (const one of stated(stated(move)?.also) ?? [])
        if (one.verb === 'run') report(reading, one, 'a transition sends no requests');
}

function report(reading: Reading, { at }: Pick<Change, 'at'>, problem: string): void {
  reading.report('bad-run', at, { problem });
}

function checkName(of: Of, { subject }: Change, reading: Reading): void {
  if (subject.kind === 'expression') report(reading, subject, 'the operation is named, and not worked out');
  else
    unknownName(
      subject.name,
      subject.at,
      'an operation',
      of.operations.map(({ name }) => name),
      reading,
    );
}

function checkInner(of: Of, { subject, qualifiers }: Change, inner: Operation, reading: Reading): void {
  const { name } = inner;
  reading.use('operation', name, subject.at);
  const problem = problemOf(of, inner);
  if (problem) report(reading, subject, `${name} ${problem}`);
  const sent = stated(qualifiers.request);
  if (sent === undefined) return;
  useGiven(of, inner, sent, reading);
  const names = inner.path.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  const given = stated(sent.path);
  for (const [one, said] of given ?? [])
    if (!names.includes(one))
      unknownName(one, nameAt(of, said), `a parameter of the path of ${name}`, names, reading);
  const left = names.filter((one) => !given?.has(one));
  if (left.length > 0 && sent.path.kind !== 'any')
    report(reading, { at: qualifiers.request.at }, `${name} needs ${left.join(', ')} of its path`);
  if (sent.body.kind === 'stated' && !takesJson(inner))
    report(reading, { at: sent.body.at }, `${name} takes no JSON`);
  const credentials = credentialFields(of);
  for (const [field, said] of stated(sent.headers) ?? [])
    if (credentials.has(field.toLowerCase()))
      report(
        reading,
        { at: nameAt(of, said) },
        `${field} is the credential of the client, which is sent already`,
      );
}

/** Why nobody can run an operation for another; undefined: it can be run. */
function problemOf(of: Of, inner: Operation): string | undefined {
  if (isStream(of, inner)) return 'sends events as they come';
  if (stated(inner.does)?.verb === 'run') return 'runs another operation itself';
  if (takesBytes(inner)) return 'takes bytes';
  return givesBytes(inner) ? 'answers with bytes' : undefined;
}

function isStream({ events }: Of, { key }: Operation): boolean {
  const part = stated(events);
  return part !== undefined && streamsIn(part).has(key);
}

function takesBytes({ request }: Operation): boolean {
  const body = stated(request?.body);
  return body !== undefined && body.of === null && hasBytes(schemaOf(body.shape));
}

function givesBytes({ response }: Operation): boolean {
  return (stated(response) ?? []).some(({ body, media }) => {
    if (mediaKind(stated(fixedMedia(media)) ?? '') === 'parts') return true;
    const template = stated(body)?.template;
    return template?.kind === 'expression' && holdsBytes(staticType(template.expression.syntax));
  });
}

/** Whether a body may be JSON: where no type is stated, it is (language §4.2). */
function takesJson({ request }: Operation): boolean {
  if (request === null || !isSaid(request.media)) return true;
  const types = stated(request.media) ?? ['*/*'];
  return types.some(isJson) || isAmong('application/json', new Set(types));
}
