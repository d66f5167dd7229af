import { queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Asked, askedOf, pageParameter } from '../list/asked.ts';
import { Malformed, pairsOf, queryValues } from '../request/given/parameters.ts';
import { withDefaults } from '../request/given/query.ts';
import { routed } from '../request/route.ts';
import { type Members, type PageAddress, Unknown, type Value } from '../value/value.ts';

/** An address that was found, read as a request. */
export interface Read {
  /** The parameters, with their defaults. */
  readonly query: Members;
  readonly asked: Asked;
  /** Whether the path is that of the request; undefined: it is not read. */
  readonly isPath: boolean | undefined;
}

/** Reads the path and query of a page; null: this is none; undefined: it is written in a way that is not carried out. */
export function readAddress(
  { operation, specification, path }: PageAddress,
  found: string,
): Read | null | undefined {
  const [before = '', text = ''] = found.split(/\?(.*)/s);
  const pairs = pairsOf(text);
  const given = pairs instanceof Malformed ? pairs : queryValues(operation, pairs, specification);
  if (given instanceof Malformed || !before.startsWith('/')) return null;
  if (given instanceof Unknown) return undefined;
  const query = withDefaults(operation, given);
  const asked = askedOf(operation, query);
  if (stated(specification.versioning)) return { query, asked, isPath: undefined };
  const to = routed(specification, operation.method, before);
  const routes = to.kind === 'routes' ? to.routes : [];
  const isPath = routes.some(
    (route) =>
      route.operation.name === operation.name &&
      Object.entries(route.given).every(([name, value]) => value === String(path[name] ?? '')),
  );
  return { query, asked, isPath };
}

/** The parameters that an address of another page keeps. What is converted is not compared. */
export function keptParameters({
  operation,
  query,
  page,
}: PageAddress): readonly (readonly [string, Value])[] {
  const moving = (['offset', 'start', 'number', 'cursor', 'after', 'before'] as const).map(
    (word) => pageParameter(operation, word)?.name,
  );
  return queryParameters(operation)
    .filter(
      ({ name, roles }) => stated(roles.taken) === undefined && (page === null || !moving.includes(name)),
    )
    .map(({ name }) => [name, query[name] ?? null]);
}

/** The addresses of a text of RFC 8288, by their relation. */
export function linksIn(text: string): Readonly<Record<string, string>> {
  const links = [...text.matchAll(/<([^>]*)>\s*;\s*([^<]*)/g)];
  return Object.fromEntries(
    links.flatMap(([, address = '', parameters = '']) => {
      const [, quoted, plain] = /(?:^|;)\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
      return (quoted ?? plain ?? '').split(/\s+/).map((relation) => [relation.toLowerCase(), address]);
    }),
  );
}
