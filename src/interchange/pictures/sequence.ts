import { bodiesOf, type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import type { Answer } from '../../specification/vocabulary/answer.ts';
import { admission } from '../wording/admission.ts';
import { changesOf, type DrawnChange } from '../wording/changes.ts';
import { type Emitted, emittedBy, receiverOf } from '../wording/events.ts';
import { further, type Line, line, listed, openLine, standingOf, written } from '../wording/line.ts';
import { pathText } from '../wording/operation.ts';
import { conditionText, refusalsOpen, rowsRefusing, statusText } from '../wording/refused.ts';
import type { Branch, Participant, Picture, Sequence, SequenceStep } from './picture.ts';

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
    ...admissionSteps(of, operation),
    ...refusalSteps(of, operation, changes),
    ...changes.map((change) => changeStep(change, place)),
    ...emitted.map(({ lines }): SequenceStep => ({ kind: 'note', over: [service, service], lines })),
    ...answerSteps(operation.response),
    ...deliverySteps(of, emitted, place),
  ];
  return { kind: 'sequence', participants, steps };
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

/** Whom the operation lets in. */
function admissionSteps(of: Specification, operation: Operation): readonly SequenceStep[] {
  const lines = admission(of, operation, 'lets in: ');
  return lines.length === 0 ? [] : [{ kind: 'note', over: [client, service], lines }];
}

/** The rows of part 7 by which it may refuse, by status. */
function refusalSteps(
  of: Specification,
  operation: Operation,
  changes: readonly DrawnChange[],
): readonly SequenceStep[] {
  const rows = rowsRefusing(of, operation, changes);
  const plain = Map.groupBy(
    rows.filter(({ row }) => !stated(row.as)),
    ({ row }) => `${statusText(row)}${row.status.kind === 'stated' ? '' : ':'}`,
  );
  const lines = [
    ...[...plain].map(([status, group]) => {
      const codes = group.map(({ code }) => code).join(', ');
      return line(`${status} ${codes}`, standingOf(...group.map(({ row }) => row.status)));
    }),
    ...rows.flatMap(({ code, row }) => {
      const other = stated(row.as);
      return other ? [line(`${code}, as ${conditionText(other)}`, standingOf(row.as))] : [];
    }),
    ...refusalsOpen(of),
  ];
  const steps = lines.map((only) => message([service, client], 'answer', [only]));
  const title = 'refused, and nothing is changed';
  return steps.length === 0 ? [] : [{ kind: 'block', word: 'break', branches: [{ title, steps }] }];
}

function changeStep(
  { resource, lines }: DrawnChange,
  place: (name: string, form: Participant['form']) => number,
): SequenceStep {
  if (resource === null) return { kind: 'note', over: [service, service], lines };
  return message([service, place(resource, 'resource')], 'change', lines);
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
