import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as shed from '../faulty/shed.ts';
import * as tickets from '../faulty/tickets.ts';
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
} from './documents.ts';

const services: readonly Service[] = [
  {
    file: 'tickets.yaml',
    faults: tickets.faults,
    elusive: ['the second invariant begins at 5'],
    start: (fault) => tickets.startTickets(fault as tickets.Fault | null),
  },
  {
    file: 'shed.yaml',
    faults: shed.faults,
    elusive: [],
    start: (fault) => shed.startShed(fault as shed.Fault | null),
  },
];

const folder = new URL('../documents/changing/', import.meta.url);

describe.each(services)('what changes items, of $file,', (service) => {
  const { file } = service;
  const of = specificationOf(readFileSync(fileURLToPath(new URL(file, folder)), 'utf8'), file);

  it('is never blamed where it is kept to, and nearly every check is made', async () => {
    const report = await testWith(of, service, null, 1);
    expect(blamed(report)).toEqual([]);
    expect(shareJudged(report)).toBeGreaterThan(0.95);
    expect(report.counts['not stated']).toEqual({ stated: 0, assumed: 0 });
  });

  it.each(otherSeeds)('is never blamed where it is kept to: seed %i', async (seed) => {
    expect(blamed(await testWith(of, service, null, seed))).toEqual([]);
  });

  it.each(tried(service))('is blamed where it is not: %s', async (fault) => {
    expect(await firstBlame(of, service, fault)).not.toBeNull();
  });

  it.each(elusiveCases(service))('is blamed whatever the seed: %s, seed %i', async (fault, seed) => {
    expect(await firstBlame(of, service, fault, seed)).not.toBeNull();
  });
});
