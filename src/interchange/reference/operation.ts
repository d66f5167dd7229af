import { STATUS_CODES } from 'node:http';
import {
  headerParameters,
  type Operation,
  pathsOf,
  queryParameters,
} from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { openHolds } from '../../specification/openness/holds.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import type { Answer } from '../../specification/vocabulary/answer.ts';
import { fieldShapes, fieldValues } from '../../specification/vocabulary/answer-field.ts';
import {
  mayLackContent,
  type OthersOf,
  type Parameter,
  type Request,
} from '../../specification/vocabulary/request.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Items } from '../schemas/items.ts';
import {
  type Answered,
  answersOf,
  asSent,
  bodiesTaken,
  type Content,
  schemaOfParameter,
  schemaOfPath,
} from '../schemas/operations.ts';
import { admission } from '../wording/admission.ts';
import { changesOf, type DrawnChange } from '../wording/changes.ts';
import { emittedBy } from '../wording/events.ts';
import { type Line, line, listed, openLine, standingOf, written } from '../wording/line.ts';
import { pathText } from '../wording/operation.ts';
import { keyWords, preconditionWords } from '../wording/protocol.ts';
import { refusalsOpen, rowsRefusing } from '../wording/refused.ts';
import { type ErrorEntry, errorEntry } from './errors.ts';
import { descriptionAt, factsOfField, type MemberRow, rowsOf } from './member-rows.ts';
import { boundsOf, type TypePiece, typeText } from './type-text.ts';

/** An operation, for whoever calls it. */
export interface OperationEntry {
  /** Its name; where none is stated, `METHOD /path`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly description: string | null;
  /** Whom it lets in. */
  readonly admission: readonly Line[];
  readonly parameters: readonly ParameterRow[];
  readonly bodies: readonly ContentEntry[];
  /** What is said of the request as a whole. */
  readonly request: readonly Line[];
  readonly changes: readonly DrawnChange[];
  readonly answers: readonly AnswerEntry[];
  readonly errors: readonly ErrorEntry[];
  readonly errorsOpen: readonly Line[];
  readonly events: readonly Line[];
  /** The open points that an implementation waits for. */
  readonly waitsFor: readonly string[];
}

export interface ParameterRow extends MemberRow {
  readonly place: 'path' | 'query' | 'header';
}

/** Content of one media type. */
export interface ContentEntry {
  readonly media: string | null;
  readonly type: readonly TypePiece[];
  readonly rows: readonly MemberRow[];
}

export interface AnswerEntry {
  /** `201 Created`, or what is open. */
  readonly status: Line;
  /** When it is sent, of several; null: always, or otherwise. */
  readonly when: string | null;
  readonly headers: readonly MemberRow[];
  readonly contents: readonly ContentEntry[];
  readonly open: readonly Line[];
}

export function operationEntry(of: Specification, operation: Operation, items: Items): OperationEntry {
  const changes = changesOf(of, operation);
  return {
    name: operation.name,
    method: operation.method,
    path: pathText(of, operation),
    description: descriptionAt(of, operation.address),
    admission: admission(of, operation),
    parameters: parametersOf(of, operation, items),
    bodies: bodiesTaken(of, operation, items).map((content) => bodyEntry(of, operation, content)),
    request: requestLines(operation),
    changes,
    answers: answerEntries(operation, items),
    errors: rowsRefusing(of, operation, changes).map(errorEntry),
    errorsOpen: refusalsOpen(of),
    events: emittedBy(of, operation, changes).flatMap(({ lines }) => lines),
    waitsFor: openHolds(of, operation),
  };
}

function parametersOf(of: Specification, operation: Operation, items: Items): readonly ParameterRow[] {
  const names = operation.path.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  const inPath = names.map((name): ParameterRow => {
    const schema = schemaOfPath(of, operation, name, items);
    const facts = boundsOf(schema).map((text) => line(text));
    return { place: 'path', name, type: typeText(schema), isRequired: true, facts, description: null };
  });
  const rowOf = (place: 'query' | 'header', parameter: Parameter): ParameterRow => {
    const schema = schemaOfParameter(of, parameter, items);
    return {
      place,
      name: parameter.name,
      type: typeText(schema),
      isRequired: stated(parameter.required) === true,
      facts: [...boundsOf(schema).map((text) => line(text)), ...rolesOf(parameter)],
      description: descriptionAt(of, parameter.address),
    };
  };
  return [
    ...inPath,
    ...queryParameters(operation).map((parameter) => rowOf('query', parameter)),
    ...headerParameters(operation).map((parameter) => rowOf('header', parameter)),
    ...protocolHeaders(operation),
  ];
}

/** What a parameter does, as it is stated or asked. */
function rolesOf({ default: fallback, roles, shape }: Parameter): readonly Line[] {
  const { filter, sort, page, style } = roles;
  const value = stated(fallback);
  const [only, by, part, coding] = [stated(filter), stated(sort), stated(page), stated(style)];
  const facts: readonly (Line | false)[] = [
    value !== undefined && line(`default ${JSON.stringify(value)}`, standingOf(fallback)),
    only !== undefined && line(`only items with ${written(only)}`, standingOf(filter)),
    by !== undefined &&
      line(
        `sorts by ${listed(
          by.map(({ text }) => text),
          'or',
        )}`,
        standingOf(sort),
      ),
    part !== undefined && line(`page: ${part}`, standingOf(page)),
    coding !== undefined && line(`coded as ${coding}`, standingOf(style)),
    ...[['filter', filter], ['sort', sort], ['page', page], ...[...shape.keywords]].map(
      ([what, said]) => isAsked(said as Said<unknown>) && openLine(said as Said<unknown>, what as string),
    ),
  ];
  return facts.filter((fact) => fact !== false);
}

