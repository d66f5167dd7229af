import { textType, timestamp } from '../../../expression/type.ts';
import type { Span } from '../../../source/text.ts';
import type { Steps } from '../../../source/turns.ts';
import { isWritten } from '../../model/denied.ts';
import { machinesStated } from '../../model/machine.ts';
import { bodiesOf, type Operation, singlesOut } from '../../model/operation.ts';
import type { Specification } from '../../model/specification.ts';
import { step } from '../../reading/address.ts';
import { fixedMedia, isJson, mediaKind } from '../../reading/media.ts';
import { type Reading, unknownName } from '../../reading/reading.ts';
import { stated } from '../../reading/said.ts';
import { type Answer, type AnswerContent, answerByMedia, type Outcome } from '../../vocabulary/answer.ts';
import { fieldShapes, fieldValues } from '../../vocabulary/answer-field.ts';
import type { Change } from '../../vocabulary/change.ts';
import type { Conditional } from '../../vocabulary/parts/endpoints.ts';
import type { Resource } from '../../vocabulary/parts/resources.ts';
import type { Body, Parameter } from '../../vocabulary/request.ts';
import { counts } from '../../vocabulary/request.ts';
import type { Shape } from '../../vocabulary/shape.ts';
import { checkAlternatives } from '../alternatives.ts';
import { checkAlso, checkChange, checkSortable } from '../changing.ts';
import { checkAnswerContent, checkRequestContent } from '../content.ts';
import { knownBy, knownOf } from '../lacking.ts';
import { boundBy, checkEntry, checkField, nameAt, transitionsOf } from '../names.ts';
import { checkPaths } from '../paths.ts';
import { checkRuns } from '../run.ts';
import type { Situation, Standing } from '../scope.ts';
import { checkShadows } from '../shadows.ts';
import type { Typing } from '../typing.ts';

type Of = Specification;

/** What part 4 says of other parts, and names and paths that stand twice (language §4). */
export function* validate(of: Of, typing: Typing, reading: Reading): Steps<void> {
  for (const operation of of.operations) {
    operationReferences(of, operation, typing, reading);
    yield;
  }
  const headers = stated(stated(of.endpoints)?.headers);
  for (const said of headers?.values() ?? [])
    typing.template(said, { situation: 'open answer', subject: null, bound: [] });
  twins(of, reading);
  checkRuns(of, reading);
  checkPaths(of, reading);
  checkAlternatives(of, typing, reading);
  checkShadows(of, reading);
}

/** A weak tag matches nothing where tags are compared strongly (RFC 9110 §13.1.1). */
function isNeverMatched({ etag, ifMatch, compare }: Conditional): boolean {
  return stated(etag) === 'weak' && ifMatch.kind === 'stated' && stated(compare) !== 'weak';
}

function operationReferences(of: Of, operation: Operation, typing: Typing, reading: Reading): void {
  const { endpoint, subject } = operation;
  const change = stated(operation.does);
  const bound = boundBy(operation);
  const chosen = knownBy(stated(endpoint.when), true);
  const mayBeNew = change?.verb === 'create';
  const before = { subject: null, bound, operation, known: [...chosen, ...knownOf(of, operation)], mayBeNew };
  const made = change ? checkChange(of, change, { as: 'does', standing: before }, typing, reading) : [];
  const isDeleted = change !== undefined && isDeleting(of, change);
  const after = { ...before, subject, isDeleted, bound: [...bound, ...made] };
  const named = checkAlso(of, stated(endpoint.also) ?? [], after, typing, reading);
  path(of, operation, reading);
  checkSingle(of, operation, reading);
  checkParameters(of, operation, typing, reading);
  const all: Standing = { ...after, bound: named, situation: situationOf(operation, change) };
  let known = after.known;
  // Whether an answer before is for what was made.
  let isMade = false;
  for (const answer of stated(operation.response) ?? []) {
    const when = stated(answer.when);
    const condition = when?.kind === 'expression' ? when.expression : undefined;
    const isOld = isMade || (when?.kind === 'outcomes' && !when.outcomes.includes('created'));
    const standing = {
      ...all,
      known: [...known, ...knownBy(condition, true)],
      mayBeNew: mayBeNew && !isOld,
    };
    isMade ||= when?.kind === 'outcomes' && when.outcomes.includes('created');
    if (condition) typing.truth(condition, { ...all, known });
    known = [...known, ...knownBy(condition, false)];
    for (const content of answerByMedia(answer)) {
      checkBody(content, typing.body(content.body, standing, isInParts(content)), reading);
      for (const use of stated(content.shape)?.uses ?? [])
        checkEntry(of, use.name, use.at, 'a shape', reading);
    }
    checkAnswerContent(answer, reading);
    typing.text(answer.media, standing);
    for (const header of fieldValues(answer.headers)?.values() ?? []) typing.sent(header, standing);
    for (const [, { shape }] of fieldShapes(answer.headers))
      for (const use of shape.uses) checkEntry(of, use.name, use.at, 'a shape', reading);
  }
  for (const header of stated(stated(stated(endpoint.idempotency)?.replay)?.headers)?.values() ?? [])
    typing.template(header, { ...before, situation: 'request' });
  const conditional = stated(endpoint.conditional);
  if (conditional && isNeverMatched(conditional)) reading.report('never-matched', conditional.ifMatch.at, {});
  const modified = conditional?.lastModified;
  const ofItem = { ...after, situation: change?.verb === 'list' ? 'request' : 'item' } as const;
  const tag = conditional && stated(conditional.etag);
  if (tag !== undefined && typeof tag !== 'string') typing.check(tag, ofItem, textType);
  if (modified) typing.template(modified, ofItem, timestamp);
  checkAnswers(of, operation, change, reading);
  for (const body of bodiesOf(operation)) {
    for (const use of [...body.shape.uses, ...(body.of ? [body.of] : [])])
      checkEntry(of, use.name, use.at, 'a shape', reading);
    checkMembers(of, body, reading);
  }
  if (operation.request) checkRequestContent(operation.request, reading);
}

