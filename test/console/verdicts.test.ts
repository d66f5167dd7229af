import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type {
  CauseDetail,
  ReplayView,
  StatementDetail,
  StatementList,
  TestView,
} from '../../src/console/testing/verdicts.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { notes, type Served, served } from './opened.ts';

const { file } = temporaryFolder();
let made = 0;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Somebody else's service of the notes, which answers a new one by `status`. */
async function theirs(status: () => number): Promise<string> {
  const server: Server = createServer((request, response) => {
    request.resume();
    const isNew = request.method === 'POST';
    response.writeHead(isNew ? status() : 200, { 'Content-Type': 'application/json' });
    response.end(isNew ? undefined : '[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const stated = `${notes.replace('(open) 201 or 202?', '201')}## Authentication\n\`\`\`yaml\n(none)\n\`\`\`\n`;

/** A desk whose tester tests what is at an address, by few requests. */
async function desk(url: string, more: Parameters<typeof served>[1] = {}): Promise<Served> {
  made += 1;
  const document = file(`${made}-notes.md`, stated);
  const words = [document, '--url', url, '--search', 'PT0S', '--walks', '12'];
  const one = await served(document, {
    tester: { words: () => words, environment: {} },
    ...more,
  });
  ends.unshift(one.close);
  return one;
}

/** Waits until a run has ended, and gives what it came to. */
async function ended({ query, opened }: Served): Promise<TestView> {
  const { console } = opened;
  for (;;) {
    const goesOn = console.tested;
    const { test } = await query<{ readonly test: TestView }>('test');
    if (test.state !== 'runs') return test;
    await goesOn;
  }
}

describe('the verdicts', () => {
  it('come as the tester finds them, each with the requests that lead to it, which are played again', async () => {
    let status = 202;
    const one = await desk(await theirs(() => status));
    const { query, act } = one;
    expect(await query('test')).toEqual({ test: null });
    expect(await act('begin-test', { target: 'running' })).toMatchObject({ state: 'runs', requests: 0 });
    await expect(act('begin-test', { target: 'own' })).rejects.toThrow('400 a run goes on; end it first');
    const test = await ended(one);
    expect(test).toMatchObject({ state: 'ended', trouble: null, target: 'running' });
    expect(test.sentence).toMatch(/^\d+ checks? found a violation/);
    const cause = test.causes.find(({ address }) => address === 'endpoints["POST /notes"].response.status');
    expect(cause).toMatchObject({ expected: 'status 201', found: 'status 202', line: 9 });
    const id = encodeURIComponent(cause?.id ?? '');
    const detail = await query<CauseDetail>(`cause?id=${id}`);
    expect(detail.canReplay).toBe(true);
    expect(detail.sequence.at(-1)).toMatchObject({ request: { method: 'POST' }, response: { status: 202 } });
    const replayed = async () => (await act<ReplayView>('replay', { id: cause?.id })).outcome;
    expect(await replayed()).toBe('violates');
    status = 201;
    expect(await replayed()).toBe('conforms');
    const violated = await query<StatementList>('statements?verdict=violates&words=RESPONSE.status');
    expect(violated.statements).toMatchObject([{ address: cause?.address, violates: 1, line: 9 }]);
    const of = encodeURIComponent(cause?.address ?? '');
    expect(await query<StatementDetail>(`statement?address=${of}`)).toMatchObject({
      results: [{ verdict: 'violates', operation: 'POST /notes', found: 'status 202' }],
    });
    await expect(query('cause?id=none')).rejects.toThrow('400 the run has no such violation any more');
  });

  it('are left as they are where the run is ended', async () => {
    const url = await theirs(() => 201);
    const one = await desk(url);
    await one.act('begin-test', { target: 'own', isQuick: true });
    await one.act('end-test', {});
    expect(await ended(one)).toMatchObject({ state: 'ended', sentence: null, trouble: null });
  });

  it('tell why nothing could be tested', async () => {
    const one = await desk('http://127.0.0.1:9');
    await one.act('begin-test', {});
    const test = await ended(one);
    expect(test.state).toBe('failed');
    expect(test.trouble).toContain('nothing answers at http://127.0.0.1:9');
  });

  it('are not asked of a service that does not run, or whose clock was moved', async () => {
    const none = await desk('', { running: () => null });
    await expect(none.act('begin-test', { target: 'running' })).rejects.toThrow(
      '400 the service does not run: the document has errors',
    );
    await expect(none.query('statements')).rejects.toThrow('400 nothing was tested yet');
    const ahead = await desk('', { clock: { aheadMs: 1000, pass: async () => {} } });
    await expect(ahead.act('begin-test', { target: 'running' })).rejects.toThrow(
      '400 the clock of the service was moved',
    );
  });
});
