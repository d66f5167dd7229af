import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { changed, specificationOf, violations } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-shown-once-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

const document = `
name: accounts
complete: true
resources:
  Account:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      email: { type: string, format: email }
      key: { type: string, secret: hashed, set: { create: "\${'key_' + random(32)}" } }
    required: [email]
endpoints:
  others: refuse
  POST /accounts:
    operation: open
    does: create Account
    request: { body: Account }
    response: { status: 201, body: { id: "\${this.id}", email: "\${this.email}", key: "\${this.key}" } }
  GET /accounts/{id}: { operation: look, does: read Account, response: { status: 200, body: Account } }
states: (none)
authentication: (none)
events: (none)
errors: { payload: (none), codes: { malformed: { when: malformed, status: 400 }, unknown: { when: unknown, status: 404 }, invalid: { when: invalid, status: 422 } } }
limits: (none)
versioning: (none)
`;

/** What is found against a service of another document. */
async function found(served: string): Promise<readonly string[]> {
  files += 1;
  const service = await serve(specificationOf(served, 'accounts.yaml'), { data: join(folder, `${files}`) });
  try {
    const report = await testService(specificationOf(document, 'accounts.yaml'), {
      url: service.url,
      seed: 1,
    });
    return violations(report).map(({ check, statement }) => `${check} ${statement.address}`);
  } finally {
    await service.close();
  }
}

describe('a secret that the answer to its creation shows, and nothing else', () => {
  const atFault = ['set.create resources.Account.fields.key.set.create'];

  it.each<[string, string, string, readonly string[]]>([
    ['is of the length that is stated', 'random(32)', 'random(33)', atFault],
    ['is of the text that is stated', "'key_'", "'kex_'", atFault],
    ['is not blamed where it is', 'name: accounts', 'name: keys', []],
  ])('%s', async (_, from, to, expected) => {
    expect(await found(changed(document, [from, to]))).toEqual(expected);
  });
});
