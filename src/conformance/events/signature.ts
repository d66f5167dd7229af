import { createHmac } from 'node:crypto';
import type { Webhook } from 'standardwebhooks';
import type { Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Sign } from '../../specification/vocabulary/delivery.ts';
import type { Header } from '../http.ts';
import { fieldIn } from './told.ts';

/** A message with a signature. */
export interface SignedMessage {
  readonly headers: readonly Header[];
  readonly content: string;
  readonly keys: readonly string[];
  /** When it came, in milliseconds since 1970. */
  readonly atMs: number;
  /** When it may have been signed at the earliest, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** The text of a template, at this time and with these members of `event`; undefined: it is not known. */
  readonly text: (
    template: Template,
    now: string,
    event: { readonly [name: string]: Json },
  ) => string | undefined;
}

/** How far the clocks of sender and receiver may be apart, in seconds: as Standard Webhooks have it. */
const apartS = 300;

/** What is wrong with a signature; null: nothing. Undefined: it is not known what was signed. */
export function signatureFault(
  said: Said<Sign>,
  message: SignedMessage,
  maker: typeof Webhook,
): string | null | undefined {
  const sign = stated(said);
  if (sign === undefined) return null;
  return sign.kind === 'standard-webhooks' ? standard(message, maker) : ownHmac(sign, message);
}

/**
 * Standard Webhooks 1.0, signed again by the specification's own package; null where it is right, else what is wrong.
 * Its verifier goes by the time at which it is asked, and a message is judged long after it came.
 */
function standard(
  { headers, content, keys, atMs, sinceMs }: SignedMessage,
  Maker: typeof Webhook,
): string | null {
  const [id, time = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    fieldIn(headers, `webhook-${name}`),
  );
  const second = Number.parseInt(time, 10);
  if (id === undefined) return 'no field webhook-id';
  const firstMs = Math.min(sinceMs, atMs);
  const isTimely = second >= firstMs / 1000 - apartS - 1 && second <= atMs / 1000 + apartS + 1;
  if (!isTimely) return `webhook-timestamp: ${time}`;
  try {
    const isSigned = (key: string): boolean =>
      signatures.split(' ').includes(new Maker(key).sign(id, new Date(second * 1000), content));
    return keys.every(isSigned) ? null : `webhook-signature: ${signatures}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** An HMAC (RFC 2104); undefined where it cannot be told what was signed. */
function ownHmac(
  sign: Extract<Sign, { readonly kind: 'hmac' }>,
  { headers, content, keys: [key = ''], atMs, sinceMs, text }: SignedMessage,
): string | null | undefined {
  const [header, hmac] = [stated(sign.header), stated(sign.hmac)];
  const [over, as] = [stated(sign.over), stated(sign.as)];
  if (header === undefined || hmac === undefined || over === undefined || as === undefined) return undefined;
  const found = fieldIn(headers, header);
  if (found === undefined) return `no field ${header}`;
  const isTold = (second: number): boolean | undefined => {
    const now = new Date(second * 1000).toISOString();
    const signed = text(over.template, now, { content });
    if (signed === undefined) return undefined;
    const bytes = createHmac(hmac, key).update(signed).digest();
    const signature = { hex: bytes.toString('hex'), base64: bytes.toString('base64') };
    const value = text(as.template, now, { content, signature });
    return value === undefined ? undefined : value === found;
  };
  const [received, emitted] = [atMs, sinceMs].map((ms) => Math.floor(ms / 1000)) as [number, number];
  const first = isTold(received);
  if (first === undefined || first) return first ? null : undefined;
  for (const second of new Set([received, emitted]))
    for (let apart = 0; apart <= apartS; apart++)
      if (isTold(second - apart) || isTold(second + apart)) return null;
  return `${header}: ${found}`;
}
