import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-others-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Notes that tell how many twins they have: none, unless the client says so. */
const notes = (twins: string): string => `
name: notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } }, text: { type: string }, twins: ${twins} }, required: [text] }
  Twin: { identifier: id, fields: { id: { type: string }, note: { refers: Note } } }
endpoints:
  others: ignore
  POST /notes: { operation: make, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
states: (none)
authentication: (none)
events: (none)
errors: { payload: (none), codes: { malformed: { when: malformed, status: 400 }, invalid: { when: invalid, status: 422 } } }
limits: (none)
versioning: (none)
`;
const counted = notes('{ type: integer, derived: "${Twin.filter(t, t.note == this).size()}" }');

async function blames(served: string, seed: number): Promise<readonly string[]> {
  const service = await serve(specificationOf(served, 'notes.yaml'), {
    data: join(folder, `${served.length} ${seed}`),
  });
  try {
    return blamed(await testService(specificationOf(counted, 'notes.yaml'), { url: service.url, seed }));
  } finally {
    await service.close();
  }
}

describe('a number that no client may write', () => {
  // By this seed a number from 0 on was 0.
  it('is not one that the service counts to by itself', async () => {
    expect(await blames(counted, 59)).toEqual([]);
  });

  it('is found where a service takes it all the same', async () => {
    expect(await blames(notes('{ type: integer, default: 0 }'), 59)).toContainEqual(
      expect.stringMatching(
        /^POST \/notes with twins, which no client may write, leaves it out of account: \d{9,}$/,
      ),
    );
  });
});
