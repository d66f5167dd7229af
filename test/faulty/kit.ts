import { createServer, type IncomingMessage } from 'node:http';
import { listening, type Running } from '../listening.ts';

/** What the hand-written services of this folder share: bare `node:http`, and nothing of `src`. */

export type Members = Record<string, unknown>;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly media: string;
  readonly content: string;
}

export interface Answered {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Thrown to refuse a request. */
export class Refusal extends Error {
  readonly answer: Answered;
  constructor(answer: Answered) {
    super('refused');
    this.answer = answer;
  }
}

/** Serves on a free port of this machine. A refusal that is thrown is answered like any other answer. */
export async function serve(
  answer: (asked: Asked, url: string) => Answered,
  errorMedia = 'application/json',
): Promise<Running> {
  let url = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const asked: Asked = {
        method: request.method ?? 'GET',
        path: pathname,
        segments: pathname.split('/').slice(1).map(decodeURIComponent),
        query: searchParams,
        headers: request.headers,
        media: (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
        content: Buffer.concat(chunks).toString('utf8'),
      };
      let made: Answered;
      try {
        made = answer(asked, url);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        made = error.answer;
      }
      const { status, body, headers = {} } = made;
      if (body === undefined) {
        response.writeHead(status, headers).end();
        return;
      }
      const json = Buffer.from(JSON.stringify(body));
      const type = status >= 400 ? errorMedia : 'application/json';
      response
        .writeHead(status, { 'Content-Type': type, 'Content-Length': json.length, ...headers })
        .end(json);
    });
  });
  const running = await listening(server);
  url = running.url;
  return running;
}

/** Content as JSON; undefined where it cannot be read, or holds what cannot be kept (language §H.4). */
export function readJson(content: string): unknown {
  try {
    const value: unknown = JSON.parse(content);
    return hasTwice(content) || !canKeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an object has a member twice: its text holds more members than the object that was read. */
function hasTwice(content: string): boolean {
  let count = 0;
  JSON.parse(content, (_, value: unknown) => {
    if (isObject(value)) count += Object.keys(value).length;
    return value;
  });
  const keys = content.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? [];
  return keys.length > count;
}

function canKeep(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(canKeep);
}

/** The methods of a path with HEAD beside GET, as Allow lists them. */
export function allowed(methods: readonly string[]): Record<string, string> {
  return { Allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ') };
}

/** Text in the order of its code points. */
export function order(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const difference = (x[i]?.codePointAt(0) ?? 0) - (y[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return x.length - y.length;
}
