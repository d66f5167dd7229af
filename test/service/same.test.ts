import { describe, expect, it } from 'vitest';
import { ask, start } from './served.ts';

const notes = (same: string): string => `
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      text: { type: string }
      changes: { type: integer, set: { create: "\${0}", update: "\${old.changes + 1}" } }
  Log: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } } } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  PATCH /notes/{id}:
    operation: mend
    does: { update: Note${same} }
    also: [{ create: Log, when: "\${outcome == 'changed'}" }]
    request: { body: Note }
    response: [{ when: changed, status: 200, body: Note }, { status: 204 }]
  PUT /notes/{id}:
    does: { replace: Note${same} }
    request: { body: Note }
    response: [{ when: changed, status: 200, body: Note }, { status: 204 }]
  PUT /shelf/{id}:
    does: { create: Note, present: update${same} }
    request: { body: Note }
    response: [{ when: [created, changed], status: 200, body: Note }, { status: 204 }]
  PUT /box/{id}:
    does: { create: Note, present: replace${same} }
    request: { body: Note }
    response: [{ when: [created, changed], status: 200, body: Note }, { status: 204 }]
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  GET /logs: { does: list Log, response: { status: 200, body: { all: "\${Log.size()}" } } }
  GET /told:
    does: (none)
    response: { status: 200, body: { told: "\${Log.size()}" } }
`;

describe('an update that leaves every value as it was (language §H.2, `same`)', () => {
  const played = async (same: string) => {
    const service = await start(notes(same));
    await ask(service, 'POST /notes', { id: 'a', text: 'x' });
    const statuses: number[] = [];
    for (const [method, body] of [
      ['PATCH', { text: 'x' }],
      ['PATCH', {}],
      ['PUT', { text: 'x' }],
      ['PATCH', { text: 'y' }],
    ] as const)
      statuses.push((await ask(service, `${method} /notes/a`, body)).status);
    const { body } = await ask(service, 'GET /notes/a');
    const { body: logs } = await ask(service, 'GET /logs');
    return { statuses, changes: (body as { changes: number }).changes, ...(logs as object) };
  };

  it.each(['', ', same: unchanged'])('changes nothing%s', async (same) => {
    expect(await played(same)).toEqual({ statuses: [204, 204, 204, 200], changes: 1, all: 1 });
  });

  it.each(['shelf', 'box'])('and so does a creation of an item that is there: %s', async (path) => {
    const answers = async (same: string) => {
      const service = await start(notes(same));
      const statuses: number[] = [];
      for (const text of ['x', 'x', 'y'])
        statuses.push((await ask(service, `PUT /${path}/a`, { text })).status);
      const { body } = await ask(service, 'GET /notes/a');
      return [...statuses, (body as { changes: number }).changes];
    };
    for (const same of ['', ', same: unchanged']) expect(await answers(same)).toEqual([200, 204, 200, 1]);
    expect(await answers(', same: changed')).toEqual([200, 200, 200, 2]);
  });

  it('is a change where that is stated', async () => {
    expect(await played(', same: changed')).toEqual({ statuses: [200, 200, 200, 200], changes: 4, all: 3 });
  });
});
