import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureFault } from '../../src/conformance/events/signature.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { specificationOf } from '../service/served.ts';

const of = specificationOf(`
name: Hooks
resources: { Hook: { identifier: id, fields: { id: { type: string }, url: { type: string, format: uri } } } }
events: { kinds: {}, delivery: { hooks: { webhook: Hook.url, sign: standard-webhooks, secret: operator } } }
`);

const key = `whsec_${Buffer.from('a key of 24 bytes, or so').toString('base64')}`;
const second = 1_700_000_000;

/** Whether a message that was signed at one time, and came at another, in seconds, is signed as is stated. */
function isVerified(cameS: number, more: Readonly<Record<string, string>> = {}, sinceS = cameS): boolean {
  const signature = new Webhook(key).sign('e1', new Date(second * 1000), '{"a":1}');
  const fields = { 'Webhook-Id': 'e1', 'webhook-timestamp': String(second), 'webhook-signature': signature };
  const headers = Object.entries({ ...fields, ...more });
  const way = stated(stated(stated(of.events)?.delivery)?.get('hooks'));
  if (way?.kind !== 'webhook') throw new Error('no webhook');
  const times = { atMs: cameS * 1000, sinceMs: sinceS * 1000 };
  const message = { content: '{"a":1}', headers, keys: [key], ...times, text: () => undefined };
  return signatureFault(way.sign, message, Webhook) === null;
}

describe('the signature of a webhook', () => {
  it('is held against the time at which it came, and not against when that is judged', () => {
    expect([second, second + 299, second - 299].map((at) => isVerified(at))).toEqual([true, true, true]);
    expect([second + 400, second - 400].map((at) => isVerified(at))).toEqual([false, false]);
  });

  it('may be older, if time was let pass while it was under way', () => {
    expect(isVerified(second + 9000, {}, second + 1)).toBe(true);
    expect(isVerified(second + 9000, {}, second + 400)).toBe(false);
  });

  it('is one of those that are sent, of what is sent', () => {
    const good = new Webhook(key).sign('e1', new Date(second * 1000), '{"a":1}');
    expect(isVerified(second, { 'webhook-signature': `v1,other v2,other ${good}` })).toBe(true);
    expect(isVerified(second, { 'webhook-signature': 'v1,other' })).toBe(false);
    expect(isVerified(second, { 'Webhook-Id': 'e2' })).toBe(false);
    expect(isVerified(second, { 'webhook-timestamp': 'today' })).toBe(false);
  });
});
