import { createHmac } from 'node:crypto';
import type { Webhook } from 'standardwebhooks';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Sign } from '../../specification/vocabulary/delivery.ts';
import type { Claim } from '../check.ts';
import { isHole, isMixed } from '../partly.ts';
import { type Names, workOut } from '../solve.ts';
import { known, unseen } from '../verdict.ts';
import { fieldIn } from './expected.ts';
import type { Told } from './told.ts';

/** What a signature is held against (language §6.3). */
export interface Signed {
  readonly told: Told;
  readonly keys: readonly string[];
  /** What templates over `event` read. */
  readonly names: Names;
  /** When the message came, in milliseconds since 1970. */
  readonly at: number;
}

/** How far the clocks of sender and receiver may be apart, in seconds: as Standard Webhooks have it. */
const apartS = 300;

/** Whether a message is signed as it is stated: with each key, over what it holds. */
export function verified(said: Said<Sign>, signed: Signed, maker: typeof Webhook): Claim {
  const sign = stated(said);
  const faulty =
    sign === undefined
      ? null
      : sign.kind === 'standard-webhooks'
        ? standard(signed, maker)
        : ownHmac(sign, signed);
  return {
    truth: faulty === undefined ? unseen('when it was signed cannot be told') : known(faulty === null),
    expected: 'a signature that can be verified',
    found: faulty ?? 'so',
  };
}

/**
 * Standard Webhooks 1.0, signed again by the specification's own package; null where it is right, else what is wrong.
 * Its verifier goes by the time at which it is asked, and a message is judged long after it came.
 */
function standard({ told, keys, at }: Signed, Maker: typeof Webhook): string | null {
  const [id, time = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    fieldIn(told.headers, `webhook-${name}`),
  );
  const second = Number.parseInt(time, 10);
  if (id === undefined) return 'no field webhook-id';
  if (!(Math.abs(at / 1000 - second) <= apartS + 1)) return `webhook-timestamp: ${time}`;
  try {
    const isSigned = (key: string): boolean =>
      signatures.split(' ').includes(new Maker(key).sign(id, new Date(second * 1000), told.content));
    return keys.every(isSigned) ? null : `webhook-signature: ${signatures}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** An HMAC (RFC 2104); undefined where it cannot be told what was signed. */
function ownHmac(
  sign: Extract<Sign, { readonly kind: 'hmac' }>,
  { told, keys: [key = ''], names, at }: Signed,
): string | null | undefined {
  const [header, hmac] = [stated(sign.header), stated(sign.hmac)];
  const [over, as] = [stated(sign.over), stated(sign.as)];
  if (header === undefined || hmac === undefined || over === undefined || as === undefined) return undefined;
  const found = fieldIn(told.headers, header);
  if (found === undefined) return `no field ${header}`;
  const event = { ...(names.get('event') as object), content: told.content };
  const about = (now: string): Names => new Map(names).set('event', event).set('now', now);
  const isTold = (second: number): boolean | undefined => {
    const now = new Date(second * 1000).toISOString();
    const text = workOut(over.template, about(now));
    if (typeof text !== 'string') return undefined;
    const bytes = createHmac(hmac, key).update(text).digest();
    const signature = { hex: bytes.toString('hex'), base64: bytes.toString('base64') };
    const value = workOut(as.template, new Map(about(now)).set('event', { ...event, signature }));
    return isHole(value) || isMixed(value) ? undefined : value === found;
  };
  const received = Math.floor(at / 1000);
  const first = isTold(received);
  if (first === undefined || first) return first ? null : undefined;
  for (let apart = 1; apart <= apartS; apart++)
    if (isTold(received - apart) || isTold(received + apart)) return null;
  return `${header}: ${found}`;
}
