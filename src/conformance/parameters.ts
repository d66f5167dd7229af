import type { Json } from '../source/node.ts';
import { step } from '../specification/address.ts';
import type { Operation } from '../specification/operation.ts';
import type { Parameter } from '../specification/request.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { type Scenario, type Statement, scenario, statementAt } from './check.ts';
import { doesJustThat, ownConditions } from './guards.ts';
import { namesFor } from './names.ts';
import { bounds } from './probes.ts';
import type { Listed } from './refusal.ts';
import { refusing } from './refusing.ts';
import { sample, varied } from './sample.ts';
import type { Schema } from './schema.ts';
import { workOut } from './solve.ts';
import { succeeds } from './success.ts';
import { type Attempt, restsOf, type Trial } from './trial.ts';

/** Where a parameter stands, and what it is called in conditions (language §H.4). */
type Where = 'query' | 'headers';

/** Parameters of the query and in header fields, as shapes: what fits is taken, what does not is refused (language §4.2, H.4). */
export function parameters(trial: Trial, operation: Operation): Scenario[] {
  const { request } = operation;
  const inQuery = [...((request && stated(request.query)) ?? [])].flatMap(([, said]) => stated(said) ?? []);
  const inHeaders = [...((request && stated(request.headers)) ?? [])].flatMap(
    ([, said]) => stated(said) ?? [],
  );
  return [
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
  const asText = (value: Json): string[] => textOf(value, where);
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
  const take = (text: string, cites: Statement): Scenario =>
    scenario(
      of,
      restsOf(operation),
      () => sample(trial, operation, { omit: [name], ...given(where, name, [text]) }),
      [succeeds(trial, operation, `${operation.key} with ${labelled(where, name, text)}`, [], cites)],
    );
  /** Whether no expression of one's own refuses every request with this value. */
  const isFree = (text: string): boolean => {
    const query = given(where, name, [text]).query ?? '';
    const request = { method: operation.method, url: `?${query}`, headers: [], body: null };
    const names = namesFor(trial, { operation, request });
    return !ownConditions(of, operation).some(({ condition }) => workOut(condition.template, names) === true);
  };
  const found = bounds(schema, tools).filter(({ place }) => place.length === 0);
  const scenarios = found.flatMap(({ keyword, inside, outside }) => {
    const cites = statementAt(of, step(address, keyword), whole);
    const texts = keyword === 'type' ? wrongTexts(schema) : outside.flatMap(({ value }) => asText(value));
    const listed = (text: string): Listed => ({
      field: name,
      keyword,
      value: text,
      limit: schema[keyword] ?? null,
      about,
    });
    return [
      ...(isKey ? [] : inside)
        .flatMap(({ value }) => asText(value))
        .filter(isFree)
        .map((text) => take(text, cites)),
      ...texts.map((text) => refuse(labelled(where, name, text), [text], cites, keyword, [listed(text)])),
    ];
  });
  const usual = [0, 1, 2, 3, 4, 5].flatMap(() => asText(tools.valid(schema, 'most') ?? null));
  const one = usual.find(isFree) ?? usual[0];
  if (one !== undefined && isFree(one) && !isKey && found.every(({ inside }) => inside.length === 0))
    scenarios.push(take(one, whole));
  const { required } = parameter;
  if (stated(required) === true)
    scenarios.push(
      refuse(`no ${name}`, [], { address: required.address, at: required.at }, 'required', [
        { field: name, keyword: 'required', value: null, limit: null, about },
      ]),
    );
  if (one !== undefined && !isList && where === 'query')
    scenarios.push(refuse(`the parameter ${name} given twice`, [one, one], whole, 'twice', null));
  return scenarios;
}

function labelled(where: Where, name: string, text: string): string {
  return where === 'query' ? `the parameter ${name}=${text}` : `the header field ${name}: ${text}`;
}

/** A parameter as it is given with a request: as often as there are values. */
function given(where: Where, name: string, values: readonly string[]): Attempt {
  if (values.length === 0) return {};
  if (where === 'headers') return { headers: values.map((value) => [name, value] as const) };
  const encode = encodeURIComponent;
  return { query: values.map((value) => `${encode(name)}=${encode(value)}`).join('&') };
}

/** A value as a parameter spells it; none for what text, or a header field (RFC 9110 §5.5), cannot be. */
function textOf(value: Json, where: Where): string[] {
  const text = typeof value === 'object' ? '' : String(value);
  const isSpelled = where === 'query' || /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  return text !== '' && isSpelled ? [text] : [];
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
