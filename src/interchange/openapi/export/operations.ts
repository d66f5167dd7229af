import { get, type Json, json, type Node } from '../../../source/node.ts';
import { ruleOf } from '../../../specification/model/authorization.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import { mayLackContent, type Parameter } from '../../../specification/vocabulary/request.ts';
import type { Items } from '../../schemas/items.ts';
import {
  type Answered,
  answersOf,
  asSent,
  bodiesTaken,
  type Content,
  schemaOfParameter,
  schemaOfPath,
} from '../../schemas/operations.ts';
import { type Schema, union } from '../../schemas/schema.ts';
import { keyWords, preconditionWords } from '../../wording/protocol.ts';
import { namingExtension } from '../extensions.ts';
import { textsOf } from '../summary.ts';
import { annotated, descriptionAt } from './annotated.ts';
import { headerObjects } from './headers.ts';
import { type Coded, reason, refusal, refusalsOf, statusesOf } from './refusals.ts';
import { defined, type JsonObject, unlessEmpty, written } from './schema.ts';

/** What the operations of a specification have in common. */
export interface Writing {
  readonly of: Specification;
  readonly items: Items;
  readonly rows: readonly Coded[];
  /** The content of answers to refusals; undefined: nobody says. */
  readonly payload: JsonObject | undefined;
  /** The schemes that the description has. */
  readonly schemes: readonly string[];
}

/** The operations that have one method and path, as the one operation that OpenAPI can have there. */
export function operationObject(operations: readonly Operation[], writing: Writing): JsonObject {
  const [first] = operations as readonly [Operation];
  const { of, items } = writing;
  const bodies = operations.map((operation) => {
    const body = get(get(nodeOf(operation, of), 'request'), 'body');
    return bodiesTaken(of, operation, items).map((content) => withAnnotations(content, body));
  });
  const name = stated(first.endpoint.operation)?.text;
  return defined({
    operationId: name,
    ...textsOf(name ?? withoutName(first.key), descriptionAt(nodeOf(first, of))),
    security: securityOf(first, writing),
    parameters: parametersOf(operations, writing),
    requestBody: bodyObject(
      bodies.flat(),
      bodies.every((each) => each.length > 0) && !operations.some(({ request }) => mayLackContent(request)),
      descriptionAt(get(nodeOf(first, of), 'request')),
    ),
    responses: responsesOf(operations, writing),
  });
}

/** The method and path of an operation, which may be one of several there. */
export function withoutName(key: string): string {
  return key.split(' ').slice(0, 2).join(' ');
}

/** The operation as it is written. */
function nodeOf({ key }: Operation, { tree }: Specification): Node | undefined {
  return get(get(tree, 'endpoints'), key);
}

function withAnnotations(content: Content, shape: Node | undefined): Content {
  return { ...content, schema: annotated(content.schema, shape) as Schema };
}

/** The answers of an operation, with what is told people of each. */
function answersTold(operation: Operation, { of, items }: Writing): readonly Told[] {
  const written = get(nodeOf(operation, of), 'response');
  const nodes = written?.kind === 'list' ? written.items : [written];
  const all = stated(operation.response) ?? [];
  const marks = marksOf(operation);
  return answersOf(operation, items).map((answered) => {
    const node = nodes[all.indexOf(answered.answer)];
    const content = answered.content && withAnnotations(answered.content, get(node, 'shape'));
    const own = headerObjects(answered.answer.headers, get(node, 'headers'));
    const headers = marks || own ? { ...marks, ...own } : undefined;
    return { ...answered, content, headers, description: descriptionAt(node) };
  });
}

/** The fields that mark a repeated answer (language §4.4). */
function marksOf({ endpoint }: Operation): JsonObject | undefined {
  const idempotency = stated(endpoint.idempotency);
  const replay = idempotency && stated(idempotency.replay);
  const names = [...((replay && stated(replay.headers)) ?? [])].map(([name]) => name);
  const mark = { description: 'Marks a repeated answer.', schema: { type: 'string' } };
  return unlessEmpty(Object.fromEntries(names.map((name) => [name, mark])));
}

interface Told extends Answered {
  readonly headers: JsonObject | undefined;
  readonly description: string | undefined;
}

function parametersOf(operations: readonly Operation[], { of, items }: Writing): Json | undefined {
  const found = new Map<string, JsonObject>();
  for (const operation of operations) {
    const request = get(nodeOf(operation, of), 'request');
    for (const segment of operation.path) {
      if (!('parameter' in segment)) continue;
      const { parameter: name } = segment;
      found.set(`path ${name}`, pathObject(name, operation, get(get(request, 'path'), name), of, items));
    }
    for (const [place, said, node] of [
      ['query', operation.request?.query, get(request, 'query')],
      ['header', operation.request?.headers, get(request, 'headers')],
    ] as const)
      for (const [name, each] of (said && stated(said)) ?? []) {
        const parameter = stated(each);
        if (parameter)
          found.set(`${place} ${name}`, parameterObject(place, parameter, get(node, name), of, items));
      }
    const listed = new Set([...found.keys()].map((each) => each.toLowerCase()));
    for (const header of headersOf(operation)) {
      const name = `header ${header['name']}`;
      // A parameter says more of the field.
      if (!listed.has(name.toLowerCase())) found.set(name, header);
    }
  }
  return found.size > 0 ? [...found.values()] : undefined;
}

