import { describe, expect, it } from 'vitest';
import { answer, ask, start } from './served.ts';

/** Boards and their notes; a note can leave its machine. */
const boards = (rows: string) => `name: boards
complete: true
resources:
  Board: { identifier: id, fields: { id: { type: string } }, required: [id] }
  Note:
    identifier: [board, id]
    fields:
      board: { refers: Board, ifDeleted: delete }
      id: { type: integer }
      state: { type: string, writable: false }
    required: [board, id]
states:
  Note.state: { states: [open], initial: open, transitions: { drop: { from: open, to: (none) } } }
endpoints:
  others: refuse
  POST /boards: { does: create Board, request: { body: Board }, response: 201 }
  GET /boards/{id}: { does: read Board, response: { status: 200, body: Board } }
  PUT /boards/{id}: { does: { create: Board, present: replace }, response: 204 }
  DELETE /boards/{id}: { operation: removeBoard, does: delete Board, response: 204 }
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  DELETE /notes: { does: delete every Note, response: 204 }
  GET /boards/{board}/notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  POST /boards/{board}/notes/{id}/drop: { does: drop Note, response: 204 }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    unknown: { when: unknown, status: 404 }
    ${rows}
`;

const unknown = answer(404, { code: 'unknown' });
const gone = answer(410, { code: 'gone' });

async function served(rows: string, data?: string) {
  const service = await start(boards(rows), data === undefined ? {} : { data });
  const done = (what: string, body?: object): Promise<unknown> => ask(service, what, body);
  const each = async (...all: readonly (readonly [string, object?])[]): Promise<void> => {
    for (const [what, body] of all)
      expect([what, await done(what, body)]).toEqual([
        what,
        expect.objectContaining({ status: /POST \/(boards|notes)$/.test(what) ? 201 : 204 }),
      ]);
  };
  return { service, done, each };
}

describe('an item that is gone (language §H.4)', () => {
  const every = 'gone: { when: gone, status: 410 }';

  it('is told apart from an item that never was, until it is created again', async () => {
    const { service, done, each } = await served(every);
    await each(['POST /boards', { id: 'a' }]);
    expect(await done('GET /boards/b')).toEqual(unknown);
    await each(['DELETE /boards/a']);
    expect(await done('GET /boards/a')).toEqual(gone);
    expect(await done('DELETE /boards/a')).toEqual(gone);
    await each(['PUT /boards/a']);
    expect(await done('GET /boards/a')).toMatchObject({ status: 200 });
    await each(['DELETE /boards/a']);
    expect(await done('GET /boards/a')).toEqual(gone);
    expect(service.faults).toEqual([]);
  });

  it('can have gone by a move, with another item, or with all of them', async () => {
    const { done, each } = await served(every);
    const note = (id: number): readonly [string, object] => ['POST /notes', { board: 'a', id }];
    await each(['POST /boards', { id: 'a' }], note(1), note(2), ['POST /boards/a/notes/1/drop']);
    expect(await done('GET /boards/a/notes/1')).toEqual(gone);
    await each(['DELETE /notes']);
    expect(await done('GET /boards/a/notes/2')).toEqual(gone);
    expect(await done('GET /boards/a/notes/3')).toEqual(unknown);
    await each(note(3), ['DELETE /boards/a']);
    expect(await done('GET /boards/a/notes/3')).toEqual(gone);
  });

  it('is told of the resources and operations that the row names', async () => {
    const { done, each } = await served('gone: { when: gone Board, operations: [removeBoard], status: 410 }');
    await each(['POST /boards', { id: 'a' }], ['POST /notes', { board: 'a', id: 1 }], ['DELETE /boards/a']);
    expect(await done('DELETE /boards/a')).toEqual(gone);
    expect(await done('GET /boards/a')).toEqual(unknown);
    expect(await done('GET /boards/a/notes/1')).toEqual(unknown);
  });

  it('is unknown where no row lists it, and if it went before the row was stated', async () => {
    const before = await served('');
    await before.each(['POST /boards', { id: 'a' }], ['POST /boards', { id: 'b' }], ['DELETE /boards/a']);
    expect(await before.done('GET /boards/a')).toEqual(unknown);
    await before.service.close();
    const { done, each } = await served(every, before.service.data);
    expect(await done('GET /boards/a')).toEqual(unknown);
    await each(['DELETE /boards/b']);
    expect(await done('GET /boards/b')).toEqual(gone);
  });

  it('is concealed by `as`', async () => {
    const { done, each } = await served('gone: { when: gone, as: unknown Board }');
    await each(['POST /boards', { id: 'a' }], ['DELETE /boards/a']);
    expect(await done('GET /boards/a')).toEqual(unknown);
  });
});
