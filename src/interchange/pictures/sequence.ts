import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { bodiesOf, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import type { Answer } from '../../specification/vocabulary/answer.ts';
import type { Condition } from '../../specification/vocabulary/condition.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import type { Kind } from '../../specification/vocabulary/parts/events.ts';
import type { Grant } from '../../specification/vocabulary/rule.ts';
import { refusalsOf, rowsOf } from '../openapi/export/refusals.ts';
import { changesOf, type DrawnChange } from './changes.ts';
import { further, line, listed, openLine, standingOf, written } from './line.ts';
import type { Branch, Line, Participant, Picture, Sequence, SequenceStep, Standing } from './picture.ts';

/** What follows a request for an operation: refusals, changes, events, the answer, deliveries. */
export function operationPicture(of: Specification, operation: Operation, name: string): Picture {
  return {
    name,
    says: `What follows ${operation.method} ${pathText(of, operation)}`,
    drawing: sequenceOf(of, operation),
  };
}

const [client, service] = [0, 1];

function sequenceOf(of: Specification, operation: Operation): Sequence {
  const participants: Participant[] = [
    { name: 'client', form: 'client' },
    { name: 'service', form: 'service' },
  ];
  const place = (name: string, form: Participant['form']): number => {
    const found = participants.findIndex((one) => one.name === name && one.form === form);
    return found >= 0 ? found : participants.push({ name, form }) - 1;
  };
  const changes = changesOf(of, operation);
  const emitted = emittedBy(of, operation, changes);
  const steps: readonly SequenceStep[] = [
    requestStep(of, operation),
    ...senderSteps(of, operation),
    ...refusalSteps(of, operation, changes),
    ...changes.map((change) => changeStep(change, place)),
    ...emitted.map(({ lines }): SequenceStep => ({ kind: 'note', over: [service, service], lines })),
    ...answerSteps(operation.response),
    ...deliverySteps(of, emitted, place),
  ];
  return { kind: 'sequence', participants, steps };
}

export function pathText(of: Specification, { path }: Operation): string {
  const base = stated(stated(of.endpoints)?.base) ?? '';
  const segments = path.map((segment) => ('literal' in segment ? segment.literal : `{${segment.parameter}}`));
  return `${base}/${segments.join('/')}`;
}

function message(
  [from, to]: readonly [number, number],
  form: 'request' | 'change' | 'answer' | 'delivery',
  lines: readonly Line[],
): SequenceStep {
  const standings = lines.map(({ standing }) => standing);
  return { kind: 'message', from, to, form, lines, standing: standings[0] ?? 'stated' };
}

function requestStep(of: Specification, operation: Operation): SequenceStep {
  const query = queryParameters(operation).map(({ name }) => name);
  const bodies = bodiesOf(operation).map(({ of: name, shape }) => {
    if (name) return name.name;
    if (shape.name !== null) return shape.name;
    return shape.object ? `{ ${[...shape.object.fields.keys()].join(', ')} }` : 'of a shape of its own';
  });
  const body = operation.request?.body;
  return message([client, service], 'request', [
    line(`${operation.method} ${pathText(of, operation)}`),
    ...(query.length > 0 ? [line(`query: ${query.join(', ')}`)] : []),
    ...(bodies.length > 0
      ? [line(`body: ${listed([...new Set(bodies)], 'or')}`, body && standingOf(body))]
      : []),
    ...(body && isAsked(body) ? [openLine(body, 'body')] : []),
  ]);
}

/** Whom the operation lets in (language §5.5); nothing where part 5 states that there is no authentication. */
function senderSteps(of: Specification, operation: Operation): readonly SequenceStep[] {
  const authentication = stated(of.authentication);
  const note = (lines: readonly Line[]): readonly SequenceStep[] => [
    { kind: 'note', over: [client, service], lines },
  ];
  if (authentication === undefined)
    return of.authentication.kind === 'open' ? note([openLine(of.authentication, 'authentication')]) : [];
  const said = ruleOf(authentication, operation);
  const rule = stated(said);
  if (rule === undefined) return said.kind === 'open' ? note([openLine(said, 'who may')]) : [];
  const items = stated(rule.items);
  return note([
    rule.rule.kind === 'open'
      ? openLine(rule.rule, 'who may')
      : line(whom(stated(rule.rule)), standingOf(said)),
    ...(items ? [line(`of items: ${whom(items)}`, standingOf(rule.items))] : []),
    ...(isAsked(rule.items) ? [openLine(rule.items, 'of items')] : []),
  ]);
}

/** Whom a rule lets in, in words: any of its grants will do. */
export function whom(grants: readonly Grant[] | undefined): string {
  if (grants === undefined) return 'nobody';
  return `lets in: ${listed(grants.map(grantText), 'or')}`;
}

function grantText(grant: Grant): string {
  switch (grant.kind) {
    case 'anyone':
      return 'anyone';
    case 'known':
      return 'anyone with a credential';
    case 'actor':
      return grant.name;
    case 'expression':
      return written(grant.expression);
  }
}

/** The rows of part 7 by which it may refuse, by status. */
function refusalSteps(
  of: Specification,
  operation: Operation,
  changes: readonly DrawnChange[],
): readonly SequenceStep[] {
  const rows = refusalsOf(of, operation, rowsOf(of)).filter(({ row }) => mayRefuse(row, changes));
  const concealed = rows.filter(({ row }) => stated(row.as));
  const plain = [
    ...Map.groupBy(
      rows.filter(({ row }) => !stated(row.as)),
      ({ row }) => statusText(row),
    ),
  ];
  const lines = [
    ...plain.map(([status, group]) => {
      const codes = group.map(({ code }) => code).join(', ');
      return line(`${status} ${codes}`, standingOf(...group.map(({ row }) => row.status)));
    }),
    ...concealed.map(({ code, row }) =>
      line(`${code}, as ${conditionText(stated(row.as))}`, standingOf(row.as)),
    ),
    ...(stated(of.errors)
      ? further(of, 'errors.codes', 'further reasons to refuse')
      : of.errors.kind === 'open'
        ? [openLine(of.errors, 'reasons to refuse')]
        : []),
  ];
  const steps = lines.map((only) => message([service, client], 'answer', [only]));
  const title = 'refused, and nothing is changed';
  return steps.length === 0 ? [] : [{ kind: 'block', word: 'break', branches: [{ title, steps }] }];
}

/** Whether a row is about more than guards of moves that are not made. */
function mayRefuse({ when }: Row, changes: readonly DrawnChange[]): boolean {
  return (stated(when) ?? []).some(({ names, subject }) => {
    const [, change] = subject.split('.');
    if (!names.includes('guard refused') || change === undefined) return true;
    return ['create', 'update', 'delete'].includes(change) || changes.some(({ move }) => move === subject);
  });
}

function statusText({ status }: Row): string {
  const codes = stated(status);
  if (codes) return codes.join(' or ');
  return status.kind === 'open' ? `${status.question ?? 'status'}:` : 'any status:';
}

/** A condition as a row names it. */
export function conditionText(condition: Condition | undefined): string {
  if (condition === undefined) return '';
  if (condition.expression) return written(condition.expression);
  const { names, subject } = condition;
  return [names.length > 1 ? 'not authenticated' : names[0], subject].join(' ').trim();
}

function changeStep(
  { resource, lines }: DrawnChange,
  place: (name: string, form: Participant['form']) => number,
): SequenceStep {
  if (resource === null) return { kind: 'note', over: [service, service], lines };
  return message([service, place(resource, 'resource')], 'change', lines);
}

interface Emitted {
  /** Null: which kind is open. */
  readonly kind: string | null;
  readonly lines: readonly Line[];
}

/** The kinds of events that name the operation, or a move that it makes (language §6.1). */
function emittedBy(
  of: Specification,
  operation: Operation,
  changes: readonly DrawnChange[],
): readonly Emitted[] {
  const events = stated(of.events);
  if (events === undefined)
    return of.events.kind === 'open' && of.events.question !== null
      ? [{ kind: null, lines: [openLine(of.events, 'events')] }]
      : [];
  const names = new Set([operation.name, ...changes.flatMap(({ move }) => move ?? [])]);
  return [...(stated(events.kinds) ?? [])].flatMap(([name, said]): Emitted[] => {
    const kind = stated(said);
    if (kind === undefined) return [];
    return stated(kind.by)?.some(({ text }) => names.has(text))
      ? [{ kind: name, lines: emission(name, kind, standingOf(said, kind.by)) }]
      : [];
  });
}

function emission(name: string, { when, body }: Kind, standing: Standing): readonly Line[] {
  const condition = stated(when);
  return [
    line(`emits ${name}`, standing),
    ...(condition ? [line(`if ${written(condition)}`, standingOf(when))] : []),
    ...(isAsked(when) ? [openLine(when, 'if')] : []),
    ...(body.kind === 'open' ? [openLine(body, 'its body')] : []),
  ];
}

/** The answers to a success; one of several is sent, by its `when`. */
function answerSteps(response: Said<readonly Answer[]>): readonly SequenceStep[] {
  const answers = stated(response);
  if (answers === undefined)
    return response.kind === 'open'
      ? [message([service, client], 'answer', [openLine(response, 'answer')])]
      : [];
  const steps = answers.map((answer) => message([service, client], 'answer', answerLines(answer)));
  if (steps.length < 2) return steps;
  const branches = answers.map((answer, index): Branch => {
    const when = stated(answer.when);
    const title =
      when === undefined
        ? 'otherwise'
        : when.kind === 'outcomes'
          ? listed(when.outcomes, 'or')
          : written(when.expression);
    return { title, steps: [steps[index] as SequenceStep] };
  });
  return [{ kind: 'block', word: 'alt', branches }];
}

function answerLines({ status, body, shape }: Answer): readonly Line[] {
  const code = stated(status);
  const content = stated(body);
  const looks = stated(shape);
  return [
    code ? line(code.join(' or '), standingOf(status)) : openLine(status, 'status'),
    ...(content ? [line(bodyText(content), standingOf(body))] : []),
    ...(!content && looks ? [line(looks.name ?? 'of a stated shape', standingOf(shape))] : []),
    ...(isAsked(body) ? [openLine(body, 'body')] : []),
  ];
}

function bodyText(content: Parameters<typeof written>[0]): string {
  const { template } = content;
  if (template.kind === 'object') return `{ ${[...template.members.keys()].join(', ')} }`;
  const text = written(content);
  return /^([A-Z]\w*)\(this\)$/.exec(text)?.[1] ?? text;
}

/** What is sent after the change, by each way of delivery (language §6.3). */
function deliverySteps(
  of: Specification,
  emitted: readonly Emitted[],
  place: (name: string, form: Participant['form']) => number,
): readonly SequenceStep[] {
  const kinds = emitted.flatMap(({ kind }) => kind ?? []);
  const events = stated(of.events);
  if (events === undefined || kinds.length === 0) return [];
  if (events.envelope.kind === 'open')
    return [storedNote(openLine(events.envelope, 'envelope, so nothing is sent'))];
  const ways = stated(events.delivery);
  if (ways === undefined || ways.size === 0)
    return events.delivery.kind === 'open'
      ? further(of, events.delivery.address, 'delivery, so nothing is sent').map(storedNote)
      : [];
  return [...ways].flatMap(([name, said]) => {
    const way = stated(said);
    if (way === undefined)
      return said.kind === 'open' ? [storedNote(openLine(said, `delivery ${name}`))] : [];
    const where = way.kind === 'webhook' ? stated(way.where) : undefined;
    const lines = [
      line(kinds.join(', '), standingOf(said)),
      ...(where ? [line(`where ${written(where)}`)] : []),
    ];
    return [message([service, place(receiverOf(way), 'receiver')], 'delivery', lines)];
  });
}

function storedNote(only: Line): SequenceStep {
  return { kind: 'note', over: [service, service], lines: [only] };
}

/** Who receives what is delivered. */
function receiverOf(way: Delivery): string {
  switch (way.kind) {
    case 'webhook': {
      const held = stated(way.webhook);
      if (held === undefined) return '(open) webhook';
      return held.kind === 'operator' ? "operator's address" : `${held.resource}.${held.field}`;
    }
    case 'stream':
      return stated(way.stream)?.text ?? '(open) stream';
    case 'broker': {
      const subject = stated(way.broker);
      return subject ? `broker: ${written(subject)}` : '(open) broker';
    }
  }
}