/** A parameter of the path. One of which the shape is stated says itself which item it names. */
function pathObject(
  name: string,
  operation: Operation,
  node: Node | undefined,
  of: Specification,
  items: Items,
): JsonObject {
  const { description, ...schema } = annotated(
    written(schemaOfPath(of, operation, name, items)),
    node,
  ) as JsonObject;
  const { is, roles } = operation.bindings.get(name)?.parameter ?? {};
  const style = roles && stated(roles.style);
  return defined({
    ...{ name, in: 'path', description, required: true },
    style: style === 'json' ? undefined : style,
    explode: roles && stated(roles.explode),
    schema,
    [namingExtension]: is?.kind === 'stated' ? json(get(node, 'is') as Node) : undefined,
  });
}

function parameterObject(
  place: 'query' | 'header',
  parameter: Parameter,
  node: Node | undefined,
  of: Specification,
  items: Items,
): JsonObject {
  const { name, default: fallback, required, roles } = parameter;
  const annotation = annotated(written(schemaOfParameter(of, parameter, items)), node) as JsonObject;
  const { description, ...own } = annotation;
  const value = stated(fallback);
  const schema = value === undefined ? own : { ...own, default: value };
  const style = stated(roles.style);
  const given = defined({
    ...{ name, in: place, description },
    required: stated(required) === true ? true : undefined,
  });
  if (style === 'json') return { ...given, content: { 'application/json': { schema } } };
  return defined({ ...given, style, explode: stated(roles.explode), schema });
}

/** The header fields by which a request may be repeated, or tells what it knows (language §4.4, §4.6). */
export function headersOf({ endpoint }: Operation): readonly JsonObject[] {
  const repeated = stated(endpoint.idempotency);
  const conditional = stated(endpoint.conditional);
  const header = (name: string, isRequired: boolean, description: string): JsonObject => ({
    ...{ name, in: 'header', description, ...(isRequired && { required: true }) },
    schema: { type: 'string' },
  });
  const key = repeated && stated(repeated.header);
  const match = conditional && stated(conditional.ifMatch);
  const none = conditional && stated(conditional.ifNoneMatch);
  return [
    ...(repeated && key !== undefined
      ? [header(key, stated(repeated.required) === true, keyWords(repeated))]
      : []),
    ...(match ? [header('If-Match', match === 'required', preconditionWords['If-Match'])] : []),
    ...(none ? [header('If-None-Match', false, preconditionWords['If-None-Match'])] : []),
  ];
}

function bodyObject(
  contents: readonly Content[],
  isRequired: boolean,
  description: string | undefined,
): Json | undefined {
  if (contents.length === 0) return undefined;
  return defined({ description, required: isRequired ? true : undefined, content: contentObject(contents) });
}

/** Content by media type. What a client writes of a resource stands there itself: what is shown of it differs. */
function contentObject(contents: readonly Content[]): JsonObject {
  const byMedia = Map.groupBy(contents, ({ media }) => media ?? 'application/json');
  const entries = [...byMedia].map(
    ([media, all]) => [media, { schema: written(union(all.map(asSent))) }] as const,
  );
  return Object.fromEntries(entries);
}

function responsesOf(operations: readonly Operation[], writing: Writing): JsonObject {
  const answers = operations.flatMap((operation) => answersTold(operation, writing));
  const successes = new Map<number, Told[]>();
  for (const answer of answers)
    for (const status of answer.statuses) successes.set(status, [...(successes.get(status) ?? []), answer]);
  const refused = operations.flatMap((operation) => refusalsOf(writing.of, operation, writing.rows));
  const byStatus = new Map<number | 'default', Coded[]>();
  for (const coded of new Set(refused))
    for (const status of statusesOf(coded.row))
      byStatus.set(status, [...(byStatus.get(status) ?? []), coded]);
  const found: Record<string, Json> = {};
  for (const [status, all] of successes) found[status] = answerObject(status, all);
  for (const [status, all] of byStatus)
    if (!(status in found)) found[status] = refusedObject(status, all, writing);
  return found;
}

function answerObject(status: number, answers: readonly Told[]): JsonObject {
  const contents = answers.flatMap(({ content }) => (content ? [content] : []));
  const headers = Object.assign({}, ...answers.map((answer) => answer.headers)) as JsonObject;
  return defined({
    description: answers.find(({ description }) => description !== undefined)?.description ?? reason(status),
    headers: unlessEmpty(headers),
    content: contents.length > 0 ? contentObject(contents) : undefined,
  });
}

/** The rows of one status: a component, if it is one row. */
function refusedObject(status: number | 'default', rows: readonly Coded[], { payload }: Writing): JsonObject {
  const [first, second] = rows;
  if (first && !second) return { $ref: `#/components/responses/${first.code}` };
  const codes = rows.map(({ code }) => code);
  return { ...refusal(`${reason(status)}: ${codes.join(', ')}`, payload), 'x-tacet-codes': codes };
}

/** What a request has to bring, by the rule of an operation; an empty alternative: it need not bring anything. */
function securityOf(operation: Operation, { of, schemes }: Writing): Json | undefined {
  const authentication = stated(of.authentication);
  if (authentication === undefined || schemes.length === 0) return undefined;
  const rule = stated(ruleOf(authentication, operation));
  const grants = rule && stated(rule.rule);
  if (rule === undefined || grants === undefined) return undefined;
  const wanted = stated(rule.schemes) ?? schemes.map((text) => [{ text, scopes: [] }]);
  const alternatives = wanted
    .filter((all) => all.every(({ text }) => schemes.includes(text)))
    .map((all) =>
      Object.fromEntries(all.map(({ text, scopes }) => [text, scopes.map((scope) => scope.text)])),
    );
  const isFree = grants.some(({ kind }) => kind === 'anyone');
  return isFree ? [{}, ...alternatives] : alternatives;
}
