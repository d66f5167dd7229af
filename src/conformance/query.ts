import { pathsRead } from '../expression/expression.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { type Operation, queryParameters } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Parameter } from '../specification/vocabulary/request.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { literalsIn } from './foresee/hints.ts';
import { ownConditions } from './guards.ts';
import { namesFor } from './names.ts';
import { isHole } from './partly.ts';
import { type Names, workOut } from './solve.ts';
import { parameterText } from './spell.ts';
import type { Attempt, Trial } from './trial.ts';
import { worldOf } from './world.ts';

/** How many combinations of query parameters are tried. */
const most = 64;

/** A parameter of the query as it is given, or not: its name, and its value as text. */
type Given = readonly (readonly [string, Json])[];

/**
 * The query that a usual request brings: the parameters that must be given, and those with which no expression of
 * one's own refuses (language §H.4, 15), or with which just the one of `attempt.holding` does.
 */
export function queryFor(trial: Trial, operation: Operation, attempt: Attempt): readonly string[] {
  const { omit = [] } = attempt;
  const free = queryParameters(operation).filter(({ name }) => !omit.includes(name));
  const usual: Given = free.flatMap((one) =>
    stated(one.required) === true ? [[one.name, usualOf(trial, one)] as const] : [],
  );
  return written(chosen(trial, operation, attempt, free, usual) ?? usual);
}

/** Whether a request can be made of which just one expression of one's own holds: its row is `attempt.holding`. */
export function canHold(trial: Trial, operation: Operation, attempt: Attempt): boolean {
  return chosen(trial, operation, attempt, queryParameters(operation), []) !== null;
}

function chosen(
  trial: Trial,
  operation: Operation,
  attempt: Attempt,
  free: readonly Parameter[],
  usual: Given,
): Given | null {
  const own = ownConditions(trial.of, operation);
  if (own.length === 0) return usual;
  const read = own.flatMap(({ condition }) => expressionsIn(condition.template)).map(({ syntax }) => syntax);
  const paths = read.flatMap(pathsRead);
  const deciding = free.filter(({ name }) =>
    paths.some(([, query, one]) => query === 'query' && one === name),
  );
  const literals = read.flatMap(literalsIn);
  const fields = paths.flatMap(([first, name]) =>
    first === 'this' ? (attempt.item?.known.get(name ?? '') ?? []) : [],
  );
  const rest = usual.filter(([name]) => !deciding.some((one) => one.name === name));
  let best: { readonly given: Given; readonly unknown: number } | null = null;
  for (const given of combinations(trial, deciding, [...fields, ...literals])) {
    const names = namesOf(trial, operation, attempt, [...rest, ...given]);
    const values = own.map(({ code, condition }) => ({ code, value: workOut(condition.template, names) }));
    const isWanted = values.every(({ code, value }) => (value === true) === (code === attempt.holding));
    const unknown = values.filter(({ value }) => isHole(value)).length;
    if (isWanted && (best === null || unknown < best.unknown)) best = { given: [...rest, ...given], unknown };
    if (best?.unknown === 0) break;
  }
  return best?.given ?? null;
}

/** Each parameter left out, where it may be, and with each of a few values. */
function combinations(trial: Trial, parameters: readonly Parameter[], hints: readonly Json[]): Given[] {
  let found: Given[] = [[]];
  for (const parameter of parameters) {
    const isRequired = stated(parameter.required) === true;
    const options = [
      ...(isRequired ? [] : [[]]),
      ...valuesOf(trial, parameter, hints).map((value): Given => [[parameter.name, value]]),
    ];
    found = found.flatMap((one) => options.map((option) => [...one, ...option])).slice(0, most);
  }
  return found;
}

/** Values that fit a parameter, those first that an expression names. */
function valuesOf(trial: Trial, parameter: Parameter, hints: readonly Json[]): readonly Json[] {
  // What an expression names is of no use as a JSON text, most often.
  if (stated(parameter.roles.style) === 'json') return [usualOf(trial, parameter)];
  const schema = { type: 'string', ...schemaOf(parameter.shape) } as ReturnType<typeof schemaOf>;
  const { enum: listed } = schema;
  const all = [...hints, ...(Array.isArray(listed) ? (listed as Json[]) : []), true, false];
  const fitting = all.filter((value) => trial.tools.failures(schema, value).length === 0);
  return [...new Set([...fitting.slice(0, 6), usualOf(trial, parameter)])];
}

function usualOf({ tools }: Trial, parameter: Parameter): Json {
  return parameterText(parameter, tools.valid(schemaOf(parameter.shape), 'least') ?? '');
}

function namesOf(trial: Trial, operation: Operation, attempt: Attempt, given: Given): Names {
  const query = [...written(given), ...(attempt.query === undefined ? [] : [attempt.query])].join('&');
  const { raw, body, item, others } = attempt;
  return namesFor(trial, {
    operation,
    request: { method: operation.method, url: `?${query}`, headers: [], body: null },
    given: raw === undefined ? body : undefined,
    item: item ?? null,
    ...(others && { others }),
    world: worldOf(trial),
  });
}

function written(given: Given): readonly string[] {
  return given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
}
