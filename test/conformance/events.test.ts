import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Described, Result } from '../../src/conformance/check.ts';
import { pause, type Report, testService } from '../../src/conformance/run.ts';
import type { RunEvent } from '../../src/conformance/stream.ts';
import { type Fault, faults, inventions, startFeed } from '../faulty/feed.ts';
import { dataFile, specificationOf, start } from '../service/served.ts';
import { changed } from './documents.ts';
import { testOwnService } from './examples.ts';

const text = readFileSync(new URL('../documents/events/feed.yaml', import.meta.url), 'utf8');

/** @param graceMs for how long what is to come is waited for, which only what does not come takes. */
async function tested(
  document: string,
  url: string,
  onResult?: (result: Result) => void,
  graceMs = 5000,
): Promise<Report> {
  return testService(specificationOf(document), {
    url,
    seed: 1,
    patienceMs: 300,
    graceMs,
    ...(onResult && {
      onEvent: (event: RunEvent) => void (event.kind === 'result' && onResult(event.result)),
    }),
  });
}

/** The first check of part 6 that goes wrong; null where none does. A run goes no further. */
async function blamed(fault: Fault | null, document = text): Promise<string | null> {
  const { url, close } = await startFeed(fault);
  const found: string[] = [];
  const stop = ({ check, verdict }: Result): void => {
    if (verdict !== 'violates' || !check.startsWith('event.')) return;
    found.push(check);
    throw found;
  };
  const isLacking = (faults as readonly (Fault | null)[]).includes(fault);
  await tested(document, url, stop, isLacking ? 300 : undefined).catch((error: unknown) => {
    if (error !== found) throw error;
  });
  await close();
  return found[0] ?? null;
}

describe('what a stream tells is held against part 6', () => {
  it('of our own service, nothing is wrong, and each kind is exercised', async () => {
    const { address } = await start(text);
    const { results, unchecked } = await tested(text, address);
    expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
    const own = results.filter(({ check }) => check.startsWith('event.'));
    expect(own.filter(({ verdict }) => verdict !== 'conforms')).toEqual([]);
    const told = own.filter(({ check }) => check === 'event.emitted').map(({ says }) => says.split(',')[0]);
    expect(new Set(told)).toEqual(
      new Set(['note.added', 'note.large', 'note.sized', 'note.removed', 'bell.rung']),
    );
    expect(unchecked.filter(({ address: at }) => at.startsWith('events'))).toEqual([]);
  });

  it('of one that another wrote, nothing is wrong either', async () => {
    expect(await blamed(null)).toBe(null);
  });

  it.each(faults)('finds that %s', async (fault) => {
    expect(await blamed(fault)).toMatch(/^event\./);
  });

  it.each([
    ['tells something else is known as it comes', 'the body tells something else', 0],
    [
      'does not come is waited for twice: before anything is judged, and for itself',
      'a note that is added is not told of',
      2,
    ],
  ] as const)('what %s', async (_, fault, waits) => {
    const { url, close } = await startFeed(fault);
    let overdue = 0;
    const enough = new Error('enough is known');
    const run = testService(specificationOf(text), {
      url,
      seed: 1,
      patienceMs: 300,
      only: ({ name }) => name === 'event.body' || name === 'event.emitted',
      wait: async (ms, met) => {
        await pause(ms, met);
        if (met?.aborted === false) overdue += 1;
      },
      onEvent: (event) => {
        if (event.kind === 'result' && event.result.verdict === 'violates') throw enough;
      },
    });
    await expect(run).rejects.toBe(enough);
    await close();
    expect(overdue).toBe(waits);
  });

  it.each(inventions)(
    'finds %s where the list is closed, and blames nobody for it where it is open',
    async (fault) => {
      expect(await blamed(fault)).toBe('event.unlisted');
      const open = text.replace('complete: true', 'complete: true\nopen: { events.kinds: which more? }');
      expect(await blamed(fault, open)).toBe(null);
    },
  );

  it('says of what a timer emits why it is not waited for', async () => {
    const { address } = await start(text);
    const { unchecked } = await tested(text.replace('PT0.2S', 'PT1H'), address);
    expect(unchecked.find(({ address: at }) => at === 'events.kinds["bell.rung"].by')?.why).toBe(
      'ring is due after 3600 s, which is not waited for: --patience PT1H would do',
    );
  });

  it.each([
    ['is not blamed', 'ring: { from: wound', 'conforms'],
    ['is found', 'ring: { from: [wound, rung]', 'violates'],
  ])('a timer that emits once more of what left it: %s', async (_, ring, verdict) => {
    const pulled = changed(
      text.replace('    final: [rung]\n', ''),
      ['ring: { from', 'pull: { from: wound, to: rung }\n      ring: { from'],
      [
        '  GET /bells/{id}',
        '  POST /bells/{id}/pull: { operation: pull, does: pull Bell, response: 204 }\n  GET /bells/{id}',
      ],
      ['[Bell.ring]', '[Bell.pull, Bell.ring]'],
    );
    const served = pulled.replace('ring: { from: wound', ring);
    const only = ({ name }: Described): boolean => name === 'event.left';
    const { results } = await testOwnService('bells', pulled, 1, dataFile(), 'yaml', {
      served,
      options: { only },
    });
    expect(results.map(({ check, verdict }) => [check, verdict])).toEqual([['event.left', verdict]]);
  });

  it('lists what it does not listen to apart', async () => {
    const { address } = await start(
      text.replace('{ feed: { stream: GET /feed, order: all } }', '{ hooks: { webhook: (open) whom? } }'),
    );
    const { unchecked } = await tested(
      text.replace('{ feed: { stream: GET /feed, order: all } }', '{ hooks: { webhook: (open) whom? } }'),
      address,
    );
    expect(unchecked.filter(({ address: at }) => at.startsWith('events'))).not.toEqual([]);
  });
});
