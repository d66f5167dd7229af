import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/conformance/check.ts';
import { testService } from '../../src/conformance/run.ts';
import { listening } from '../listening.ts';
import { specificationOf } from './documents.ts';

/** A document of two endpoints that only answer, with something open in part 8. */
const document = (limits: string, open = ''): string => `
name: signs
complete: true
${open}
endpoints:
  others: refuse
  GET /sign: { operation: sign, does: (none), response: 204 }
  POST /sign: { operation: post, does: (none), response: 204, request: { body: { type: object } } }
resources: (none)
states: (none)
authentication: (none)
events: (none)
errors: { payload: (none), codes: { malformed: { when: malformed, status: 400 }, unfit: { when: invalid, status: 422 } } }
limits: ${limits}
versioning: (none)
`;

/** The checks that a request of the method succeeds, where every answer is 500 after so many milliseconds. */
async function successes(method: string, content: string, tookMs = 1): Promise<readonly Result[]> {
  let time = Date.UTC(2026, 0);
  const server = createServer((request, response) => {
    time += tookMs;
    request.resume().on('end', () => response.writeHead(500).end());
  });
  const running = await listening(server);
  try {
    const of = specificationOf(content, 'signs.yaml');
    const { results } = await testService(of, { url: running.url, seed: 1, now: () => time });
    return results.filter(({ check, says }) => check === 'succeeds' && says.startsWith(method));
  } finally {
    await running.close();
  }
}

const verdicts = async (...given: Parameters<typeof successes>): Promise<readonly unknown[]> => {
  const found = (await successes(...given)).map(({ verdict, points }) => points?.join(' ') ?? verdict);
  return [...new Set(found)];
};

describe('a list of part 8 that is open leaves unknown only what one more entry could refuse (language §F.2, 8.3)', () => {
  it.each([
    [
      'its list',
      document('{ sizes: { body: 2 KiB } }', 'open: { limits.times: how long? }'),
      'limits.times.*',
    ],
    ['the list itself', document('{ times: (open) how long? }'), 'limits.times'],
    ['a time', document('{ times: { request: (open) how long? } }'), 'limits.times.request'],
  ])('times, %s: a slow answer', async (_, content, point) => {
    expect(await verdicts('GET', content)).toEqual(['violates']);
    expect(await verdicts('GET', content, 5000)).toEqual([point]);
  });

  it('a stated time: an answer that took longer', async () => {
    const content = document('{ times: { request: PT0.5S } }');
    expect(await verdicts('GET', content, 100)).toEqual(['violates']);
    expect(await verdicts('GET', content, 600)).toEqual(['not exercised']);
  });

  it('sizes: a request with content', async () => {
    const content = document('{ sizes: (open) }');
    expect(await verdicts('GET', content)).toEqual(['violates']);
    expect(await verdicts('POST', content)).toEqual(['limits.sizes']);
  });

  it('quotas: a request that changes something', async () => {
    const content = document('{ quotas: (open) }');
    expect(await verdicts('GET', content)).toEqual(['violates']);
    expect(await verdicts('POST', content)).toEqual(['limits.quotas']);
  });

  it.each([
    ['rates', document('{ sizes: { body: 2 KiB } }', 'open: { limits.rates: how many? }'), 'limits.rates.*'],
    ['rates', document('{ rates: (open) }'), 'limits.rates'],
    ['concurrency', document('{ concurrency: (open) }'), 'limits.concurrency'],
  ])('%s: any request', async (_, content, point) => {
    expect(await verdicts('GET', content)).toEqual([point]);
    expect(await verdicts('POST', content)).toEqual([point]);
  });
});
