import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testOwnService } from './examples.ts';

const others = ['service', 'states', 'authentication', 'events', 'limits', 'versioning'];

/** What a note is made of has no `starred`, and an endpoint of its own sets it. */
const notes = `
tacet: 1
complete: true
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id:      { type: integer, set: { create: "\${sequence()}" } }
      text:    { type: string, minLength: 1 }
      starred: { type: boolean, default: false }
    required: [text]
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: { of: Note, omits: [starred] } }, response: { status: 201, body: Note } }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  PUT /notes/{id}/starred: { does: update Note, request: { body: { of: Note, shows: [starred], required: [starred] } }, response: 204 }
errors: { payload: (none), codes: { bad: { when: [malformed, invalid], status: 422 }, unknown: { when: unknown, status: 404 } } }
${others.map((part) => `${part}: (none)`).join('\n')}
`;

describe('a member that an item cannot be made with', () => {
  it('is changed on an item that was made without it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-narrowed-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const data = join(folder, 'notes.sqlite');
    const { results } = await testOwnService('notes', notes, 1, data, 'yaml');
    const changes = results.filter(({ says }) => /^PUT .* alone /.test(says));
    expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
    expect(changes.map(({ says, verdict }) => `${verdict}: ${says}`)).toEqual([
      'conforms: PUT /notes/{id}/starred with starred alone succeeds',
      'conforms: PUT /notes/{id}/starred with starred alone sets what is stated and leaves the other members',
    ]);
  });
});