function isInParts({ media }: Pick<Answer, 'media'>): boolean {
  const type = stated(fixedMedia(media));
  return type !== undefined && mediaKind(type) === 'parts';
}

/** A body that is bytes as a whole says of which media type it is, and stands under no name (language §H.3). */
function checkBody({ body, media, under }: AnswerContent, isBytes: boolean, reading: Reading): void {
  if (!isBytes) return;
  const type = stated(fixedMedia(media));
  if (media.kind === 'open' || (type !== undefined && isJson(type)))
    reading.report('bytes-in-json', body.at, { problem: 'a body that is bytes states its own `media`' });
  if (under.kind === 'stated')
    reading.report('bytes-in-json', under.at, { problem: 'a body that is bytes stands under no name' });
}

/** The members that a body has, or has not, are those of the resource, or of the shape, that it is of (language §E.4). */
function checkMembers(of: Of, { of: named, shows, omits }: Body, reading: Reading): void {
  if (named === null) return;
  const entry = stated(stated(of.resources)?.get(named.name));
  const members = entry?.kind === 'shape' ? entry.shape.object?.fields : undefined;
  for (const { text, at } of [...(stated(shows) ?? []), ...(stated(omits) ?? [])])
    if (members) {
      reading.use('field', `${named.name}.${text}`, at);
      if (!members.has(text)) unknownName(text, at, 'a member', [...members.keys()], reading);
    } else checkField(of, named.name, text, at, reading);
}

/** Whether a change deletes what it is about: by its verb, or by a transition to `(none)` (language §3.1). */
function isDeleting(of: Of, { verb, subject }: Change): boolean {
  if (verb === 'delete') return true;
  if (subject.kind !== 'one') return false;
  return machinesStated(of, subject.name).some(
    ([, said]) => stated(stated(stated(said)?.transitions)?.get(verb))?.to.kind === 'none',
  );
}

function situationOf({ does }: Operation, change: Change | undefined): Situation {
  if (change === undefined) return does.kind === 'none' ? 'answer' : 'open answer';
  if (change.verb === 'handled') return 'handled answer';
  if (change.verb === 'run') return 'run answer';
  return change.verb === 'list' ? 'list answer' : 'answer';
}

/** Verbs that are about one item that was there before, as every transition is. */
const ofOne = ['read', 'update', 'replace', 'delete'];

/** One item is singled out by what the path gives, or by `where` (language §H.2); here neither does, and nothing more can. */
function checkSingle(of: Of, operation: Operation, reading: Reading): void {
  const { subject, address } = operation;
  const change = stated(operation.does);
  if (!change || !subject || change.subject.kind !== 'one') return;
  if (![...ofOne, ...transitionsOf(of, subject.name)].includes(change.verb)) return;
  if (change.qualifiers.where.kind !== 'open' || subject.identifier.kind !== 'stated') return;
  const isClosed = of.completeness.closed(step(step(address, 'request'), 'path')) !== undefined;
  if (isClosed && isBoundWell(of, operation) && !singlesOut(operation))
    reading.report('not-singled-out', change.at, { resource: subject.name });
}

