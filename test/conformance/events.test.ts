import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { type Fault, faults, inventions, startFeed } from '../faulty/feed.ts';
import { specificationOf, start } from '../service/served.ts';

const text = readFileSync(new URL('../documents/events/feed.yaml', import.meta.url), 'utf8');

async function tested(document: string, url: string): Promise<Report> {
  return testService(specificationOf(document), { url, seed: 1, patienceMs: 400 });
}

/** The checks of part 6 that went wrong. */
async function blamed(fault: Fault | null, document = text): Promise<string[]> {
  const { url, close } = await startFeed(fault);
  const { results } = await tested(document, url);
  await close();
  return results.flatMap(({ check, verdict }) =>
    verdict === 'violates' && check.startsWith('event.') ? [check] : [],
  );
}

describe('what a stream tells is held against part 6', () => {
  it('of our own service, nothing is wrong, and each kind is exercised', async () => {
    const { address } = await start(text);
    const { results, unchecked } = await tested(text, address);
    expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
    const own = results.filter(({ check }) => check.startsWith('event.'));
    const conforming = own
      .filter(({ verdict }) => verdict === 'conforms')
      .map(({ says }) => says.split(',')[0]);
    expect(new Set(conforming)).toEqual(new Set(['note.added', 'note.large', 'note.sized', 'note.removed']));
    expect(unchecked.filter(({ address: at }) => at.startsWith('events'))).toEqual([]);
  });

  it('of one that another wrote, nothing is wrong either', async () => {
    expect(await blamed(null)).toEqual([]);
  });

  it.each(faults)('finds that %s', async (fault) => {
    expect(await blamed(fault)).toContainEqual(expect.stringMatching(/^event\./));
  });

  it.each(inventions)(
    'finds %s where the list is closed, and blames nobody for it where it is open',
    async (fault) => {
      expect(await blamed(fault)).toContain('event.unlisted');
      const open = text.replace('complete: true', 'complete: true\nopen: { events.kinds: which more? }');
      expect(await blamed(fault, open)).toEqual([]);
    },
  );

  it('lists what it does not listen to apart', async () => {
    const { address } = await start(
      text.replace('{ feed: { stream: GET /feed } }', '{ hooks: { webhook: (open) whom? } }'),
    );
    const { unchecked } = await tested(
      text.replace('{ feed: { stream: GET /feed } }', '{ hooks: { webhook: (open) whom? } }'),
      address,
    );
    expect(unchecked.filter(({ address: at }) => at.startsWith('events'))).not.toEqual([]);
  });
});
