import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { status } from '../../src/report/status.ts';
import { read } from '../../src/specification/read.ts';
import { parts } from '../../src/specification/reading/address.ts';

const folder = new URL('../../examples/', import.meta.url);
const examples = readdirSync(folder).filter((name) => name.endsWith('.md'));
const reading = (name: string) => read(name, readFileSync(new URL(name, folder), 'utf8'));

describe.each(examples)('the example %s', (name) => {
  it('is read without a finding', () => {
    expect(reading(name).diagnostics).toEqual([]);
  });

  it('states something of each of the nine parts, or asks about it', () => {
    const considered = status(reading(name).specification).parts.filter(({ points }) =>
      points.some(({ state, question }) => state === 'stated' || question !== undefined),
    );
    expect(considered.map(({ part }) => part)).toEqual(parts);
  });
});
