import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testOwnService } from './examples.ts';

/** Notes that count how often they were changed. */
const notes = (same: string): string => `
name: notes
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, minLength: 3, maxLength: 40, pattern: "^[a-z]+$" }
      text: { type: string, maxLength: 20 }
      changes: { type: integer, set: { create: "\${0}", update: "\${old.changes + 1}" } }
    required: [text]
    others: refuse
endpoints:
  others: refuse
  PUT /notes/{id}:
    does: { create: Note, present: replace, same: ${same} }
    request: { body: Note }
    response: [{ when: created, status: 201, body: Note }, { when: changed, status: 200, body: Note }, { status: 204 }]
  PATCH /notes/{id}:
    does: { update: Note, same: ${same} }
    request: { body: Note }
    response: [{ when: changed, status: 200, body: Note }, { status: 204 }]
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  GET /notes: { does: list Note, response: { status: 200, body: { notes: "\${Note(page.items)}" } } }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: (none)
  codes:
    malformed: { when: malformed, status: 400 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
    media: { when: unsupported media, status: 415 }
limits: (none)
versioning: (none)
`;

/** The requests by which a service is blamed that does what another document states. */
async function blamedFor(stated: string, served: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-same-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const data = join(folder, 'notes.sqlite');
  const { results } = await testOwnService('notes', notes(stated), 1, data, 'yaml', {
    served: notes(served),
  });
  const blamed = results.filter(({ verdict }) => verdict === 'violates');
  return [...new Set(blamed.map(({ says }) => says.split(' /')[0] as string))].sort();
}

describe('what it is to leave every value as it was (language §H.2, `same`)', () => {
  it.each(['unchanged', 'changed'])('is not blamed where it is kept to: %s', async (same) => {
    expect(await blamedFor(same, same)).toEqual([]);
  });

  it.each([
    ['unchanged', 'changed'],
    ['changed', 'unchanged'],
  ])('is blamed where it is %s, and the service takes it for %s', async (stated, served) => {
    expect(await blamedFor(stated, served)).not.toEqual([]);
  });
});
