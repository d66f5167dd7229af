import { Refused } from '../load/refused.ts';
import type { Received } from '../service/message/receiving.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import { type Context, type Given, textOf } from './context.ts';
import type { Recorded } from './requests.ts';
import { type Exchange, sent } from './send.ts';
import { presented } from './senders.ts';
import { concealed, hidden, isSecret } from './stored/concealed.ts';

/** What a request brought, as it may be shown. */
export interface Brought {
  /** The path and the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: it brought none that was kept. */
  readonly body: string | null;
  /** Whether it had content that was not kept. */
  readonly isLeft: boolean;
}

/** What is said of the connection, or follows from the rest: it is not sent again. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The fields that carry credentials, whatever the document says. */
const ofCredentials = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** What a request brought, without secrets. */
export function broughtBy(of: Specification, received: Received): Brought {
  const [path = '', query] = received.url.split('?');
  const params = [...new URLSearchParams(query ?? '')].map(([name, value]): [string, string] => [
    name,
    isHidden(of, name, 'query') ? hidden : value,
  ]);
  const content = received.received();
  const hasContent = received.headers['transfer-encoding'] !== undefined || lengthOf(received) > 0;
  return {
    target: query === undefined ? path : `${path}?${new URLSearchParams(params)}`,
    headers: Object.fromEntries(
      Object.entries(fieldsOf(received)).map(([name, value]) => [
        name,
        isHidden(of, name, 'headers') ? hidden : value,
      ]),
    ),
    body: content === null || content.length === 0 ? null : shownBody(of, content, received),
    isLeft: hasContent && content === null,
  };
}

function lengthOf({ headers }: Received): number {
  return Number(headers['content-length'] ?? 0);
}

function fieldsOf({ headers }: Received): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofConnection.has(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

/** Whether a field or a parameter of this name carries a secret. */
function isHidden(of: Specification, name: string, place: 'headers' | 'query'): boolean {
  if (isSecret(of, name) || (place === 'headers' && ofCredentials.has(name.toLowerCase()))) return true;
  const schemes = [...(stated(stated(of.authentication)?.schemes) ?? new Map<string, unknown>()).keys()];
  return schemes.some((scheme) => {
    const where = presented(of, scheme, { name: '', secret: '' })?.[place] ?? {};
    return Object.keys(where).some((one) => one.toLowerCase() === name.toLowerCase());
  });
}

function shownBody(of: Specification, content: Buffer, { headers }: Received): string {
  const text = content.toString('utf8');
  if (text.includes('\ufffd') || text.includes('\0')) return `(${content.length} bytes that are no text)`;
  if (String(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded'))
    return String(
      new URLSearchParams(
        [...new URLSearchParams(text)].map(([name, value]): [string, string] => [
          name,
          isSecret(of, name) ? hidden : value,
        ]),
      ),
    );
  try {
    return JSON.stringify(concealed(of, JSON.parse(text)), null, 2);
  } catch {
    return text;
  }
}

/**
 * Sends a request again as it came, with its content and the credential that it had.
 *
 * @throws Refused if it or its content was not kept, or the service does not run beside its document
 */
export async function resend(given: Given, context: Context): Promise<Exchange> {
  const id = Number(textOf(given, 'id'));
  const { desk, requests } = context;
  const received = requests.received(id);
  if (desk.isFixed) throw new Refused('nothing is sent again beside tacet serve: others use this service');
  if (received === undefined) throw new Refused(`request ${id} is not kept any more`);
  const { specification } = desk.read();
  const { target, headers, body, isLeft } = broughtBy(specification, received);
  if (isLeft) throw new Refused(`the content of request ${id} was not kept: it is large, or came in pieces`);
  const asked = { method: received.method, path: received.url, headers: fieldsOf(received) };
  return sent(
    { ...asked, body: received.received() ?? '' },
    { method: received.method, path: target, headers, body: body ?? '' },
    context,
  );
}

/** What one of the requests brought; null: it is not known. */
export function broughtTo({ requests, desk }: Context, { id }: Recorded): Brought | null {
  const received = requests.received(id);
  return received === undefined ? null : broughtBy(desk.read().specification, received);
}
