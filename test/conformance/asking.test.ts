import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import * as diary from '../faulty/diary.ts';
import {
  blamed,
  firstBlame,
  otherSeeds,
  type Service,
  shareJudged,
  specificationOf,
  testWith,
  tried,
} from './documents.ts';

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
  it('is never blamed where it is kept to, and nearly every check is made', {
    timeout: patience,
  }, async () => {
    const report = await testWith(of, service, null, 1);
    expect(blamed(report)).toEqual([]);
    expect(shareJudged(report)).toBeGreaterThan(0.8);
    expect(report.counts['not stated']).toEqual({ stated: 0, assumed: 0 });
  });

  it.each(otherSeeds)('is never blamed where it is kept to: seed %i', { timeout: patience }, async (seed) => {
    expect(blamed(await testWith(of, service, null, seed))).toEqual([]);
  });

  it('is never blamed where the service is so slow that credentials expire meanwhile', {
    timeout: patience,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-slow-'));
    let [asked, ahead] = [0, 0];
    // Each time that it looks at the clock may be the time at which it is slow.
    const milliseconds = (): number => {
      asked += 1;
      if (asked % 7 === 0) ahead += asked % 2 === 0 ? 2500 : 1500;
      return Date.now() + ahead;
    };
    const slow = await serve(of, { data: join(folder, 'diary.sqlite'), milliseconds });
    onTestFinished(async () => {
      await slow.close();
      rmSync(folder, { recursive: true });
    });
    expect(blamed(await testService(of, { url: slow.url, seed: 1, ahead: () => ahead }))).toEqual([]);
  });

  it.each(tried(service))('is blamed where it is not: %s', { timeout: patience }, async (fault) => {
    expect(await firstBlame(of, service, fault)).not.toBeNull();
  });
});

describe('credentials that are given from outside', () => {
  const text = `
name: Keys
complete: true
service: { actors: { machine: whatever has a key } }
resources: { Note: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } }, text: { type: string } }, others: refuse } }
endpoints:
  protocol: RFC 9110
  others: { body: refuse, query: ignore }
  POST /notes: { operation: write, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { operation: one, does: read Note, response: { status: 200, body: Note } }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: operator, actor: machine, challenge: Key, wrong: refuse }
    door: { type: http, scheme: basic, credentials: operator, actor: machine, challenge: Basic, wrong: refuse }
  authorization: { write: { rule: known, schemes: key }, one: { rule: known, schemes: door } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    malformed: { when: malformed, status: 400 }
    missing: { when: credential missing, status: 401 }
    wrong: { when: credential wrong, status: 401 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;
  const credentials = { key: { robot: 'k-robot' }, door: { porter: 'open: sesame' } };
  const keys = specificationOf(text, 'keys.yaml');

  const report = async (given: typeof credentials | undefined) => {
    const data = join(mkdtempSync(join(tmpdir(), 'tacet-keys-')), 'data.sqlite');
    const service = await serve(keys, { data, credentials });
    try {
      return await testService(keys, { url: service.url, seed: 1, ...(given && { credentials: given }) });
    } finally {
      await service.close();
      rmSync(dirname(data), { recursive: true });
    }
  };

  it('are asked with, so that nearly every check is made', { timeout: patience }, async () => {
    const found = await report(credentials);
    expect(blamed(found)).toEqual([]);
    expect(found.counts.conforms.stated / found.results.length).toBeGreaterThan(0.8);
  });

  it('are what is lacking where they are not given', { timeout: patience }, async () => {
    const { counts, results } = await report(undefined);
    expect(counts.violates.stated).toBe(0);
    expect(results.filter(({ reason }) => reason?.includes('authentication')).length).toBeGreaterThan(0);
  });
});
