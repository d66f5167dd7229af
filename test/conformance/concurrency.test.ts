import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { listening, type Running } from '../listening.ts';
import { blamed, changed, specificationOf, violations } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-crowd-'));
let files = 0;
afterAll(() => rmSync(folder, { recursive: true }));

const document = `
name: Bells
tacet: 1
complete: true
resources:
  Bell:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } } }
    others: refuse
endpoints:
  others: refuse
  POST /bells: { operation: ring, does: create Bell, response: { status: 201, body: Bell } }
  GET /bells: { operation: list, does: list Bell, response: { status: 200, body: { bells: "\${Bell(page.items)}" } } }
  GET /feed: { operation: feed, does: (none), response: 200 }
states: (none)
authentication: (none)
events:
  kinds: { rung: { by: [ring], body: { bell: "\${this.id}" } } }
  envelope: (none)
  delivery: { feed: { stream: GET /feed } }
errors: { codes: { invalid: { when: invalid, status: 422 }, unreadable: { when: malformed, status: 400 }, crowded: { when: rate exceeded, status: 503 } } }
limits:
  concurrency:
    feeds: { allow: 2, per: (none), operations: [feed] }
    lists: { allow: 8, per: (none), operations: [list] }
  times: { request: PT10S }
versioning: (none)
`;

async function report(stated: string, served = stated): Promise<Report> {
  files += 1;
  const service = await serve(specificationOf(served, 'bells.yaml'), {
    data: join(folder, `${files}.sqlite`),
  });
  try {
    return await testService(specificationOf(stated, 'bells.yaml'), {
      url: service.url,
      seed: 1,
      patienceMs: 1000,
    });
  } finally {
    await service.close();
  }
}

/** Stands before a service and lets in eight at once to the bells; those that it refuses may run for ever. */
async function crowded(to: string, areGivenBack: boolean): Promise<Running> {
  let running = 0;
  const server = createServer((incoming, outgoing) => {
    const isCounted = incoming.method === 'GET' && incoming.url === '/bells';
    const isOut = isCounted && running >= 8;
    if (isCounted) running += 1;
    const end = (): void => {
      if (isCounted && (areGivenBack || !isOut)) running -= 1;
    };
    if (isOut) {
      end();
      outgoing.writeHead(503).end();
      return;
    }
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url ?? '/', to), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      // Long enough that others come meanwhile.
      setTimeout(() => answer.on('end', end).pipe(outgoing), isCounted ? 20 : 0);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  return await listening(server);
}

describe('bounds on what runs at once (language §8.2)', () => {
  it('let in as many at once as there may be; of one more it is told why it is not judged', async () => {
    const found = await report(document);
    expect(blamed(found)).toEqual([]);
    const own = found.results.filter(({ statement }) => statement.address.startsWith('limits.concurrency'));
    expect(own.map(({ verdict, says }) => `${verdict}: ${says}`)).toEqual([
      'conforms: GET /feed, 2 times at once, is let in',
      'not exercised: GET /feed, 2 times at once, is let in once 4 at once were answered',
      'conforms: GET /bells, 8 times at once, is let in',
      'conforms: GET /bells, 8 times at once, is let in once 16 at once were answered',
    ]);
    const why = new Map(found.unchecked.map((one) => [one.address, one.why]));
    expect(why.get('limits.concurrency.lists.allow')).toBe(
      'of no request is it known from outside when it runs, so that one more need not be refused',
    );
    expect(why.get('limits.times.request')).toMatch(/^it counts from when the whole request is there/);
  });

  it.each([
    [
      'none is let in',
      'lists: { allow: 8, per: (none), operations: [list] }',
      'lists: { allow: 8, per: (none), operations: [list] }\n  rates: { r: { allow: 3, every: PT1H, per: (none), operations: [list] } }',
    ],
  ])('a service is found of which %s', async (_fault, from, to) => {
    expect(blamed(await report(document, changed(document, [from, to])))).not.toEqual([]);
  });

  it.each([
    ['a service that gives back', true, []],
    ['one that does not', false, ['GET /bells, 8 times at once, is let in once 16 at once were answered']],
  ])('are given back by requests that were refused: %s', async (_, areGivenBack, found) => {
    const data = join(folder, `${areGivenBack}.sqlite`);
    const of = specificationOf(document, 'bells.yaml');
    const service = await serve(of, { data });
    const front = await crowded(service.url, areGivenBack);
    try {
      const tested = await testService(of, { url: front.url, seed: 1, patienceMs: 1000 });
      expect(violations(tested).map(({ says }) => says)).toEqual(found);
    } finally {
      await front.close();
      await service.close();
    }
  });

  it('are not held against anybody while it is open how many there may be', async () => {
    const open = changed(document, ['allow: 2, ', ''], ['allow: 8, ', '']);
    expect(blamed(await report(open, document))).toEqual([]);
  });
});
