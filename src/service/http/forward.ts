import type { IncomingMessage } from 'node:http';
import { bare, type Reply } from '../message/reply.ts';
import type { Exchange } from './connection.ts';
import { hasContent } from './content.ts';
import { floor } from './floor.ts';
import { Agent, request as send } from './node.ts';
import { connectionFields, reset } from './send.ts';

/** The field by which processes of one service tell each other whom a request comes from. Of clients it is never taken. */
export const fromField = 'tacet-from';

/** Hands requests to the process that writes, and its answers back, as they come. */
export interface Forwarding {
  readonly forward: (exchange: Exchange, how: Forwarded) => void;
  /** Lets go of its connections. */
  readonly close: () => void;
}

/** What a listener does for a request that it hands over. */
interface Forwarded {
  /** Tells a client that waits for it to send the content. */
  readonly goOn: () => void;
  /** Whether the connection closes behind the answer. */
  readonly isLast: () => boolean;
  /** Answers in place of the other process; null: nobody knows whether that carried the request out. */
  readonly settle: (reply: Reply | null) => void;
}

/** @param path the Unix socket of the process that writes */
export function forwarding(path: string): Forwarding {
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    forward: (exchange, { goOn, isLast, settle }) => {
      const { request, response } = exchange;
      const { method = '', url = '' } = request;
      const options = {
        socketPath: path,
        agent,
        method,
        path: url,
        headers: fieldsOf(request),
        setHost: false,
      };
      const outgoing = send(options);
      const sendContent = (): void => void request.pipe(outgoing);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (response.headersSent) reset(request.socket);
        // Of what was sent nobody knows what became. Where nobody listens, nothing was.
        else settle(error.syscall === 'connect' ? bare(floor.unavailable) : null);
      });
      outgoing.on('continue', () => {
        goOn();
        sendContent();
      });
      outgoing.on('response', (incoming) => {
        if (response.destroyed) return;
        const fields = withoutConnection(incoming.rawHeaders);
        const isStream = incoming.headers['content-length'] === undefined && incoming.statusCode !== 204;
        fields.push(...connectionFields(response, isLast(), isStream));
        response.writeHead(incoming.statusCode ?? 0, fields);
        incoming.on('error', () => reset(request.socket));
        incoming.pipe(response);
      });
      response.once('close', () => {
        if (!response.writableFinished) outgoing.destroy();
      });
      if (!hasContent(request)) outgoing.end();
      else if (!exchange.waits) sendContent();
    },
  };
}

/** The header fields of a request, as they came, and where it comes from. */
function fieldsOf({ rawHeaders, headers, socket }: IncomingMessage): string[] {
  const fields = withoutConnection(rawHeaders);
  // The other process is asked by HTTP/1.1, which wants one (RFC 9112 §3.2).
  if (headers.host === undefined) fields.push('Host', '');
  const { 'transfer-encoding': coding } = headers;
  if (coding !== undefined) fields.push('Transfer-Encoding', 'chunked');
  return [...fields, fromField, socket.remoteAddress ?? ''];
}

/** Fields about one connection alone (RFC 9110 §7.6.1), and ours between processes. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  fromField,
]);

function withoutConnection(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !ofConnection.has((raw[index - (index % 2)] as string).toLowerCase()));
}
