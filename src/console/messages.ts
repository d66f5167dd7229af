import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import { Refused } from '../load/refused.ts';
import type { Given } from './context.ts';
import type { PageFile } from './files.ts';

/** A change that is sent holds a document at most: so many bytes are read. */
const mostBytes = 8 << 20;

/** What a request brings is too much. */
export class TooMuch extends Refused {}

/** The JSON object that a request brings. Throws {@link Refused} if it is none, {@link TooMuch} if it is too long. */
export async function contentOf(request: IncomingMessage): Promise<Given> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // What is left is read, so that the answer arrives.
    if (length <= mostBytes) chunks.push(chunk);
  }
  if (length > mostBytes) throw new TooMuch(`a change is sent in ${mostBytes} bytes or less`);
  let found: unknown;
  try {
    found = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refused('the content is no JSON');
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new Refused('the content is no JSON object');
  return found as Given;
}

/** Answers with JSON. */
export function say(response: ServerResponse, status: number, content: unknown): void {
  sayJson(response, status, JSON.stringify(content));
}

function sayJson(response: ServerResponse, status: number, content: string | Buffer, more = {}): void {
  response.writeHead(status, {
    ...protection(null),
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...more,
  });
  response.end(content);
}

/** Shorter answers are sent as they are: to compress them is no gain. */
const leastZipped = 16 << 10;

/** Answers with JSON, compressed by gzip if it is long and the page takes that. */
export async function sayFound(
  request: IncomingMessage,
  response: ServerResponse,
  content: unknown,
): Promise<void> {
  const text = JSON.stringify(content);
  if (text.length < leastZipped || !takesGzip(request)) return sayJson(response, 200, text);
  // In a thread of its own, and fast rather than small.
  sayJson(response, 200, await zip(text, { level: 1 }), { 'Content-Encoding': 'gzip' });
}

const zip = promisify<string, ZlibOptions, Buffer>(gzip);

function takesGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
}

/** Answers with a file of the page. The page itself has a number of its own each time, which `nonce` makes. */
export function sayFile(
  file: PageFile,
  request: IncomingMessage,
  response: ServerResponse,
  nonce: () => string,
): void {
  const number = file.type.startsWith('text/html') ? nonce() : null;
  const isZipped = file.zipped !== null && takesGzip(request);
  const plain =
    number === null ? file.content : Buffer.from(file.content.toString().replaceAll('NONCE', number));
  const content = isZipped && file.zipped ? file.zipped() : plain;
  response.writeHead(200, {
    ...protection(number),
    'Content-Type': file.type,
    'Content-Length': content.length,
    'Cache-Control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-store',
    ...(isZipped && { 'Content-Encoding': 'gzip' }),
  });
  response.end(request.method === 'HEAD' ? undefined : content);
}

/** What no page of the console may do. The editor makes style sheets itself, for which the page has its number. */
function protection(nonce: string | null): Readonly<Record<string, string>> {
  const styles = nonce === null ? "'self'" : `'self' 'nonce-${nonce}'`;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}
