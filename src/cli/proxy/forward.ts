import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import type { Header } from '../../conformance/http.ts';
import type { Recorded } from '../../conformance/traffic/har.ts';
import { Content } from './content.ts';

/** Fields that are about one connection (RFC 9110 §7.6.1). */
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'];

/** A request under way. */
interface Passage {
  readonly sentMs: number;
  readonly incoming: IncomingMessage;
  readonly sent: Content;
}

/** Forwards requests to a service, and tells what was sent and answered. */
export class Forwarder {
  readonly #target: URL;
  readonly #hear: (group: readonly Recorded[]) => void;
  readonly #agent: Agent;
  #underWay = 0;
  #group: Recorded[] = [];

  /** @param hear hears of exchanges that were under way together, when none is under way any more */
  constructor(target: URL, hear: (group: readonly Recorded[]) => void) {
    this.#target = target;
    this.#hear = hear;
    this.#agent = new (target.protocol === 'https:' ? SecureAgent : Agent)({ keepAlive: true });
  }

  forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#underWay += 1;
    const passage = { sentMs: performance.timeOrigin + performance.now(), incoming, sent: new Content() };
    const forwarded = this.#request(incoming);
    incoming.on('data', (chunk: Buffer) => passage.sent.add(chunk));
    incoming.pipe(forwarded);
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) forwarded.destroy();
    });
    let isEnded = false;
    const end = (answer: IncomingMessage | null, received: Content, isWhole: boolean): void => {
      if (isEnded) return;
      isEnded = true;
      if (!isWhole) received.cutOff();
      void this.#note(passage, answer, received);
    };
    forwarded.on('error', () => {
      end(null, new Content(), true);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502, { 'Content-Length': 0 }).end();
    });
    forwarded.on('response', (answer) => {
      const received = new Content();
      outgoing.sendDate = false;
      outgoing.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage ?? '',
        forwardedFields(answer).flat(),
      );
      answer.on('data', (chunk: Buffer) => received.add(chunk));
      answer.pipe(outgoing);
      // A stream of events has no end: its head is the answer.
      if (/^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '')) end(answer, received, false);
      answer.on('end', () => end(answer, received, true));
      answer.on('close', () => end(answer, received, false));
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #request(incoming: IncomingMessage): ClientRequest {
    const { protocol, hostname, port, host, pathname } = this.#target;
    const request = (protocol === 'https:' ? requestHttps : requestHttp)({
      agent: this.#agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port || (protocol === 'https:' ? 443 : 80),
      path: `${pathname.replace(/\/$/, '')}${incoming.url ?? '/'}`,
      method: incoming.method ?? 'GET',
      setHost: false,
    });
    for (const [name, value] of sentFields(incoming)) request.appendHeader(name, value);
    request.setHeader('Host', host);
    if (incoming.headers['transfer-encoding'] !== undefined)
      request.setHeader('Transfer-Encoding', 'chunked');
    return request;
  }

  async #note(
    { sentMs, incoming, sent }: Passage,
    answer: IncomingMessage | null,
    received: Content,
  ): Promise<void> {
    const tookMs = performance.timeOrigin + performance.now() - sentMs;
    const [request, content] = [
      await sent.text(incoming.headers),
      await received.text(answer?.headers ?? {}),
    ];
    const cut = request === null ? 'request' : content === null ? 'answer' : undefined;
    this.#group.push({
      sentMs,
      tookMs,
      ...(cut && { cut }),
      exchange: {
        request: {
          method: incoming.method ?? 'GET',
          url: `${this.#target.href.replace(/\/$/, '')}${incoming.url ?? '/'}`,
          headers: sentFields(incoming),
          body: request === '' ? null : request,
        },
        response: answer && {
          status: answer.statusCode ?? 0,
          headers: fieldsOf(answer),
          body: content ?? '',
        },
        failure: answer ? null : 'no answer came',
      },
    });
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    const group = this.#group;
    this.#group = [];
    this.#hear(group);
  }
}

function fieldsOf({ rawHeaders }: IncomingMessage): Header[] {
  return rawHeaders.flatMap((name, place): Header[] =>
    place % 2 === 0 ? [[name, rawHeaders[place + 1] as string]] : [],
  );
}

/** The fields that are not about the connection alone. */
function forwardedFields(message: IncomingMessage): Header[] {
  const own = (message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return fieldsOf(message).filter(([name]) => ![...hopByHop, ...own].includes(name.toLowerCase()));
}

/** The same without the name of the host, which is another one for the implementation. */
function sentFields(incoming: IncomingMessage): Header[] {
  return forwardedFields(incoming).filter(([name]) => name.toLowerCase() !== 'host');
}
