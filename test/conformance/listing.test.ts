import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Described } from '../../src/conformance/check.ts';
import * as depot from '../faulty/depot.ts';
import * as library from '../faulty/library.ts';
import {
  blamed,
  elusiveCases,
  firstBlame,
  otherSeeds,
  type Service,
  shareJudged,
  specificationOf,
  testWith,
  tried,
  violations,
} from './documents.ts';

const services: readonly Service[] = [
  {
    file: 'library.yaml',
    faults: library.faults,
    elusive: ['the author of a book has another name'],
    start: (fault) => library.startLibrary(fault as library.Fault | null),
  },
  {
    file: 'depot.yaml',
    faults: depot.faults,
    elusive: ['thirteen is taken', 'slugs are cut', 'slugs keep capitals'],
    start: (fault) => depot.startDepot(fault as depot.Fault | null),
  },
];

const folder = new URL('../documents/listing/', import.meta.url);
const patience = 120_000;

describe.each(services)('what is kept, listed and asked for, in $file,', (service) => {
  const { file } = service;
  const of = specificationOf(readFileSync(fileURLToPath(new URL(file, folder)), 'utf8'), file);

  it.each(otherSeeds)('is never blamed where it is kept to: seed %i', { timeout: patience }, async (seed) => {
    expect(blamed(await testWith(of, service, null, seed))).toEqual([]);
  });

  it('is never blamed where it is kept to, and nearly every check is made', {
    timeout: patience,
  }, async () => {
    const report = await testWith(of, service, null, 1);
    expect(blamed(report)).toEqual([]);
    expect(shareJudged(report)).toBeGreaterThan(0.8);
    expect(report.counts['not stated']).toEqual({ stated: 0, assumed: 0 });
  });

  it.each(tried(service))('is blamed where it is not: %s', { timeout: patience }, async (fault) => {
    expect(await firstBlame(of, service, fault)).not.toBeNull();
  });

  it.each(elusiveCases(service))(
    'is blamed whatever the seed: %s, %i',
    { timeout: patience },
    async (fault, seed) => {
      expect(await firstBlame(of, service, fault, seed)).not.toBeNull();
    },
  );
});

describe('a page that a list offers', () => {
  const file = 'library.yaml';
  const of = specificationOf(readFileSync(fileURLToPath(new URL(file, folder)), 'utf8'), file);
  const [service] = services as [Service];

  it('is to be shown when it is asked for', { timeout: patience }, async () => {
    const report = await testWith(of, service, 'no cursor is known again', 1);
    expect(blamed(report)).toEqual([
      expect.stringMatching(/^GET \/books, page by page, shows each page that it offers: status 4/),
    ]);
  });
});

describe('what is derived of the items that refer to one', () => {
  const file = 'library.yaml';
  const of = specificationOf(readFileSync(fileURLToPath(new URL(file, folder)), 'utf8'), file);
  const [service] = services as [Service];

  it.each(['removed books are still counted', 'books are counted for their first author'])(
    'is followed while they change and go: %s',
    { timeout: patience },
    async (fault) => {
      const only = ({ name }: Described): boolean => name === 'derived.followed';
      expect(violations(await testWith(of, service, fault, 1, { only }))).not.toEqual([]);
    },
  );
});
