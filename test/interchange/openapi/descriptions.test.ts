import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { documentText } from '../../../src/interchange/openapi/write.ts';
import { importedFrom, readDescribed } from '../../../src/load/descriptions.ts';
import { holds } from '../../../src/specification/openness/holds.ts';
import { read } from '../../../src/specification/read.ts';
import { isLong } from '../../long.ts';

/** Descriptions of others, which lie beside a checkout and are not part of it. */
const folder = fileURLToPath(new URL('../../../../shared/descriptions/', import.meta.url));

/** How many operations of each run with the guesses, at the least, and how many there are. */
const floors: Readonly<Record<string, readonly [runs: number, all: number]>> = {
  'digitalocean.yaml': [430, 659],
  'museum.yaml': [7, 8],
  'oai-link-example.yaml': [5, 6],
  'oai-petstore-expanded.yaml': [4, 4],
  'oai-tictactoe.yaml': [1, 3],
  'stripe.json': [311, 416],
  'svix.json': [26, 43],
  'train-travel.yaml': [7, 7],
  'twilio-conversations.json': [101, 103],
};

const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(ya?ml|json)$/.test(name)) : [];

describe.skipIf(files.length === 0)('descriptions of others (skipped: they lie beside a checkout)', () => {
  it.each(files)('%s is read without an error, and runs as far as it did', { timeout: 60_000 }, (file) => {
    const { specification, diagnostics } = readDescribed(`${folder}${file}`, [], 'all');
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { operations } = specification;
    const running = operations.filter((each) => holds(specification, each).length === 0);
    const [runs, all] = floors[file] ?? [0, operations.length];
    expect(operations.length).toBe(all);
    expect(running.length).toBeGreaterThanOrEqual(runs);
  });

  // A large one takes seconds, and has little that the others have not: it is for the long form.
  const isSmall = (file: string): boolean => isLong || statSync(`${folder}${file}`).size < 2 ** 20;

  it.each(files.filter(isSmall))(
    '%s becomes a document that is read without an error',
    { timeout: 60_000 },
    (file) => {
      const document = documentText(importedFrom([`${folder}${file}`]), null);
      const { diagnostics } = read('imported.md', document);
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    },
  );
});
