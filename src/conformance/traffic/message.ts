import { type Answer, unseen } from '../../semantics/judge/answer.ts';
import type { Message } from '../../semantics/message/message.ts';
import { contentOf, type Exchange, type Header, jsonOf, type Request, type Response } from '../http.ts';
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
    ...(cut === 'answer' || isBodiless ? { body: unseen } : contentIn(exchange, response)),
  };
}

function contentIn(exchange: Exchange, response: Response): Pick<Answer, 'body' | 'bytes'> {
  const content = contentOf(response);
  if (content instanceof Uint8Array) return { body: content };
  // Bytes that are no text were lost when the content was recorded as a text.
  if (response.body.includes('\ufffd')) return { body: unseen };
  if (response.body === '') return { body: undefined };
  const bytes = new TextEncoder().encode(response.body);
  const json = jsonOf(exchange);
  return json === undefined ? { body: bytes } : { body: json, bytes };
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
