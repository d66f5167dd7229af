import type { Exchange, Header } from '../http.ts';

/** A text that is no HAR file, and why. */
export class NotHar extends Error {}

/** An exchange as it was recorded. */
export interface Recorded {
  readonly exchange: Exchange;
  /** When the request was sent, in milliseconds since 1970. */
  readonly sentMs: number;
  readonly tookMs: number;
  /** What was sent, but not recorded: the content of the request, or of the answer. Left out: all was recorded. */
  readonly cut?: 'request' | 'answer';
}

type Members = { readonly [name: string]: unknown };

/**
 * The exchanges of a HAR file (HTTP Archive 1.2), in the order in which their requests were sent. Content in base64 is
 * decoded as UTF-8. Answers that a browser took from its cache are left out.
 *
 * @throws NotHar if the text is none, with the member that is missing or wrong
 */
export function exchangesOf(text: string): readonly Recorded[] {
  const file = parsed(text);
  const entries = listAt(objectAt(file, 'log', ''), 'entries', 'log.');
  const sent = entries.map(recorded).filter((_, place) => !isCached(entries[place]));
  return sent.toSorted((a, b) => a.sentMs - b.sentMs);
}

/** Whether a browser answered by itself, so that no request was sent. Chromium says so. */
function isCached(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && '_fromCache' in entry;
}

function parsed(text: string): Members {
  try {
    return asObject(JSON.parse(text.replace(/^\uFEFF/, '')) as unknown, 'the file');
  } catch (error) {
    throw error instanceof NotHar ? error : new NotHar(`it is no JSON: ${(error as Error).message}`);
  }
}

function recorded(entry: unknown, index: number): Recorded {
  const place = `log.entries[${index}]`;
  const of = asObject(entry, place);
  const request = objectAt(of, 'request', `${place}.`);
  const response = objectAt(of, 'response', `${place}.`);
  const sentMs = Date.parse(textAt(of, 'startedDateTime', `${place}.`));
  if (Number.isNaN(sentMs)) throw new NotHar(`${place}.startedDateTime is no date and time`);
  const status = response['status'];
  if (typeof status !== 'number') throw new NotHar(`${place}.response.status is no number`);
  const took = of['time'];
  const cut = cutOf(request, response);
  return {
    ...(cut && { cut }),
    sentMs,
    tookMs: typeof took === 'number' && took > 0 ? took : 0,
    exchange: {
      request: {
        method: textAt(request, 'method', `${place}.request.`).toUpperCase(),
        url: textAt(request, 'url', `${place}.request.`).replace(/#.*$/s, ''),
        headers: headersOf(request, `${place}.request.`),
        body: contentSent(request['postData']),
      },
      // Browsers record a request that had no answer with the status 0.
      response:
        status === 0
          ? null
          : {
              status,
              headers: headersOf(response, `${place}.response.`),
              body: contentReceived(response['content']),
            },
      failure: status === 0 ? 'no answer was recorded' : null,
    },
  };
}

/** Recordings may leave content out, and give its size alone. */
function cutOf(request: Members, response: Members): Recorded['cut'] {
  const isLong = (size: unknown): boolean => typeof size === 'number' && size > 0;
  if (isLong(request['bodySize']) && contentSent(request['postData']) === null) return 'request';
  const content = response['content'] as Members | undefined;
  return isLong(content?.['size']) && typeof content?.['text'] !== 'string' ? 'answer' : undefined;
}

/** Without the pseudo-header fields of HTTP/2 (RFC 9113 §8.3). */
function headersOf(of: Members, place: string): Header[] {
  return listAt(of, 'headers', place)
    .map((field, index): Header => {
      const at = `${place}headers[${index}]`;
      const header = asObject(field, at);
      return [textAt(header, 'name', `${at}.`), textAt(header, 'value', `${at}.`)];
    })
    .filter(([name]) => !name.startsWith(':'));
}

/** The content of a request. A form may be recorded by its parameters alone. */
function contentSent(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const { text, params } = data as Members;
  if (typeof text === 'string') return text;
  if (!Array.isArray(params)) return null;
  const pairs = params.map((each: Members): [string, string] => [
    String(each['name']),
    String(each['value'] ?? ''),
  ]);
  return new URLSearchParams(pairs).toString();
}

function contentReceived(content: unknown): string {
  if (typeof content !== 'object' || content === null) return '';
  const { text, encoding } = content as Members;
  if (typeof text !== 'string') return '';
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
}

function asObject(value: unknown, place: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NotHar(`${place} is no object`);
  return value as Members;
}

function objectAt(of: Members, name: string, place: string): Members {
  return asObject(of[name], `${place}${name}`);
}

function listAt(of: Members, name: string, place: string): readonly unknown[] {
  const value = of[name];
  if (!Array.isArray(value)) throw new NotHar(`${place}${name} is no list`);
  return value;
}

function textAt(of: Members, name: string, place: string): string {
  const value = of[name];
  if (typeof value !== 'string') throw new NotHar(`${place}${name} is no text`);
  return value;
}
