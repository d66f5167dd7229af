import { X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isGood, selfSigned } from '../../src/conformance/events/certificate.ts';
import { listen } from '../../src/conformance/events/receiver.ts';

const now = Date.UTC(2026, 10, 21);
const hosts = ['localhost', '127.0.0.1', '::1', 'fe80::1:2', 'receiver.example'];

describe('a certificate that signs itself', () => {
  it('is one of all its hosts, for a year, and signed by its own key', () => {
    const { certificate, key } = selfSigned(hosts, now);
    const read = new X509Certificate(certificate);
    expect(read.subjectAltName?.split(', ')).toEqual([
      'DNS:localhost',
      'IP Address:127.0.0.1',
      'IP Address:0:0:0:0:0:0:0:1',
      'IP Address:FE80:0:0:0:0:0:1:2',
      'DNS:receiver.example',
    ]);
    expect([read.ca, read.verify(read.publicKey)]).toEqual([true, true]);
    expect([read.validFromDate, read.validToDate]).toEqual([
      new Date('2026-11-20T00:00:00Z'),
      new Date('2027-11-21T00:00:00Z'),
    ]);
    expect(isGood({ certificate, key }, hosts, now)).toBe(true);
  });

  it('is not good for other hosts, once it is over, or with the key of another', () => {
    const made = selfSigned(['localhost'], now);
    expect(isGood(made, ['other.example'], now)).toBe(false);
    expect(isGood(made, ['localhost'], now + 366 * 24 * 60 * 60 * 1000)).toBe(false);
    expect(isGood({ ...made, key: selfSigned(['localhost'], now).key }, ['localhost'], now)).toBe(false);
    expect(isGood({ certificate: 'none', key: 'none' }, ['localhost'], now)).toBe(false);
  });
});

describe('a receiver', () => {
  it('takes messages with TLS and without at one port, and answers those of a path as it is told, also once it is closed', async () => {
    const certified = selfSigned(['127.0.0.1'], Date.now());
    const receiver = await listen({ certified }, () => 7);
    onTestFinished(receiver.close);
    const inbox = receiver.inbox('here', { status: 204 });
    const refusing = receiver.inbox('refusing', { status: 500 });
    const post = (url: string, content: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const ask = url.startsWith('https:') ? secureRequest : request;
        const outgoing = ask(url, { method: 'POST', agent: false, ca: certified.certificate }, (incoming) => {
          incoming.resume();
          incoming.on('end', () => resolve(incoming.statusCode));
        });
        outgoing.on('error', reject);
        outgoing.end(content);
      });
    expect(await post(`${receiver.url(true)}/here`, 'one')).toBe(204);
    expect(await post(`${receiver.url(false)}/here`, 'two')).toBe(204);
    expect(await post(`${receiver.url(false)}/answers-500-/refusing`, 'three')).toBe(500);
    expect(await post(`${receiver.url(false)}/elsewhere`, 'four')).toBe(404);
    refusing.close();
    expect(await post(`${receiver.url(false)}/refusing`, 'five')).toBe(500);
    expect(refusing.posted.map(({ content }) => content)).toEqual(['three']);
    expect(inbox.posted.map(({ at, method, url, content }) => [at, method, url, content])).toEqual([
      [7, 'POST', '/here', 'one'],
      [7, 'POST', '/here', 'two'],
    ]);
    expect([new URL(receiver.url(true)).port, receiver.count()]).toEqual([
      new URL(receiver.url(false)).port,
      5,
    ]);
  });
});
