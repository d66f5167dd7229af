import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening, type Running } from '../listening.ts';

/** What HTTP asks of any service: the floor under the small services of this folder, in bare `node:http`. */

export type Values = Record<string, unknown>;

export interface Asked {
  /** What the path's parameters are, in their order. */
  readonly path: readonly string[];
  /** The members of the content; empty where the endpoint takes none. */
  readonly given: Values;
  readonly query: URLSearchParams;
  /** What stands in `Authorization`. */
  readonly authorization: string | undefined;
}

export interface Answered {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Endpoint {
  /** A name in braces is a parameter. */
  readonly path: string;
  readonly method: string;
  readonly takesBody?: boolean;
  readonly answer: (asked: Asked) => Answered;
}

/** Thrown to refuse a request. */
export class Refused extends Error {
  readonly answer: Answered;
  constructor(answer: Answered) {
    super('refused');
    this.answer = answer;
  }
}

export async function startService(
  endpoints: readonly Endpoint[],
  refuse: (reason: 'malformed') => Answered,
): Promise<Running> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answerTo(endpoints, refuse, request, Buffer.concat(chunks).toString('utf8'));
      send(response, answer);
    });
  });
  return listening(server);
}

function send(response: ServerResponse, { status, body, headers = {} }: Answered): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function answerTo(
  endpoints: readonly Endpoint[],
  refuse: (reason: 'malformed') => Answered,
  request: IncomingMessage,
  content: string,
): Answered {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const fitting = endpoints.flatMap((endpoint) => {
    const path = match(endpoint.path, pathname);
    return path ? [{ endpoint, path }] : [];
  });
  if (fitting.length === 0) return { status: 404 };
  const found = fitting.find(({ endpoint }) => endpoint.method === method);
  if (found === undefined) {
    const allowed = fitting.flatMap(({ endpoint }) =>
      endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method],
    );
    return { status: 405, headers: { Allow: [...new Set(allowed)].join(', ') } };
  }
  let given: Values = {};
  if (found.endpoint.takesBody) {
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
    const members = readObject(content);
    if (type !== 'application/json') return { status: 415 };
    if (members === undefined) return refuse('malformed');
    given = members;
  }
  try {
    const { authorization } = request.headers;
    return found.endpoint.answer({ path: found.path, given, query: searchParams, authorization });
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** The parameters of a path; undefined where it is another one. */
function match(pattern: string, path: string): readonly string[] | undefined {
  const [wanted, found] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== found.length) return undefined;
  const parameters: string[] = [];
  for (const [index, segment] of wanted.entries()) {
    const value = decodeURIComponent(found[index] as string);
    if (segment.startsWith('{') && value !== '') parameters.push(value);
    else if (segment !== value) return undefined;
  }
  return parameters;
}

/** The object that a content is; undefined where it is none that can be kept. */
function readObject(content: string): Values | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = [...content.matchAll(/(?<=[{,]\s*)"((?:[^"\\]|\\.)*)"\s*:/g)].map((found) => found[1]);
  if (new Set(names).size < names.length || !canKeep(value)) return undefined;
  return value as Values;
}

/** Whether each text is Unicode without U+0000, and each whole number exact. */
function canKeep(value: unknown): boolean {
  if (typeof value === 'string') return !/[\0\p{Cs}]/u.test(value);
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(canKeep);
}
