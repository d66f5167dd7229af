import type { Json } from '../source/node.ts';
import { type Operation, queryParameters } from '../specification/model/operation.ts';
import { step } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import type { Parameter } from '../specification/vocabulary/request.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { type Scenario, type Statement, scenario, statementAt } from './check.ts';
import { doesJustThat, ownConditions } from './guards.ts';
import { packed } from './hostile.ts';
import { namesFor } from './names.ts';
import { type Bound, bounds } from './probes.ts';
import type { Listed } from './refusal.ts';
import { refusing } from './refusing.ts';
import { sample, varied } from './sample.ts';
import type { Schema } from './schema.ts';
import { workOut } from './solve.ts';
import { succeeds } from './success.ts';
import { type Attempt, restsOf, type Trial } from './trial.ts';

/** Where a parameter stands, and what it is called in conditions (language §H.4). */
type Where = 'path' | 'query' | 'headers';

/** Parameters of the path that are only text, of the query, and in header fields, as shapes: what fits is taken, what does not is refused (language §4.2, H.4). */
export function parameters(trial: Trial, operation: Operation): Scenario[] {
  const { request } = operation;
  const inQuery = queryParameters(operation);
  const inHeaders = [...((request && stated(request.headers)) ?? [])].flatMap(
    ([, said]) => stated(said) ?? [],
  );
  const inPath = [...operation.bindings.values()].flatMap((one) =>
    one.kind === 'text' && one.parameter ? [one.parameter] : [],
  );
  return [
    ...inPath.flatMap((parameter) => ofParameter(trial, operation, parameter, 'path')),
    ...inQuery.flatMap((parameter) => ofParameter(trial, operation, parameter, 'query')),
    ...inHeaders.flatMap((parameter) => ofParameter(trial, operation, parameter, 'headers')),
  ];
}

