import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/conformance/run.ts';
import { absence, schema } from '../service/store/postgres.ts';
import { blamed, shareJudged } from './documents.ts';
import { exampleOf, testOwnService } from './examples.ts';
import { ofTranslations, ofWeatherAlerts, type Surroundings } from './surroundings.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-examples-'));
const patience = 240_000;
const isLong = process.env['TACET_LONG'] !== undefined;
const seeds = Array.from({ length: isLong ? 20 : 1 }, (_, seed) => seed + 1);
const missing = await absence();

afterAll(() => rmSync(folder, { recursive: true }));

type Surround = (document: string) => Promise<Surroundings>;

const alone: Surround = async (document) => ({ document });

/** Each with what it needs, and with the share of checks that are judged. Quotas and timers keep others from it. */
const examples: readonly (readonly [string, Surround, number])[] = [
  ['reminders', alone, 0.8],
  ['translations', ofTranslations, 0.9],
  ['weather-alerts', ofWeatherAlerts, 0.65],
];

describe.each(examples)('our own service of the example %s, with those that it needs', (...example) => {
  const [name, surround, share] = example;
  const tested = async (seed: number, data: string): Promise<Report> => {
    const { document, options = {}, ...others } = await surround(exampleOf(name));
    return testOwnService(name, document, seed, data, 'md', { options, others });
  };

  it.each(seeds)('is never blamed: seed %i', { timeout: patience }, async (seed) => {
    const report = await tested(seed, join(folder, `${name}-${seed}.sqlite`));
    expect(blamed(report)).toEqual([]);
    expect(report.inventions).toEqual([]);
    expect(report.results.filter(({ points = [] }) => points.length > 0)).toEqual([]);
    expect(shareJudged(report)).toBeGreaterThan(share);
    expect(report.inOrder).toBe(true);
  });

  it.skipIf(missing !== null).each(seeds)(
    'is never blamed in PostgreSQL: seed %i',
    { timeout: 2 * patience },
    async (seed) => {
      const { address } = await schema();
      const report = await tested(seed, address);
      expect(blamed(report)).toEqual([]);
      expect(report.inOrder).toBe(true);
    },
  );
});
