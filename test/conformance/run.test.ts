import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testOwnService } from './examples.ts';

/** Notes that are made one by one, and at most so many at once. */
const notes = (most: number): string => `
name: notes
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      text: { type: string, maxLength: 20 }
    required: [text]
    others: refuse
endpoints:
  others: refuse
  POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes: { does: list Note, response: { status: 200, body: { notes: "\${Note(page.items)}" } } }
  POST /batches:
    does: { run: addNote, for: "\${request.body.texts}", request: { body: { text: "\${value}" } } }
    request: { body: { fields: { texts: { type: array, items: { type: string }, maxItems: ${most} } }, required: [texts] } }
    response: { status: 207, body: { results: "\${results.map(r, r.status)}" } }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: (none)
  codes:
    malformed: { when: malformed, status: 400 }
    invalid: { when: invalid, status: 422 }
    media: { when: unsupported media, status: 415 }
limits: (none)
versioning: (none)
`;

/** What is said of the batches of a service that takes so many at once. */
async function toldOf(most: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const data = join(folder, 'notes.sqlite');
  const { results } = await testOwnService('notes', notes(3), 1, data, 'yaml', { served: notes(most) });
  return results
    .filter(({ says }) => says.startsWith('POST /batches'))
    .map(({ verdict, check, says }) => ({ verdict, check, says }));
}

describe('an operation that runs another (language §H.2)', () => {
  it('is judged by what refuses the request, and what it does is not stated: the tester does not know it', async () => {
    const told = await toldOf(3);
    expect(told.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
    expect(told.filter(({ check }) => check === 'succeeds').map(({ verdict }) => verdict)).toEqual([
      'not stated',
    ]);
    expect(told.filter(({ verdict }) => verdict === 'conforms').length).toBeGreaterThan(5);
  });

  it('is blamed if it runs more at once than is stated', async () => {
    const blamed = (await toldOf(9)).filter(({ verdict }) => verdict === 'violates');
    expect(blamed.map(({ says }) => says)).toEqual([expect.stringMatching(/with texts: .* is refused/)]);
  });
});
