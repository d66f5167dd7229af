import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { blamed } from './documents.ts';
import { testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Senders alone may change a note, and of these its owner alone. */
const text = `
name: Notes
tacet: 1
complete: true
service: { actors: { sender: writes notes, courier: reads them } }
resources:
  Account:
    identifier: id
    fields:
      id:   { type: string, format: uuid, set: { create: "\${uuid()}" } }
      role: { type: string, enum: [sender, courier] }
      key:  { type: string, secret: hashed, set: { create: "\${random(32)}" } }
    required: [role]
  Note:
    identifier: id
    fields:
      id:    { type: string, format: uuid, set: { create: "\${uuid()}" } }
      owner: { refers: Account, ifDeleted: refuse, set: { create: "\${actor}" } }
      text:  { type: string, maxLength: 20 }
endpoints:
  others: refuse
  POST /accounts: { operation: enter, does: create Account, request: { body: Account }, response: { status: 201, body: { id: "\${this.id}", role: "\${this.role}", key: "\${this.key}" } } }
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { operation: show, does: read Note, response: { status: 200, body: Note } }
  PATCH /notes/{id}: { operation: change, does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Account.key }, actor: Account, challenge: Key, wrong: refuse } }
  actors: { sender: "\${actor.role == 'sender'}", courier: "\${actor.role == 'courier'}" }
  authorization:
    enter: anyone
    add: known
    show: [sender, courier]
    change: { rule: sender, items: "\${this.owner == actor}" }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    unreadable: { when: malformed, status: 400 }
    no_key: { when: not authenticated, status: 401 }
    not_yours: { when: not authorized, status: 403 }
    none: { when: unknown Note, status: 404 }
    hidden: { when: not authorized Note, as: unknown Note }
    invalid: { when: invalid, status: 422 }
  order: listed
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;

it('whom `rule` refuses is not authorized, whatever `items` says of the item (language §5.5)', {
  timeout: 60_000,
}, async () => {
  const report = await testOwnService('notes', text, 1, join(folder, 'notes.sqlite'), 'yaml');
  expect(blamed(report)).toEqual([]);
  const told = report.results.filter(({ says }) => says.startsWith('PATCH /notes/{id} by somebody'));
  expect(new Set(told.map(({ verdict }) => verdict))).toEqual(new Set(['conforms']));
});