/** Whether what the path's parameters are bound to is there; what is not is told on its own. */
function isBoundWell(of: Of, { request, path: segments }: Operation): boolean {
  const names = segments.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  return [...(stated(request?.path) ?? [])].every(([name, said]) => {
    const binding = stated(said)?.binding;
    const isThere = !binding || of.resourcesByName.get(binding.resource)?.fields.has(binding.field);
    return names.includes(name) && isThere;
  });
}

/** What a verb may come to (language §H.2); undefined where only the operator's function knows. */
function outcomesOf(change: Change | undefined): readonly Outcome[] | undefined {
  if (change === undefined) return [];
  const { verb, qualifiers } = change;
  const unless: readonly Outcome[] = qualifiers.absent.kind === 'stated' ? ['unchanged'] : [];
  switch (verb) {
    case 'handled':
      return undefined;
    case 'create': {
      const present = stated(qualifiers.present);
      if (present === undefined) return ['created'];
      const kept = present === 'keep' || present === 'match';
      return kept ? ['created', 'unchanged'] : ['created', 'changed', 'unchanged'];
    }
    case 'read':
    case 'list':
    case 'authenticate':
    case 'run':
      return unless;
    case 'delete':
    case 'revoke':
      return ['deleted', ...unless];
    case 'update':
    case 'replace':
      return ['changed', 'unchanged'];
    default:
      return ['changed', ...unless];
  }
}

/** Answers that nothing can lead to: for an outcome that the verb has not, or that an earlier answer is for (language §H.3). */
function checkAnswers(
  of: Of,
  { response, does }: Operation,
  change: Change | undefined,
  reading: Reading,
): void {
  if (does.kind === 'open') return;
  const possible = outcomesOf(change);
  const taken = new Map<Outcome, Span>();
  let always: Span | undefined;
  for (const { when, status } of stated(response) ?? []) {
    const said = stated(when);
    const at = when.kind === 'stated' ? when.at : status.at;
    if (always) {
      const problem = 'the one before it is sent whenever this one could be';
      reading.report('never-sent', at, { problem }, { related: [always] });
      continue;
    }
    if (said === undefined) {
      if (when.kind === 'none' || (when.kind === 'open' && !isWritten(of, when))) always = at;
      continue;
    }
    if (said.kind === 'expression') continue;
    const left = said.outcomes.filter((outcome) => !taken.has(outcome));
    const [first] = said.outcomes;
    if (first === undefined) reading.report('never-sent', at, { problem: 'it is for no outcome' });
    else if (left.length === 0)
      reading.report(
        'never-sent',
        at,
        { problem: `an earlier answer is for ${said.outcomes.join(', ')}` },
        { related: [taken.get(first) as Span] },
      );
    else if (possible && !left.some((outcome) => possible.includes(outcome)))
      reading.report('never-sent', at, {
        problem: `${change?.verb ?? 'an operation that does nothing'} does not come to ${left.join(', ')}`,
      });
    for (const outcome of said.outcomes) if (!taken.has(outcome)) taken.set(outcome, at);
  }
}

/** What the parameters of a query and of the header do (language §4.2). */
function checkParameters(of: Of, operation: Operation, typing: Typing, reading: Reading): void {
  const { request, subject } = operation;
  if (request === null) return;
  const does = stated(operation.does);
  const standing = { subject, bound: boundBy(operation), operation };
  const pages = new Map<string, Span>();
  for (const place of ['path', 'query', 'headers'] as const)
    for (const said of stated(request[place])?.values() ?? []) {
      const parameter = stated(said);
      if (parameter === undefined) continue;
      const { filter, sort, page, taken } = parameter.roles;
      checkStyle(parameter, place, reading);
      checkSortDefault(parameter, subject, reading);
      for (const use of parameter.shape.uses) checkEntry(of, use.name, use.at, 'a shape', reading);
      for (const [key, role] of [
        ['filter', filter],
        ['sort', sort],
        ['page', page],
      ] as const)
        if (role.kind === 'stated' && does && does.verb !== 'list' && does.verb !== 'handled')
          reading.report('idle', nameAt(of, role), { key, where: does.verb });
      if (filter.kind === 'stated') {
        typing.truth(filter.value, { ...standing, situation: 'item' });
        typing.storable(filter.value);
      }
      if (taken.kind === 'stated') typing.check(taken.value, { ...standing, situation: 'given' });
      for (const { text, at } of stated(sort) ?? [])
        if (subject) checkSortable(of, subject, text, at, typing, reading);
      const role = stated(page);
      const type = stated(parameter.shape.keywords.get('type'));
      if (role && counts.includes(role) && type !== undefined && ![type].flat().includes('integer'))
        reading.report('contradiction', page.at, {
          problem: `the ${role} of a page is counted, and this parameter is no integer`,
        });
      const twin = role && pages.get(role);
      if (role && twin)
        reading.report(
          'contradiction',
          page.at,
          { problem: `two parameters say the ${role} of the page` },
          { related: [twin] },
        );
      if (role) pages.set(role, page.at);
    }
}

