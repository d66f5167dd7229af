import { type Answer, unseen } from '../../semantics/judge/answer.ts';
import type { Message } from '../../semantics/message/message.ts';
import { type Exchange, type Header, jsonOf, type Request } from '../http.ts';
import type { Recorded } from './har.ts';

/** A request as the semantics reads it. `url` is the address of the service, without a slash at the end. */
export function messageOf({ method, url: whole, headers, body }: Request, url: string): Message {
  const target = whole.slice(url.length);
  return {
    method,
    target: target.startsWith('/') ? target : `/${target}`,
    headers: fieldsOf(headers),
    body: body ?? '',
  };
}

/** An answer as the semantics reads it. Content that is not JSON stands as bytes. Null: none came. */
export function answerOf({ exchange, cut }: Pick<Recorded, 'exchange' | 'cut'>): Answer | null {
  const { response } = exchange;
  if (response === null) return null;
  const { status, headers } = response;
  const isBodiless = exchange.request.method === 'HEAD';
  return {
    status,
    headers: fieldsOf(headers),
    body: cut === 'answer' || isBodiless ? unseen : contentOf(exchange, response.body),
  };
}

function contentOf(exchange: Exchange, text: string): Answer['body'] {
  // Bytes that are no text were lost when the content was recorded as a text.
  if (text.includes('\ufffd')) return unseen;
  return text === '' ? undefined : (jsonOf(exchange) ?? new TextEncoder().encode(text));
}

/** Fields of one name are joined (RFC 9110 §5.3). */
export function fieldsOf(headers: readonly Header[]): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = fields.get(key);
    fields.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(fields);
}
