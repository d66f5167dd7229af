import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-settled-'));
const document = readFileSync(new URL('documents/bookings.yaml', import.meta.url), 'utf8');

/** What is urgent has a note, which may not be changed. */
const tasks = `
tacet: 1
complete: true
name: Tasks
resources:
  Task:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      rank: { type: string, enum: [usual, urgent] }
      note: { type: string, default: none }
      word: { type: string, default: none }
      mark: { type: string }
    required: [rank]
    invariants:
      what is urgent has a note: "\${this.rank != 'urgent' || this.note == 'now'}"
      there is a word: "\${this.word == 'some' || this.word == 'none'}"
      there is a mark: "\${this.mark == 'made'}"
    others: refuse
states: (none)
endpoints:
  protocol: RFC 9110
  others: refuse
  POST /tasks: { operation: make, does: create Task, request: { body: Task }, response: { status: 201, body: "\${Task(this)}" } }
  GET /tasks/{id}: { operation: read, does: read Task, response: { status: 200, body: "\${Task(this)}" } }
  PATCH /tasks/{id}: { operation: change, does: update Task, request: { body: Task, media: application/merge-patch+json }, response: { status: 200, body: "\${Task(this)}" } }
  PUT /tasks/{id}: { operation: replace, does: replace Task, request: { body: Task }, response: { status: 200, body: "\${Task(this)}" } }
authentication: (none)
events: (none)
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    unreadable: { when: [malformed, unsupported media], status: 400 }
    none: { when: unknown, status: 404 }
    bad: { when: invalid, status: 422 }
    wrong: { when: invariant broken, status: 409 }
  order: [unreadable, none, bad, wrong]
limits: (none)
versioning: (none)
`;

afterAll(() => rmSync(folder, { recursive: true }));

/** A booking is refused that ends before it begins: both run from 0 to 100. */
it('tries a value at its bound with others that must be on one side of it', async () => {
  const report = await testOwnService('bookings', document, 1, join(folder, 'a.sqlite'), 'yaml');
  const verdicts = new Map(report.results.map(({ says, verdict }) => [says, verdict]));
  for (const given of ['from: 100', 'from: 0', 'until: 0', 'until: 100'])
    expect(verdicts.get(`POST /bookings with ${given} succeeds`), given).toBe('conforms');
});

it('gives what it says that it gives', async () => {
  const report = await testOwnService('tasks', tasks, 1, join(folder, 'b.sqlite'), 'yaml');
  const verdicts = new Map(report.results.map(({ says, verdict }) => [says, verdict]));
  const change = (given: string) => verdicts.get(`PATCH /tasks/{id} ${given} succeeds`);
  expect(verdicts.get('PUT /tasks/{id} with every member succeeds')).toBe('conforms');
  expect(verdicts.get('PUT /tasks/{id} with the required members alone succeeds')).toBe('not exercised');
  expect(change('with word alone')).toBe('conforms');
  expect(change('with word: null, which removes it (RFC 7396)')).toBe('not exercised');
  expect(change('with rank: "urgent" alone')).toBe('not exercised');
});
