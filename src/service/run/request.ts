import { compileTemplate, type Frame, type Run } from '../../expression/compile.ts';
import { written } from '../../expression/values.ts';
import { type Json, setMember } from '../../source/node.ts';
import { credentialFields } from '../../specification/model/credential-fields.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isJson } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { SentRequest } from '../../specification/vocabulary/endpoint/sent.ts';
import { segmentText } from '../../specification/vocabulary/paths.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { credentialsInQuery } from '../access/presented.ts';
import { compileFields } from '../content/content.ts';
import { compileRender, environmentOf, type Writers } from '../content/render.ts';
import { styleOf } from '../content/style.ts';
import { readPairs } from '../http/pairs.ts';
import type { HostLimits } from '../message/host-limits.ts';
import type { Incoming } from '../message/incoming.ts';
import { encoded, queryPairs } from './query.ts';

/** What requests are made with. */
export interface Means {
  readonly writers: Writers;
  readonly limits: HostLimits;
}

/** Makes a request to an operation, by the client of another request (language §H.2, `run`). */
export type MakeRequest = (frame: Frame) => (by: Incoming) => Incoming;

/** Compiles what is sent to an operation; `sent` null: nothing but the credential. */
export function compileRequest(
  specification: Specification,
  operation: Operation,
  sent: SentRequest | null,
  { writers, limits }: Means,
): MakeRequest {
  const environment = environmentOf(writers);
  const path = compilePath(specification, operation, (name) => {
    const placed = stated(stated(sent?.path)?.get(name));
    return placed ? compileTemplate(placed.template, environment) : () => null;
  });
  const json = (placed: PlacedTemplate | undefined) =>
    placed ? compileRender(placed.template, writers) : null;
  const query = [...(stated(sent?.query) ?? [])].map(([name, said]) => {
    const render = json(stated(said));
    const style = styleOf(parameterOf(operation, name), 'query', { depth: 0, nodes: 0 });
    return (frame: Frame): string[] => {
      const text = render?.(frame) ?? 'null';
      return text === 'null' ? [] : queryPairs(name, JSON.parse(text) as Json, style);
    };
  });
  const fields = compileFields(stated(sent?.headers), environment);
  const body = json(stated(sent?.body));
  const media = stated(operation.request?.media)?.find(isJson) ?? 'application/json';
  const credential = compileCredential(specification);
  return (frame) => {
    const at = path(frame);
    const pairs = query.flatMap((one) => one(frame));
    const given = fields(frame);
    const content = body?.(frame);
    return (by) => {
      const own = credential(by);
      const asked = [...pairs, ...own.pairs].join('&');
      const headers: Record<string, Incoming['headers'][string]> = { ...own.headers };
      if (content !== undefined) headers['content-type'] = media;
      for (let index = 0; index < given.length; index += 2)
        headers[(given[index] as string).toLowerCase()] = given[index + 1];
      return {
        ...at,
        method: operation.method,
        url: asked === '' ? at.url : `${at.url}?${asked}`,
        query: asked === '' ? null : asked,
        from: by.from,
        version: by.version,
        headers,
        content: contentOf(content, limits.bodyBytes),
      };
    };
  };
}

type At = Pick<Incoming, 'url' | 'path' | 'places'>;

/** The operation's own path, with values for its parameters. A value that is null is an empty text. */
function compilePath(
  { endpoints }: Specification,
  { path }: Operation,
  runOf: (name: string) => Run,
): (frame: Frame) => At {
  const base = (stated(stated(endpoints)?.base) ?? '').split('/').filter((segment) => segment !== '');
  const segments = path.map((segment) =>
    'literal' in segment ? segment : { segment, name: segment.parameter, run: runOf(segment.parameter) },
  );
  return (frame) => {
    const at = { path: {} as Record<string, string>, places: {} as Record<string, number> };
    const parts = [...base];
    for (const segment of segments) {
      if (!('literal' in segment)) {
        at.places[segment.name] = parts.length;
        setMember(at.path, segment.name, written(segment.run(frame)));
      }
      parts.push(
        'literal' in segment
          ? segment.literal
          : segmentText(segment.segment, (name) => at.path[name] as string),
      );
    }
    return { ...at, url: `/${parts.map(encoded).join('/')}` };
  };
}

function parameterOf({ request }: Operation, name: string): Parameter | null {
  return stated(stated(request?.query)?.get(name)) ?? null;
}

/** The credentials of a request, where they stand: in fields, or in the query. */
function compileCredential(
  specification: Specification,
): (by: Incoming) => { readonly headers: Incoming['headers']; readonly pairs: readonly string[] } {
  const fields = [...credentialFields(specification)];
  const names = credentialsInQuery(specification);
  return ({ headers, query }) => ({
    headers: Object.fromEntries(
      fields.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    ),
    pairs: (names.size === 0 ? [] : (readPairs(query ?? '') ?? []))
      .filter(({ name }) => names.has(name))
      .map(({ name, value }) => `${encoded(name)}=${encoded(value)}`),
  });
}

function contentOf(content: string | undefined, hostBytes: number): Incoming['content'] {
  if (content === undefined) return () => null;
  const bytes = Buffer.from(content);
  return async (mostBytes = hostBytes) => (bytes.length > mostBytes ? 'too large' : bytes);
}
