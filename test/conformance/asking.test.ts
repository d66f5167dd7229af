import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as diary from '../faulty/diary.ts';
import { blamed, firstBlame, type Service, specificationOf, testWith, tried } from './documents.ts';

const service: Service = {
  file: 'diary.yaml',
  faults: diary.faults,
  elusive: [],
  start: (fault) => diary.startDiary(fault as diary.Fault | null),
};
const path = fileURLToPath(new URL('../documents/asking/diary.yaml', import.meta.url));
const of = specificationOf(readFileSync(path, 'utf8'), service.file);
const patience = 60_000;

describe('who may ask for what', () => {
  it('is judged in nearly every check, and none hangs on an open point', { timeout: patience }, async () => {
    const { counts, results } = await testWith(of, service, null, 1);
    const judged = counts.conforms.stated + counts.violates.stated;
    expect(judged / results.length).toBeGreaterThan(0.95);
    expect(counts['not stated']).toEqual({ stated: 0, assumed: 0 });
  });

  it.each([2, 3])('is never blamed where it is kept to: seed %i', { timeout: patience }, async (seed) => {
    expect(blamed(await testWith(of, service, null, seed))).toEqual([]);
  });

  it.each(tried(service))('is blamed where it is not: %s', { timeout: patience }, async (fault) => {
    expect(await firstBlame(of, service, fault)).not.toBeNull();
  });
});