/** The header fields of idempotency (language §4.4) and of preconditions (§4.3). */
function protocolHeaders({ endpoint }: Operation): readonly ParameterRow[] {
  const repeated = stated(endpoint.idempotency);
  const conditional = stated(endpoint.conditional);
  const row = (name: string | undefined, isRequired: boolean, says: string): readonly ParameterRow[] =>
    name === undefined
      ? []
      : [{ place: 'header', name, type: ['string'], isRequired, facts: [], description: says }];
  const match = conditional && stated(conditional.ifMatch);
  return [
    ...row(
      repeated && stated(repeated.header),
      repeated !== undefined && stated(repeated.required) === true,
      repeated ? keyWords(repeated) : '',
    ),
    ...row(match && 'If-Match', match === 'required', preconditionWords['If-Match']),
    ...row(
      conditional && stated(conditional.ifNoneMatch) && 'If-None-Match',
      false,
      preconditionWords['If-None-Match'],
    ),
  ];
}

function bodyEntry(of: Specification, { request }: Operation, content: Content): ContentEntry {
  const name = request ? stated(request.body)?.of?.name : undefined;
  const fields = name === undefined ? undefined : of.resourcesByName.get(name)?.fields;
  const entry = contentEntry(content);
  if (fields === undefined || content.under !== null) return entry;
  const rows = rowsOf(content.schema, (member) => {
    const field = fields.get(member);
    return field && factsOfField(of, field);
  });
  return { ...entry, rows };
}

export function contentEntry(content: Content): ContentEntry {
  const schema = asSent(content);
  return { media: content.media, type: typeText(schema), rows: rowsOf(schema) };
}

/** What is said of a request beside its parameters and its body, and what is open of them. */
function requestLines(operation: Operation): readonly Line[] {
  const { request, endpoint } = operation;
  const { when } = endpoint;
  const meant = stated(when);
  return [
    ...(meant ? [line(`only requests with ${written(meant)}`, standingOf(when))] : []),
    ...pathsOf(operation)
      .slice(1)
      .map(({ key }) => line(`also as ${key}`, standingOf(endpoint.paths))),
    ...(request ? ofContent(request) : []),
  ];
}

function ofContent(request: Request): readonly Line[] {
  return [
    ...(['path', 'query', 'headers', 'body'] as const)
      .map((place) => [place, request[place]] as const)
      .filter(([, said]) => isAsked(said))
      .map(([place, said]) => openLine(said, place)),
    ...(mayLackContent(request) ? [line('may come without content', standingOf(request.required))] : []),
    ...othersLines(stated(request.others)),
  ];
}

/** What becomes of what nobody stated, in the body and in the query. */
function othersLines(others: OthersOf | undefined): readonly Line[] {
  if (others === undefined) return [];
  const told = (what: string, said: OthersOf['body']): readonly Line[] => {
    const rule = stated(said);
    return rule ? [line(`${what} that are not listed ${fates[rule]}`, standingOf(said))] : [];
  };
  return stated(others.body) === stated(others.query)
    ? told('members and query parameters', others.body)
    : [...told('members', others.body), ...told('query parameters', others.query)];
}

const fates = { refuse: 'are refused', ignore: 'are ignored', keep: 'are kept' } as const;

function answerEntries(operation: Operation, items: Items): readonly AnswerEntry[] {
  const { response } = operation;
  const answers = stated(response);
  if (answers === undefined)
    return response.kind === 'open'
      ? [{ status: openLine(response, 'answer'), when: null, headers: [], contents: [], open: [] }]
      : [];
  const sent = Map.groupBy(answersOf(operation, items), (one) => one.answer.when);
  return [...sent.values()].map((group) => answerEntry(group, answers.length > 1));
}

function answerEntry(group: readonly Answered[], isOneOfSeveral: boolean): AnswerEntry {
  const { answer } = group[0] as Answered;
  const { status, body } = answer;
  const codes = stated(status);
  return {
    status: codes ? line(codes.map(statusName).join(' or '), standingOf(status)) : openLine(status, 'status'),
    when: isOneOfSeveral ? whenText(answer) : null,
    headers: headerRows(answer),
    contents: group.flatMap(({ content }) => (content ? [contentEntry(content)] : [])),
    open: [
      ...(isAsked(answer.when) ? [openLine(answer.when, 'when')] : []),
      ...(isAsked(body) ? [openLine(body, 'body')] : []),
      ...(body.kind === 'stated' && body.assumed ? [line('the body', 'assumed')] : []),
    ],
  };
}

/** A status with its name (RFC 9110 §15). */
export function statusName(status: number): string {
  const name = STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}

function whenText({ when }: Answer): string {
  const said = stated(when);
  if (said === undefined) return isAsked(when) ? 'perhaps' : 'otherwise';
  return said.kind === 'outcomes' ? `if ${listed(said.outcomes, 'or')}` : `if ${written(said.expression)}`;
}

function headerRows({ headers }: Answer): readonly MemberRow[] {
  const shaped = new Map(fieldShapes(headers));
  return [...(fieldValues(headers) ?? [])].flatMap(([name, said]): MemberRow[] => {
    const value = stated(said);
    if (said.kind === 'none') return [];
    const fact = value ? line(written(value), standingOf(said)) : openLine(said, 'its value');
    const facts = said.kind === 'any' ? [line('any value')] : [fact];
    const field = shaped.get(name);
    if (!field) return [{ name, type: ['string'], isRequired: false, facts, description: null }];
    const schema = schemaOf(field.shape);
    return [
      {
        name,
        type: typeText(schema),
        isRequired: stated(field.required) === true,
        facts: [...boundsOf(schema).map((text) => line(text)), ...facts],
        description: null,
      },
    ];
  });
}