/** The styles in which OpenAPI writes a parameter, by its place (OpenAPI 3.2 §4.12.3). */
const styles: Readonly<Record<'path' | 'query' | 'headers', readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  headers: ['simple'],
};

function checkStyle(
  { roles: { style, explode } }: Parameter,
  place: keyof typeof styles,
  reading: Reading,
): void {
  if (style.kind !== 'stated' || styles[place].includes(style.value)) return;
  if (style.value === 'json') {
    // A JSON text is one value, wherever it stands.
    if (explode.kind === 'stated')
      reading.report('idle', explode.at, { key: 'explode', where: 'a JSON text' });
    return;
  }
  const where = place === 'headers' ? 'a header field' : `the ${place}`;
  const problem = `a parameter of ${where} is written in style ${[...styles[place], 'json'].join(', ')}`;
  reading.report('contradiction', style.at, { problem });
}

/** What a list is sorted by when the client names nothing is one of what it may name (language §4.2). */
function checkSortDefault(
  { roles: { sort }, default: fallback }: Parameter,
  subject: Resource | null,
  reading: Reading,
): void {
  const fields = stated(sort)?.map((one) => one.text);
  if (fields === undefined || fallback.kind !== 'stated') return;
  const written = typeof fallback.value === 'string' ? fallback.value.split(',') : [fallback.value].flat();
  for (const one of written.map((name) => String(name).replace(/^-/, ''))) {
    if (subject) reading.use('field', `${subject.name}.${one}`, fallback.at);
    if (!fields.includes(one)) unknownName(one, fallback.at, 'a field of this sort', fields, reading);
  }
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
    const { at } = parameter.is.kind === 'stated' ? parameter.is : parameter;
    checkEntry(of, resource, at, 'a resource', reading);
    checkField(of, resource, field, at, reading);
    checkShapeOfKey(of, parameter, reading);
  }
}

/** A parameter that names an item is read as its field is, and is no other value than that (language §4.2, rule 5). */
function checkShapeOfKey(of: Of, parameter: Parameter, reading: Reading): void {
  const { is, binding, shape, roles } = parameter;
  if (is.kind !== 'stated' || binding === null) return;
  for (const [key, role] of Object.entries({
    ...roles,
    default: parameter.default,
    required: parameter.required,
  }))
    if (role.kind === 'stated' && key !== 'style' && key !== 'explode')
      reading.report('contradiction', role.at, {
        problem: `${key} stands beside is, and the path always gives a key`,
      });
  const field = of.resourcesByName.get(binding.resource)?.fields.get(binding.field);
  const [own, kept] = [typesOf(shape), field && typesOf(field.shape)];
  if (own === undefined || kept === undefined) return;
  const meets = own.some((one) =>
    kept.some((other) => one === other || [one, other].sort().join() === 'integer,number'),
  );
  if (!meets)
    reading.report('contradiction', is.at, {
      problem: `${binding.resource}.${binding.field} is ${kept.join(' or ')}, and this parameter ${own.join(' or ')}`,
    });
}

function typesOf({ keywords }: Shape): readonly string[] | undefined {
  const type = stated(keywords.get('type'));
  return type === undefined ? undefined : ([type].flat() as string[]);
}

/** Names of operations that stand twice (language §4.1). */
function twins(of: Of, reading: Reading): void {
  const names = new Map<string, Span>();
  for (const operation of of.operations) {
    const named = stated(operation.endpoint.operation);
    const first = names.get(operation.name);
    if (named && first)
      reading.report('operation-twice', named.at, { name: operation.name }, { related: [first] });
    names.set(operation.name, named?.at ?? operation.at);
  }
}