function ofParameter(trial: Trial, operation: Operation, parameter: Parameter, where: Where): Scenario[] {
  const { of, tools } = trial;
  const { name, address, at, roles } = parameter;
  // A parameter without a type is text (language §E.13).
  const schema: Schema = { type: 'string', ...schemaOf(parameter.shape) };
  const whole = { address, at };
  const isList = schema['type'] === 'array';
  // Of these a value that fits need not be one that is anybody's.
  const isKey =
    ['cursor', 'after', 'before'].includes(stated(roles.page) ?? '') || stated(roles.sort) !== undefined;
  const about = `${where}.${name}`;
  // A list is given as the usual style has it (OpenAPI 3.2): in a query each element by itself (`form`, exploded), in a
  // header field with commas (`simple`); another is not written.
  const isPlain =
    where === 'headers'
      ? (stated(roles.style) ?? 'simple') === 'simple'
      : where === 'query' && (stated(roles.style) ?? 'form') === 'form' && stated(roles.explode) !== false;
  const isJson = stated(roles.style) === 'json';
  const asTexts = (value: Json): (readonly string[])[] => {
    if (isJson) return textOf(JSON.stringify(value), where).map((text) => [text]);
    if (!isList) return textOf(value, where).map((text) => [text]);
    const elements = Array.isArray(value) ? (value as Json[]).map((one) => textOf(one, where)) : [];
    const isGiven = isPlain && elements.length > 0 && elements.every((one) => one.length > 0);
    if (!isGiven || where === 'query') return isGiven ? [elements.flat()] : [];
    return elements.flat().every((one) => !/[,%]/.test(one)) ? [[elements.flat().join(',')]] : [];
  };
  const refuse = (
    label: string,
    values: readonly string[],
    cites: Statement,
    keyword: string,
    failures: readonly Listed[] | null,
  ): Scenario =>
    refusing(trial, {
      says: `${operation.key} with ${label}`,
      operation,
      cites,
      reasons: [{ name: 'invalid', subject: `${about}.${keyword}`, failures }],
      must: doesJustThat(of, operation),
      ...varied(trial, operation, () => ({ omit: [name], ...given(where, name, values) })),
    });
  const take = (texts: readonly string[], cites: Statement): Scenario =>
    scenario(
      of,
      restsOf(operation),
      () => sample(trial, operation, { omit: [name], ...given(where, name, texts) }),
      [succeeds(trial, operation, `${operation.key} with ${labelled(where, name, texts)}`, [], cites)],
    );
  /** Whether no expression of one's own refuses every request with this value. */
  const isFree = (texts: readonly string[]): boolean => {
    const query = given(where, name, texts).query ?? '';
    const request = { method: operation.method, url: `?${query}`, headers: [], body: null };
    const names = namesFor(trial, { operation, request });
    return !ownConditions(of, operation).some(({ condition }) => workOut(condition.template, names) === true);
  };
  const isOwn = ({ place: [first, ...inner] }: Bound): boolean =>
    first === undefined || (isList && first === 'items' && inner.length === 0);
  const found = bounds(schema, tools).filter(isOwn);
  const scenarios = found.flatMap(({ keyword, place, inside, outside }) => {
    const isOfElement = place.length > 0;
    const cites = statementAt(of, step(isOfElement ? step(address, 'items') : address, keyword), whole);
    const typed = isOfElement ? tools.resolve(schema['items'] as Schema) : schema;
    const values =
      keyword === 'type' && !isJson
        ? wrongTexts(typed).map((text) => [text])
        : outside.flatMap(({ value }) => asTexts(value));
    const listed = (text: string): Listed => ({
      field: name,
      keyword,
      value: text,
      limit: schema[keyword] ?? null,
      about,
    });
    return [
      ...(isKey ? [] : inside)
        .flatMap(({ value }) => asTexts(value))
        .filter(isFree)
        .map((texts) => ({ ...take(texts, cites), about: `${keyword} ${texts}` })),
      ...values.map((texts) => {
        const [only, ...further] = texts;
        const failures = only === undefined || further.length > 0 || isList || isJson ? null : [listed(only)];
        return refuse(labelled(where, name, texts), texts, cites, keyword, failures);
      }),
    ];
  });
  const usual = [0, 1, 2, 3, 4, 5].flatMap(() => asTexts(tools.valid(schema, 'most') ?? null));
  const one = usual.find(isFree) ?? usual[0];
  if (one !== undefined && isFree(one) && !isKey && found.every(({ inside }) => inside.length === 0))
    scenarios.push(take(one, whole));
  const admits = (text: string): boolean => tools.failures(schema, text).length === 0;
  const isText = schema['type'] === 'string' && stated(roles.taken) === undefined;
  // What the text of a request that changes something may bring about is not looked at here.
  if (isText && !isKey && operation.method === 'GET')
    for (const text of packed(admits))
      for (const texts of asTexts(text).filter(isFree)) scenarios.push(take(texts, whole));
  const { required } = parameter;
  if (stated(required) === true && where !== 'path')
    scenarios.push(
      refuse(`no ${name}`, [], { address: required.address, at: required.at }, 'required', [
        { field: name, keyword: 'required', value: null, limit: null, about },
      ]),
    );
  if (one !== undefined && !isList && where === 'query')
    scenarios.push(refuse(`the parameter ${name} given twice`, [...one, ...one], whole, 'twice', null));
  return scenarios;
}

function labelled(where: Where, name: string, texts: readonly string[]): string {
  const shown = texts.length > 1 ? `[${texts.join(', ')}]` : texts.join();
  return where === 'headers' ? `the header field ${name}: ${shown}` : `the parameter ${name}=${shown}`;
}

/** A parameter as it is given with a request: as often as there are values. */
function given(where: Where, name: string, values: readonly string[]): Attempt {
  if (values.length === 0) return {};
  if (where === 'headers') return { headers: values.map((value) => [name, value] as const) };
  if (where === 'path') return { path: { [name]: values.join() } };
  const encode = encodeURIComponent;
  return { query: values.map((value) => `${encode(name)}=${encode(value)}`).join('&') };
}

/** What may stand where: in a header field what RFC 9110 §5.5 admits, in a path nothing that parts one. */
const spelled: Readonly<Record<Where, RegExp>> = {
  path: /^(?!\.*$)[^/\\]+$/,
  query: /^/,
  headers: /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
};

/** A value as a parameter spells it; none for what text, or its place, cannot hold. */
function textOf(value: Json, where: Where): string[] {
  const text = typeof value === 'object' ? '' : String(value);
  return text !== '' && spelled[where].test(text) ? [text] : [];
}

/** Text that is no value of a type: everything is text, so text itself has none. */
function wrongTexts(schema: Schema): string[] {
  switch (schema['type']) {
    case 'integer':
      return ['five', '1.5'];
    case 'number':
      return ['five'];
    case 'boolean':
      return ['yes'];
    default:
      return [];
  }
}
