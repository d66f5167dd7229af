import { any, integer, object, type Type } from '../../expression/type.ts';
import type { Operation } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import { type Reading, unknownName } from '../reading/reading.ts';
import { type Said, stated } from '../reading/said.ts';
import type { PlacedTemplate } from '../reading/templates.ts';
import type { Example } from '../vocabulary/endpoint/examples.ts';
import { circles } from './circles.ts';
import { nameAt, useGiven } from './names.ts';
import type { Typing } from './typing.ts';

type Of = Specification;
type Templates = ReadonlyMap<string, Said<PlacedTemplate>>;

/** What an expression reads of the answer to another example. */
const answer: Type = object([
  ['status', integer],
  ['headers', object([], true)],
  ['body', any],
]);

/** What examples name is there, and none of them comes before itself (language §4.6). */
export function checkExamples(of: Of, typing: Typing, reading: Reading): void {
  const all = new Map<string, Example>();
  for (const { name, endpoint } of of.operations)
    for (const [example, said] of endpoint.examples) {
      const found = stated(said);
      if (found) all.set(`${name}.${example}`, found);
    }
  for (const operation of of.operations)
    for (const said of operation.endpoint.examples.values()) {
      const example = stated(said);
      if (example) checkExample(of, operation, example, [...all.keys()], typing, reading);
    }
  const graph = [...all].map(([name, { after }]) => {
    const needs = [...earlier(after)].map(({ text }) => text);
    return [name, { at: after.kind === 'stated' ? after.at : null, needs }] as const;
  });
  circles(new Map(graph), (names, at) => reading.report('example-circle', at, { names }));
}

function* earlier(after: Example['after']) {
  for (const said of stated(after)?.values() ?? []) {
    const name = stated(said);
    if (name) yield name;
  }
}

function checkExample(
  of: Of,
  operation: Operation,
  { after, by, request, response }: Example,
  known: readonly string[],
  typing: Typing,
  reading: Reading,
): void {
  for (const { text, at } of earlier(after)) {
    reading.use('operation', text.slice(0, text.lastIndexOf('.')), at);
    if (!known.includes(text)) unknownName(text, at, 'an example, OPERATION.EXAMPLE', known, reading);
  }
  const more = [...(stated(after)?.keys() ?? [])].map((name) => [name, answer] as const);
  const standing = { situation: 'example', subject: null, bound: [], more } as const;
  const sent = stated(request);
  const expected = stated(response);
  const maps: readonly (Said<Templates> | undefined)[] = [
    ...[by, sent?.path, sent?.query, sent?.headers, expected?.headers],
  ];
  for (const map of maps)
    for (const one of (map && stated(map)?.values()) ?? []) typing.template(one, standing);
  for (const body of [sent?.body, expected?.body]) if (body) typing.template(body, standing);
  if (sent) useGiven(of, operation, sent, reading);
  checkSchemes(of, by, reading);
  checkPath(of, operation, request, reading);
}

function checkSchemes(of: Of, by: Example['by'], reading: Reading): void {
  const schemes = stated(stated(of.authentication)?.schemes);
  const closed = of.completeness.closed('authentication.schemes') ?? of.completeness.closed('authentication');
  if (schemes === undefined && closed === undefined) return;
  for (const [name, said] of stated(by) ?? []) {
    reading.use('scheme', name, nameAt(of, said));
    if (!schemes?.has(name))
      unknownName(name, nameAt(of, said), 'a scheme', [...(schemes?.keys() ?? [])], reading);
  }
}

/** A request gives each parameter of its path, and no other. */
function checkPath(of: Of, { path }: Operation, request: Example['request'], reading: Reading): void {
  const wanted = path.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  const said = stated(request)?.path;
  const given = said && stated(said);
  for (const [name, one] of given ?? [])
    if (!wanted.includes(name))
      unknownName(name, nameAt(of, one), 'a parameter of the path', wanted, reading);
  if (request.kind !== 'stated') return;
  const left = wanted.filter((name) => !given?.has(name));
  if (left.length === 0) return;
  const problem = `the request of an example gives each parameter of the path, and not ${left.join(', ')}`;
  reading.report('contradiction', request.at, { problem });
}
