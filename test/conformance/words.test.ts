import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dataFile } from '../service/places.ts';
import { exampleOf, testOwnService } from './examples.ts';

const folder = new URL('../documents/words/', import.meta.url);

describe('the tester blames nothing that it does not look at', () => {
  it.each(readdirSync(folder))('%s', async (file) => {
    const name = file.replace('.md', '');
    const document = exampleOf(name, 'test/documents/words');
    const { results } = await testOwnService(name, document, 1, dataFile());
    const violated = results.filter(({ verdict }) => verdict === 'violates');
    expect(violated.map(({ says, found }) => `${says}: ${found}`)).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'conforms').length).toBeGreaterThan(10);
  });
});
