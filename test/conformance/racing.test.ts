import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/conformance/replay.ts';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { type Fault, faults, startCounter } from '../faulty/counter.ts';
import { blamed, specificationOf, violations } from './documents.ts';

const path = fileURLToPath(new URL('../documents/racing/counter.yaml', import.meta.url));
const of = specificationOf(readFileSync(path, 'utf8'), 'counter.yaml');
const patience = 60_000;

async function tested(fault: Fault | null, seed = 1) {
  const running = await startCounter(fault);
  try {
    return await testService(of, { url: running.url, seed });
  } finally {
    await running.close();
  }
}

describe('the shortest sequence of a race', () => {
  it.each<[Fault, string, readonly string[]]>([
    ['two get one place', 'POST /seats with one place', ['POST /seats', 'POST /seats']],
    ['a seat is sold twice', 'POST /seats/{id}/sell', ['POST /seats', 'POST', 'POST']],
    [
      'a key that comes twice at once makes two',
      'POST /guests with one key',
      ['POST /guests', 'POST /guests'],
    ],
  ])('is two requests that are sent at once: %s', { timeout: patience }, async (fault, says, steps) => {
    const [faulty, mended] = [await startCounter(fault), await startCounter(null)];
    try {
      const { sequences } = await testService(of, { url: faulty.url, seed: 1, sequences: 20 });
      const violation = sequences.find(
        (one) => one.says.startsWith(`${says}`) && one.check.startsWith('race'),
      );
      if (!violation) throw new Error('none');
      const { sequence } = violation;
      expect(sequence.steps.map(({ request }) => `${request.method} ${request.path}`)).toEqual(
        steps.map((step) => expect.stringMatching(new RegExp(`^${step}`)) as string),
      );
      expect(sequence.steps.map(({ together }) => together === true)).toEqual(
        steps.map((_, index) => index === steps.length - 1),
      );
      const outcomes = [faulty, mended].map(async ({ url }) => await replay(of, violation, { url, seed: 7 }));
      expect((await Promise.all(outcomes)).map(({ outcome }) => outcome)).toEqual(['violates', 'conforms']);
    } finally {
      await faulty.close();
      await mended.close();
    }
  });
});

describe('what several ask for at once', () => {
  it.each<[Fault, string]>([
    ['two get one place', 'POST /seats with one place, by several at once, succeeds no more than once'],
    [
      'a seat is sold twice',
      'POST /seats/{id}/sell of a Seat, by several at once, succeeds no more than once',
    ],
    [
      'a change is lost over another',
      'PATCH /seats/{id} with the tag that it has, by several at once, succeeds no more than once',
    ],
    [
      'a key that comes twice at once makes two',
      'POST /guests with one key, by several at once, has one effect',
    ],
    ['a look is lost over another', 'POST /seats/{id}/look, by several at once, takes looks one step each'],
    ['an edit is lost over another', 'PATCH /guests/{id}, by several at once, takes edits one step each'],
  ])('is blamed, and nothing else is, where %s', { timeout: patience }, async (fault, says) => {
    expect(faults).toContain(fault);
    expect(violations(await tested(fault)).map((one) => one.says)).toEqual([says]);
  });

  it.each([1, 2, 3])('is never blamed where one wins: seed %i', { timeout: patience }, async (seed) => {
    const report = await tested(null, seed);
    expect(blamed(report)).toEqual([]);
    const races = report.results.filter(({ check }) => check.startsWith('race'));
    expect(races.map(({ verdict }) => verdict)).toEqual(Array(6).fill('conforms'));
  });

  it('is never blamed in our own service', { timeout: patience }, async () => {
    const data = join(mkdtempSync(join(tmpdir(), 'tacet-racing-')), 'data.sqlite');
    const service = await serve(of, { data });
    try {
      const report = await testService(of, { url: service.url, seed: 1 });
      expect(blamed(report)).toEqual([]);
      const races = report.results.filter(({ check }) => check.startsWith('race'));
      expect(races.map(({ verdict }) => verdict)).toEqual(Array(6).fill('conforms'));
    } finally {
      await service.close();
      rmSync(dirname(data), { recursive: true });
    }
  });
});
