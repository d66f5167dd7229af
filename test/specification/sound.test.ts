import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findings } from './findings.ts';

const folder = new URL('../documents/sound/', import.meta.url);

describe('a document that says nothing wrong has no finding, whatever it closes, asks and leaves open', () => {
  it.each(readdirSync(folder))('%s', (name) => {
    expect(findings(readFileSync(new URL(name, folder), 'utf8'))).toEqual([]);
  });
});
