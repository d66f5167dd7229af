import { request as httpRequest, STATUS_CODES } from 'node:http';
import { Refused } from '../load/refused.ts';
import type { Context, Given } from './context.ts';
import { textOf } from './context.ts';
import { type Reason, reasonsOf } from './reasons.ts';
import type { Recorded } from './requests.ts';
import { presented } from './senders.ts';
import { runningOf } from './stored/beside.ts';

/** An answer of the service, and why it was given. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Fields;
    readonly body: string;
  };
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether the body is longer than what is shown. */
  readonly isCut: boolean;
  readonly tookMs: number;
  /** The request as the list of requests has it; null: the service told nothing of it. */
  readonly recorded: Recorded | null;
  readonly reasons: readonly Reason[];
}

type Fields = Readonly<Record<string, string>>;

/** So much of an answer is shown. */
const mostShown = 256 * 1024;

/** The longest that an answer is waited for. */
const waitMs = 30_000;

/**
 * Sends a request to the service that follows the document: `method`, `target`, `headers`, `body`, and who sends it.
 *
 * @throws Refused if the service does not run, or does not answer
 */
export async function send(given: Given, context: Context): Promise<Exchange> {
  const method = textOf(given, 'method').toUpperCase();
  const target = textOf(given, 'target');
  if (!/^[A-Z]+$/.test(method) || !target.startsWith('/')) throw new Refused('a request is METHOD /path');
  const who = credentialOf(given, context);
  const query = Object.entries(who.query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const path = query.length === 0 ? target : `${target}${target.includes('?') ? '&' : '?'}${query.join('&')}`;
  const own = fieldsOf(given);
  const body = typeof given['body'] === 'string' ? given['body'] : '';
  const shown = { ...own, ...who.shown };
  // What a secret is the page does not learn, unless it was typed there.
  return sent(
    { method, path, headers: { ...own, ...who.headers }, body },
    { method, path: target, headers: shown, body },
    context,
  );
}

/** A request to the service that runs. */
interface Asked {
  readonly method: string;
  /** The path and the query. */
  readonly path: string;
  readonly headers: Fields;
}

/**
 * Sends a request to the service, and finds out why it was answered so.
 *
 * @param shown the same without secrets, as the page sees it
 * @throws Refused if the service does not run, or does not answer
 */
export async function sent(
  { method, path, headers, body }: Asked & { readonly body: string | Buffer },
  shown: Asked & { readonly body: string },
  { desk, requests }: Context,
): Promise<Exchange> {
  const { address } = runningOf(desk);
  const before = requests.count;
  const answer = await exchanged({ method, url: `${address}${path}`, headers, body });
  const recorded =
    requests
      .all()
      .find(
        (one) =>
          one.id > before &&
          one.method === method &&
          one.path === path.split('?')[0] &&
          one.status === answer.status,
      ) ?? null;
  return {
    request: { method, url: `${address}${shown.path}`, headers: shown.headers, body: shown.body },
    ...answer,
    recorded,
    reasons: recorded ? reasonsOf(desk.read().specification, recorded) : [],
  };
}

interface Who {
  readonly headers: Fields;
  readonly query: Fields;
  /** The header fields as they may be shown. */
  readonly shown: Fields;
}

const nobody: Who = { headers: {}, query: {}, shown: {} };

/** The credential of the sender: `scheme`, and `name` of one whom the operator gave one; or `secret`, as it was typed. */
function credentialOf(given: Given, { desk }: Context): Who {
  const scheme = given['scheme'];
  if (typeof scheme !== 'string' || scheme === '') return nobody;
  const name = typeof given['name'] === 'string' ? given['name'] : '';
  const typed = typeof given['secret'] === 'string' ? given['secret'] : '';
  const kept = desk.running()?.credentials ?? {};
  const known = Object.hasOwn(kept, scheme) ? (kept[scheme] ?? {}) : {};
  const secret = typed === '' && Object.hasOwn(known, name) ? known[name] : typed;
  const found = presented(desk.read().specification, scheme, { name, secret: secret ?? '' });
  if (found === null) throw new Refused(`the document does not say where a credential of ${scheme} goes`);
  const shown =
    typed === '' ? presented(desk.read().specification, scheme, { name, secret: 'SECRET' }) : found;
  return { ...found, shown: shown?.headers ?? {} };
}

function fieldsOf(given: Given): Fields {
  const found = given['headers'];
  if (found === undefined) return {};
  const isRight =
    typeof found === 'object' &&
    found !== null &&
    !Array.isArray(found) &&
    Object.entries(found).every(([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && isFieldValue(value));
  if (!isRight) throw new Refused('headers are names with texts on one line');
  return found as Fields;
}

function isFieldValue(value: unknown): boolean {
  return (
    typeof value === 'string' && [...value].every((one) => one >= ' ' && one !== '\u007f' && one <= '\u00ff')
  );
}

type Answered = Pick<Exchange, 'status' | 'statusText' | 'headers' | 'body' | 'isCut' | 'tookMs'>;

type Request = Omit<Exchange['request'], 'body'> & { readonly body: string | Buffer };

function exchanged({ method, url, headers, body }: Request): Promise<Answered> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      url,
      {
        method,
        headers: { ...headers, ...(body.length > 0 && { 'Content-Length': Buffer.byteLength(body) }) },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        let length = 0;
        const end = (isCut: boolean): void => {
          const content = Buffer.concat(chunks).subarray(0, mostShown);
          const { rawHeaders, statusCode = 0 } = answer;
          resolve({
            status: statusCode,
            statusText: STATUS_CODES[statusCode] ?? '',
            headers: pairsOf(rawHeaders),
            body: textIn(content),
            isCut,
            tookMs: Math.round((performance.now() - begun) * 10) / 10,
          });
        };
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length <= mostShown) return;
          end(true);
          answer.destroy();
        });
        answer.once('end', () => end(false));
        answer.once('error', (error) => reject(new Refused(`the answer broke off: ${error.message}`)));
      },
    );
    asked.setTimeout(waitMs, () => asked.destroy(new Error(`no answer within ${waitMs / 1000} seconds`)));
    asked.once('error', (error) => reject(new Refused(`the service does not answer: ${error.message}`)));
    asked.end(body);
  });
}

function pairsOf(raw: readonly string[]): Exchange['headers'] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}

/** Text, or how many bytes there are that are none. */
function textIn(content: Buffer): string {
  const text = content.toString('utf8');
  return text.includes('\ufffd') || text.includes('\0') ? `(${content.length} bytes that are no text)` : text;
}
