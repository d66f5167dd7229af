import { get } from '../source/node.ts';
import { type Span, span } from '../source/text.ts';
import type { Operation } from '../specification/model/operation.ts';
import { parameterName, parameterPlaces, parametersAt } from '../specification/model/parameters.ts';
import type { Specification } from '../specification/model/specification.ts';
import { steps } from '../specification/reading/address.ts';
import type { Outline } from '../specification/reading/document.ts';
import type { NameUse } from '../specification/reading/name-use.ts';
import { stated } from '../specification/reading/said.ts';
import { nameAt } from '../specification/rules/names.ts';

/** A parameter that is declared: its name with its operation, what is written, and where. */
export interface DeclaredParameter {
  readonly name: string;
  readonly word: string;
  readonly at: Span;
}

/** Where the parameters of operations are declared: where the request states them, else in the path. */
export function* declaredParameters(of: Specification, outlined: Outline): Generator<DeclaredParameter> {
  for (const operation of of.operations) {
    const implied = impliedFields(operation);
    for (const place of parameterPlaces) {
      const said = operation.request && stated(operation.request[place]);
      for (const word of parametersAt(operation, place)) {
        if (place === 'path' && implied.has(word)) continue;
        const name = parameterName(operation, place, word);
        const one = said?.get(word);
        const at = one ? nameAt(of, one) : inBraces(keyOf(operation, outlined), word);
        if (at) yield { name, word, at };
      }
    }
  }
}

/** Parameters of paths that no statement binds, since they have the name of the field that they are (language §E.3). */
export function fieldsInPaths(of: Specification): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const operation of of.operations)
    for (const [word, field] of impliedFields(operation))
      found.set(parameterName(operation, 'path', word), field);
  return found;
}

/** Where parameters stand in paths, also of older versions, and in addresses and names of operations that are paths. */
export function* parametersWritten(
  of: Specification,
  outlined: Outline,
  uses: readonly NameUse[],
): Generator<NameUse> {
  const names = Map.groupBy(
    uses.filter(({ kind }) => kind === 'operation'),
    ({ name }) => name,
  );
  for (const operation of of.operations) {
    const inPath = parametersAt(operation, 'path');
    const paths = [
      keyOf(operation, outlined),
      ...(stated(operation.endpoint.paths) ?? []).map(({ at }) => at),
      ...(operation.name === operation.key ? (names.get(operation.key) ?? []).map(({ at }) => at) : []),
    ];
    for (const word of inPath)
      for (const path of paths) {
        const at = inBraces(path, word);
        if (at) yield { kind: 'parameter', name: parameterName(operation, 'path', word), at };
      }
  }
  for (const { specification } of [{ specification: of }, ...of.older.values()])
    for (const operation of specification.operations)
      for (const place of parameterPlaces)
        for (const [word, one] of (operation.request && stated(operation.request[place])) ?? [])
          yield {
            kind: 'parameter',
            name: parameterName(operation, place, word),
            at: nameAt(specification, one),
          };
}

/** The parameters that an address names: in its path, and as the last of `request.query.limit`. */
export function* parametersInAddress(of: Specification, address: string, at: Span): Generator<NameUse> {
  const [part, key, ...further] = (steps(address) ?? []).map(String);
  if (part !== 'endpoints' || key === undefined) return;
  const start = at.text.content.indexOf(key, at.start);
  const end = start + key.length;
  if (start < 0 || end > at.end) return;
  const path = span(at.text, start, end);
  for (const operation of of.operations.filter((one) => writtenKey(one) === key)) {
    for (const word of parametersAt(operation, 'path')) {
      const inPath = inBraces(path, word);
      if (inPath) yield { kind: 'parameter', name: parameterName(operation, 'path', word), at: inPath };
    }
    const inner = further[0] === operation.name ? further.slice(1) : further;
    const place = parameterPlaces.find((one) => inner[0] === 'request' && one === inner[1]);
    const word = place && parametersAt(operation, place).find((one) => one === inner[2]);
    if (!place || word === undefined) continue;
    const from = at.text.content.indexOf(`request.${place}`, end) + `request.${place}`.length;
    const to = at.text.content.indexOf(word, from) + word.length;
    if (to <= at.end)
      yield { kind: 'parameter', name: parameterName(operation, place, word), at: span(at.text, from, to) };
  }
}

function impliedFields({ request, at }: Operation): ReadonlyMap<string, string> {
  const isKey = (one: Span): boolean => one.text === at.text && one.start === at.start;
  return new Map(
    [...((request && stated(request.path)) ?? [])].flatMap(([word, said]) => {
      const { binding, is } = stated(said) ?? {};
      const isImplied = isKey(said.at) || (is?.kind === 'stated' && isKey(is.at));
      return binding && isImplied ? [[word, `${binding.resource}.${binding.field}`] as const] : [];
    }),
  );
}

/** Where `METHOD /path` is written, of which one of several operations stands under it, too. */
function keyOf(operation: Operation, { tree }: Outline): Span {
  const endpoints = get(tree, 'endpoints');
  const entry = endpoints?.kind === 'map' ? endpoints.entries.get(writtenKey(operation)) : undefined;
  return entry?.key ?? operation.at;
}

function writtenKey({ key, endpoint }: Operation): string {
  return endpoint.among ?? key;
}

/** The place of a name in braces; undefined: it does not stand there. */
function inBraces(at: Span, word: string): Span | undefined {
  const start = at.text.content.indexOf(`{${word}}`, at.start) + 1;
  const end = start + word.length;
  return start > 0 && end < at.end ? span(at.text, start, end) : undefined;
}
