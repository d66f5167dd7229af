import { compileTemplate, type Frame } from '../../expression/compile.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import { environmentOf, type Writers } from '../content/render.ts';

/** A message as it is about to be sent. */
export interface Message {
  readonly id: string;
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A frame that names `event` with what `more` adds, and `now`. */
  readonly frame: (more: Readonly<Record<string, unknown>>) => Frame;
}

/** The header fields by which a message shows who sent it, flat; of several keys each signs, as while they are changed. */
export type Sign = (message: Message, keys: readonly string[]) => Promise<readonly string[]>;

type Signed = Extract<Delivery, { readonly kind: 'webhook' }>['sign'];

/** Null: messages are unsigned; undefined: it is stated that they are signed, and open how. */
export function compileSign(said: Signed, writers: Writers): Sign | null | undefined {
  const sign = stated(said);
  if (sign === undefined) return null;
  if (sign.kind === 'standard-webhooks') return standardWebhooks;
  const [header, hmac] = [stated(sign.header), stated(sign.hmac)];
  const [over, as] = [stated(sign.over), stated(sign.as)];
  if (header === undefined || hmac === undefined || over === undefined || as === undefined) return undefined;
  const environment = environmentOf(writers);
  const [text, value] = [
    compileTemplate(over.template, environment),
    compileTemplate(as.template, environment),
  ];
  return async ({ content, frame }, [key = '']) => {
    const { createHmac } = process.getBuiltinModule('node:crypto');
    const digest = createHmac(hmac, key).update(String(text(frame({ content }))));
    const bytes = digest.digest();
    const signature = { hex: bytes.toString('hex'), base64: bytes.toString('base64') };
    return [header, String(value(frame({ signature })))];
  };
}

/** Standard Webhooks 1.0. */
const standardWebhooks: Sign = async ({ id, content, at }, keys) => {
  const { Webhook } = await import('standardwebhooks');
  const signatures = keys.map((key) => new Webhook(key).sign(id, new Date(at), content));
  return [
    'webhook-id',
    id,
    'webhook-timestamp',
    String(Math.floor(at / 1000)),
    'webhook-signature',
    signatures.join(' '),
  ];
};
