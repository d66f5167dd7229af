import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { type Service, serve } from '../../src/service/service.ts';
import { specificationOf, violations } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-kept-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Accounts of which no two have the same address; a row is of the address alone. */
const of = specificationOf(
  `
name: accounts
complete: true
resources:
  Account:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      email: { type: string, format: email, maxLength: 60, unique: caseless }
      site: { type: string, format: uri, unique: true }
    required: [email]
endpoints:
  others: refuse
  POST /accounts: { operation: enter, does: create Account, request: { body: Account }, response: { status: 201, body: Account } }
  PUT /accounts/{id}:
    operation: change
    does: update Account
    request: { path: { id: Account.id }, body: Account }
    response: { status: 200, body: Account }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: (none)
  codes:
    malformed: { when: malformed, status: 400 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
    email_taken: { when: not unique Account.email, status: 409 }
limits: (none)
versioning: (none)
`,
  'accounts.yaml',
);

let service: Service;
beforeAll(async () => {
  service = await serve(of, { data: join(folder, 'accounts.sqlite') });
});
afterAll(() => service.close());

it.each([1, 1, 2])(
  'is nothing to blame a service for that keeps what former runs made: seed %i',
  async (seed) => {
    const report = await testService(of, { url: service.url, seed, walks: 320 });
    expect(violations(report)).toEqual([]);
    expect(report.counts.conforms.stated).toBeGreaterThan(10);
  },
);
