import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import { type Exchange, header, jsonOf } from '../http.ts';
import type { Names } from '../solve.ts';

/** The content as expressions read it: JSON, or else text; undefined: there is none. */
export function contentOf(exchange: Exchange): Json | undefined {
  return jsonOf(exchange) ?? (exchange.response?.body || undefined);
}

/** What the names of an example's expressions stand for: `NAME.status`, `NAME.headers` and `NAME.body` (language §4.6). */
export function namesOf(example: Example, answers: readonly (readonly [string, Exchange])[]): Names {
  const read = templatesOf(example).flatMap(({ template }) =>
    expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax)),
  );
  return new Map(
    answers.map(([name, exchange]) => {
      // Names of header fields match in any case: those that are read are there as they are written.
      const fields = read.filter(([first, part]) => first === name && part === 'headers');
      const headers = fields.flatMap(([, , field]) =>
        field === undefined ? [] : [[field, header(exchange.response, field) ?? null] as const],
      );
      const status = exchange.response?.status ?? null;
      const body = contentOf(exchange) ?? null;
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
