import { describe, expect, it } from 'vitest';
import { faults } from '../../specification/documents.ts';
import { ask, start } from '../served.ts';

const text = `
tacet: 1
complete: true
name: Notes
resources:
  Note:
    identifier: id
    fields: { id: { type: integer }, mail: { type: string, unique: caseless }, box: { type: string }, place: { type: integer }, text: { type: string } }
    unique: [[box, place]]
service: (none)
states: (none)
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  GET /note: { does: read Note, request: { query: { id: Note.id } }, response: { status: 200, body: { text: "\${this.text}" } } }
  GET /note-by: { does: read Note, request: { query: { mail: Note.mail } }, response: { status: 200, body: { text: "\${this.text}" } } }
  GET /boxes/{box}: { does: read Note, request: { path: { box: Note.box }, query: { place: Note.place } }, response: { status: 200, body: { text: "\${this.text}" } } }
  GET /in/{box}: { does: { read: Note, where: "\${this.box == request.path.box}" }, request: { query: { place: Note.place } }, response: { status: 200, body: { text: "\${this.text}" } } }
  PATCH /note: { does: update Note, request: { query: { id: Note.id }, body: { of: Note, shows: [text] } }, response: { status: 200, body: { text: "\${this.text}" } } }
  DELETE /note: { does: delete Note, request: { query: { id: Note.id } }, response: 204 }
authentication: (none)
events: (none)
errors: { payload: { body: { code: "\${error.code}" } }, codes: { none: { when: unknown Note, status: 404 }, bad: { when: invalid, status: 422 } } }
limits: (none)
versioning: (none)
`;

describe('a parameter of the query that is a field singles out the item (language §4.2)', () => {
  it('and is no fault', () => {
    expect(faults(text, 'notes.yaml')).toEqual([]);
  });

  it('by its identifier, by a unique field, and together with the path or `where`', async () => {
    const service = await start(text);
    await ask(service, 'POST /notes', { id: 7, mail: 'a@b.example', box: 'in', place: 1, text: 'one' });
    const found = async (line: string, body?: object): Promise<unknown> => {
      const answer = await ask(service, line, body);
      return [answer.status, answer.body];
    };
    for (const line of [
      'GET /note?id=7',
      'GET /note-by?mail=A@B.example',
      'GET /boxes/in?place=1',
      'GET /in/in?place=1',
    ])
      expect([line, await found(line)]).toEqual([line, [200, { text: 'one' }]]);
    for (const line of [
      'GET /note?id=8',
      'GET /note?id=x',
      'GET /note',
      'GET /boxes/in?place=2',
      'GET /boxes/x?place=1',
      'GET /in/in?place=2',
      'GET /in/in',
      'GET /in/x?place=1',
    ])
      expect([line, await found(line)]).toEqual([line, [404, { code: 'none' }]]);
    expect(await found('PATCH /note?id=7', { text: 'two' })).toEqual([200, { text: 'two' }]);
    expect(await found('DELETE /note?id=7')).toEqual([204, '']);
    expect(await found('DELETE /note?id=7')).toEqual([404, { code: 'none' }]);
    expect([service.heldUp, service.faults]).toEqual([[], []]);
  });
});
