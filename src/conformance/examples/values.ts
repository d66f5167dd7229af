import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import { unseen } from '../../semantics/judge/answer.ts';
import { payload } from '../../semantics/value/payload.ts';
import { plain } from '../../semantics/value/plain.ts';
import { isList, isObject, seen, unknown, type Value } from '../../semantics/value/value.ts';
import { Moment } from '../../semantics/world/moment.ts';
import { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import { type Exchange, header, jsonOf } from '../http.ts';
import { Unreached } from '../result.ts';

/** What the names of an example's expressions stand for: `NAME.status`, `NAME.headers` and `NAME.body` (language §4.6). */
export type Names = Readonly<Record<string, Value>>;

/** The content as expressions read it: JSON, or else text; undefined: there is none. */
export function contentOf(exchange: Exchange): Json | undefined {
  return jsonOf(exchange) ?? (exchange.response?.body || undefined);
}

/** The names of an example, by the answers to the examples before it. */
export function namesOf(example: Example, answers: readonly (readonly [string, Exchange])[]): Names {
  const read = templatesOf(example).flatMap(({ template }) =>
    expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax)),
  );
  return Object.fromEntries(
    answers.map(([name, exchange]) => {
      // Names of header fields match in any case: those that are read are there as they are written.
      const fields = read.filter(([first, part]) => first === name && part === 'headers');
      const headers = fields.flatMap(([, , field]) =>
        field === undefined ? [] : [[field, header(exchange.response, field) ?? null] as const],
      );
      const status = exchange.response?.status ?? null;
      const body = (contentOf(exchange) ?? null) as Value;
      return [name, { status, headers: Object.fromEntries(headers), body }] as const;
    }),
  );
}

function templatesOf({ by, request, response }: Example): readonly PlacedTemplate[] {
  const sent = stated(request);
  const expected = stated(response);
  const maps = [by, sent?.path, sent?.query, sent?.headers, expected?.headers];
  const all: readonly (Said<PlacedTemplate> | undefined)[] = [
    ...maps.flatMap((map) => [...((map && stated(map)?.values()) ?? [])]),
    sent?.body,
    expected?.body,
  ];
  return all.flatMap((said) => stated(said) ?? []);
}

/** The value of a template; unknown if it cannot be computed. */
function computed(template: Template, names: Names, specification: Specification): Value {
  try {
    return payload(template, new Moment(new World(specification), names).scope());
  } catch {
    return unknown([]);
  }
}

/**
 * A value that is sent.
 *
 * @param where its place in the request, for messages
 * @throws Unreached if an earlier answer lacks what it reads
 */
export function sentValue(
  template: Template,
  where: string,
  names: Names,
  specification: Specification,
): Json {
  const json = plain(computed(template, names, specification));
  const isMissing = where !== 'body' && template.kind !== 'literal' && (json === null || json === undefined);
  if (json !== undefined && !isMissing) return json;
  const read = expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax));
  throw new Unreached(
    `${where} reads ${read.map((path) => path.join('.')).join(', ')}, which the answer lacks`,
  );
}

/** A value that is expected. `unseen` stands for what may be anything: `(any)`, and what cannot be computed. */
export function expectedValue(template: Template, names: Names, specification: Specification): Json {
  return expected(computed(template, names, specification));
}

function expected(value: Value): Json {
  const known = plain(value);
  if (known !== undefined) return known;
  const found = seen(value);
  if (isList(found)) return found.map(expected);
  if (!isObject(found)) return unseen;
  return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, expected(member)]));
}
