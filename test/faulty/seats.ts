import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening, type Running } from '../listening.ts';

/** Seats that are sold once: of two who want one at the same time, one gets it. */
export const seatsDocument = `
tacet: 1
name: Seats
complete: true
resources:
  Seat:
    identifier: id
    fields:
      id:    { type: string, format: uuid, set: { create: "\${uuid()}" } }
      code:  { type: string, minLength: 1, maxLength: 40, unique: true }
      state: { type: string }
      views: { type: integer, set: { create: 0, update: "\${old.views + 1}" } }
    required: [code]
states:
  Seat.state:
    states: [free, sold]
    initial: free
    final: [sold]
    transitions:
      sell: { from: [free], to: sold }
endpoints:
  others: refuse
  POST /seats:           { operation: add, does: create Seat, request: { body: Seat }, response: { status: 201, body: Seat }, idempotency: { header: Idempotency-Key, required: false, life: PT24H, per: key, remembers: successes } }
  GET /seats/{id}:       { operation: read, does: read Seat, response: { status: 200, body: Seat } }
  POST /seats/{id}/sale: { operation: sell, does: { sell: Seat }, response: { status: 200, body: Seat } }
  POST /seats/{id}/view: { operation: view, does: { update: Seat, same: changed }, response: { status: 200, body: Seat } }
errors:
  order: listed
  payload: { body: { error: "\${error.code}" } }
  codes:
    unreadable: { when: malformed, status: 400 }
    no_path:    { when: [unknown path, method not allowed], status: 404 }
    no_media:   { when: unsupported media, status: 415 }
    none:       { when: unknown Seat, status: 404 }
    wrong:      { when: invalid, status: 422 }
    reused:     { when: key reused, status: 422 }
    busy:       { when: key busy, status: 409 }
    taken:      { when: not unique, status: 409 }
    no_move:    { when: transition refused, status: 409 }
    broken:     { when: internal, status: 500 }
authentication: (none)
limits: (none)
events: (none)
versioning: (none)
`;

/** What goes wrong if two requests come at once, and at no other time. */
export const seatFaults = [
  'two may have one code',
  'one seat is sold twice',
  'a key has two effects',
  'a view is lost',
] as const;
export type SeatFault = (typeof seatFaults)[number];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** The answer that a faulty service gives to a request while another one is under way; null: none of its own. */
type Coalescing = (sent: Sent, other: Sent, answer: Promise<Answer>) => Promise<Answer> | null;

/** The operations whose requests get the answer of the one that is under way. */
const shares: Partial<Record<SeatFault, RegExp>> = {
  'two may have one code': /^POST \/seats$/,
  'one seat is sold twice': /^POST .*\/sale$/,
  'a view is lost': /^POST .*\/view$/,
};

/**
 * A service that stands before a right one, and gets wrong what comes at the same time.
 *
 * @param to the address of the right one
 * @param fault null: it gets nothing wrong
 */
export function startSeats(to: string, fault: SeatFault | null): Promise<Running> {
  const underWay = new Set<{ readonly sent: Sent; readonly answer: Promise<Answer> }>();
  const coalesced: Coalescing = (sent, other, answer) => {
    const isLike = sent.path === other.path && sent.body === other.body && sent.method === other.method;
    return fault !== null && isLike && shares[fault]?.test(`${sent.method} ${sent.path}`) ? answer : null;
  };
  const forwarded = async ({ method, path, headers, body }: Sent): Promise<Answer> => {
    const content = method === 'GET' || method === 'HEAD' ? {} : { body };
    const response = await fetch(`${to}${path}`, { method, headers, ...content, redirect: 'manual' });
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  };
  return listening(
    createServer(async (request, response) => {
      const { method = '', url: path = '', rawHeaders } = request;
      const names = rawHeaders.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase());
      const fields = Object.fromEntries(names.map((name, place) => [name, rawHeaders[2 * place + 1] ?? '']));
      const { host: _, connection: __, 'content-length': ___, ...headers } = fields;
      const sent: Sent = { method, path, headers, body: await text(request) };
      const keyOf = ({ headers }: Sent): string | undefined => headers['idempotency-key'];
      const hasKey = [...underWay].some(
        (other) => keyOf(sent) !== undefined && keyOf(other.sent) === keyOf(sent),
      );
      const { 'idempotency-key': key, ...others } = headers;
      // Another code keeps the second effect from being refused.
      const isTwice = fault === 'a key has two effects' && hasKey;
      const shared = [...underWay]
        .map((other) => coalesced(sent, other.sent, other.answer))
        .find((each) => each);
      const answer =
        shared ??
        forwarded(isTwice ? { ...sent, headers: others, body: sent.body.replace(/"\}$/, '2"}') } : sent);
      const own = { sent, answer };
      underWay.add(own);
      const { status, headers: answered, body } = await answer.finally(() => underWay.delete(own));
      const kept = answered.filter(
        ([name]) => !/^(content-length|content-encoding|transfer-encoding|connection|keep-alive)$/.test(name),
      );
      response.writeHead(status, Object.fromEntries(kept));
      response.end(body);
    }),
  );
}
