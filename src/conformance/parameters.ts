import type { Json } from '../source/node.ts';
import { step } from '../specification/address.ts';
import type { Operation } from '../specification/operation.ts';
import type { Parameter } from '../specification/request.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { type Scenario, type Statement, scenario, statementAt, unreached } from './check.ts';
import { doesJustThat } from './guards.ts';
import { bounds } from './probes.ts';
import type { Listed } from './refusal.ts';
import { refusing } from './refusing.ts';
import { sample, varied } from './sample.ts';
import type { Schema } from './schema.ts';
import { succeeds } from './success.ts';
import { restsOf, type Trial } from './trial.ts';

/** Query parameters as shapes: what fits is taken, what does not is refused (language §4.2, H.4). */
export function parameters(trial: Trial, operation: Operation): Scenario[] {
  const { request } = operation;
  const inQuery = [...((request && stated(request.query)) ?? [])].flatMap(([, said]) => stated(said) ?? []);
  const inHeaders = [...((request && stated(request.headers)) ?? [])];
  const notRun = inHeaders.map(([name, { address, at }]) => ({
    name: 'parameter',
    says: `${operation.key} takes the header field ${name}`,
    cites: { address, at },
  }));
  return [
    ...inQuery.flatMap((parameter) => ofParameter(trial, operation, parameter)),
    ...(notRun.length > 0
      ? [unreached(trial.of, notRun, 'header fields of requests are not exercised by this version')]
      : []),
  ];
}

function ofParameter(trial: Trial, operation: Operation, parameter: Parameter): Scenario[] {
  const { of, tools } = trial;
  const { name, address, at } = parameter;
  // A parameter without a type is text (language §E.13).
  const schema: Schema = { type: 'string', ...schemaOf(parameter.shape) };
  const whole = { address, at };
  const isList = schema['type'] === 'array';
  const found = bounds(schema, tools).filter(({ place }) => place.length === 0);
  const scenarios = found.flatMap(({ keyword, inside, outside }) => {
    const cites = statementAt(of, step(address, keyword), whole);
    const texts = keyword === 'type' ? wrongTexts(schema) : outside.flatMap(({ value }) => asText(value));
    const reason = (text: string): Listed => ({
      field: name,
      keyword,
      value: text,
      limit: schema[keyword] ?? null,
      about: `query.${name}`,
    });
    return [
      ...inside
        .flatMap(({ value }) => asText(value))
        .map((text) => taken(trial, operation, name, text, cites)),
      ...texts.map((text) =>
        refused(
          trial,
          operation,
          `${name}=${text}`,
          [`${encode(name)}=${encode(text)}`],
          cites,
          keyword,
          [reason(text)],
          name,
        ),
      ),
    ];
  });
  const one = asText(tools.valid(schema, 'most') ?? null)[0];
  if (stated(parameter.required) === true)
    scenarios.push(
      refused(
        trial,
        operation,
        `no ${name}`,
        [],
        { address: parameter.required.address, at: parameter.required.at },
        'required',
        [{ field: name, keyword: 'required', value: null, limit: null, about: `query.${name}` }],
        name,
      ),
    );
  if (one !== undefined && !isList)
    scenarios.push(
      refused(
        trial,
        operation,
        `${name} given twice`,
        [`${encode(name)}=${encode(one)}`, `${encode(name)}=${encode(one)}`],
        whole,
        'twice',
        null,
        name,
      ),
    );
  return scenarios;
}

const encode = encodeURIComponent;

/** A value as a parameter spells it; none for what text cannot be. */
function asText(value: Json): string[] {
  return typeof value === 'object' || value === '' ? [] : [String(value)];
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

function taken(trial: Trial, operation: Operation, name: string, text: string, cites: Statement): Scenario {
  const says = `${operation.key} with the parameter ${name}=${text}`;
  const query = `${encode(name)}=${encode(text)}`;
  return scenario(trial.of, restsOf(operation), () => sample(trial, operation, { query, omit: [name] }), [
    succeeds(trial, operation, says, [], cites),
  ]);
}

function refused(
  trial: Trial,
  operation: Operation,
  label: string,
  query: readonly string[],
  cites: Statement,
  keyword: string,
  failures: readonly Listed[] | null,
  name: string,
): Scenario {
  return refusing(trial, {
    says: `${operation.key} with ${label === `no ${name}` ? label : `the parameter ${label}`}`,
    operation,
    cites,
    reasons: [{ name: 'invalid', subject: `query.${name}.${keyword}`, failures }],
    must: doesJustThat(trial.of, operation),
    ...varied(trial, operation, () => ({
      omit: [name],
      ...(query.length > 0 && { query: query.join('&') }),
    })),
  });
}
