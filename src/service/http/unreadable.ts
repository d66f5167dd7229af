import type { IncomingMessage } from 'node:http';
import { METHODS } from './node.ts';

/** What Node's parser says of bytes that are no message. */
export interface ParserError extends NodeJS.ErrnoException {
  /** What was read last from the connection. */
  readonly rawPacket?: Buffer;
  /** How many bytes of `rawPacket` the parser took before it stopped. */
  readonly bytesParsed?: number;
}

/** The parser met no method of HTTP/1, or the greeting of HTTP/2: neither is HEAD. */
const withoutMethod = new Set(['HPE_INVALID_METHOD', 'HPE_PAUSED_H2_UPGRADE']);

/**
 * Whether a message that cannot be read may be a HEAD request, whose answer has no content (RFC 9110 §9.3.2).
 * If its method came in an earlier packet, the method is not known any more, so the message may be HEAD.
 *
 * @param latest the latest request of the connection whose header fields could be read
 */
export function mayBeHead(
  { code = '', rawPacket, bytesParsed = 0 }: ParserError,
  latest: IncomingMessage | undefined,
): boolean {
  if (latest?.complete === false) return latest.method === 'HEAD';
  if (withoutMethod.has(code)) return false;
  const messages = rawPacket?.toString('latin1', 0, bytesParsed).split('\r\n\r\n');
  const [method = ''] = /^[A-Z-]+(?= )/.exec(messages?.at(-1)?.trimStart() ?? '') ?? [];
  return method === 'HEAD' || !METHODS.includes(method);
}
