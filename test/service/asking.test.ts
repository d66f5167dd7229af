import { expect, it } from 'vitest';
import { ask, start } from './served.ts';

const text = `
name: Albums
complete: true
resources:
  Album:
    identifier: id
    fields:
      id: { type: string }
      most: { type: integer, default: 3 }
      tracks: { type: integer, derived: "\${Track.filter(t, t.album == this.id).size()}" }
      length: { type: [integer, "null"], derived: "\${Track.filter(t, t.album == this.id).map(t, t.seconds).sum()}" }
      status: { type: string }
    required: [id]
    invariants:
      no more than the most: "\${this.tracks <= this.most}"
  Track:
    identifier: [album, number]
    fields:
      album: { type: string }
      number: { type: integer }
      seconds: { type: integer }
    required: [number, seconds]
states:
  Album.status:
    states: [open, closed]
    initial: open
    final: [closed]
    transitions:
      close: { from: open, to: closed, when: "\${!Track.exists(t, t.album == this.id && t.seconds == 0)}" }
endpoints:
  others: refuse
  POST /albums: { does: create Album, request: { body: Album }, response: { status: 201, body: Album } }
  GET /albums: { does: list Album, response: { status: 200, body: "\${Album(page.items)}" } }
  PATCH /albums/{id}: { does: update Album, request: { body: Album }, response: { status: 200, body: Album } }
  POST /albums/{id}/close: { does: close Album, response: { status: 200, body: Album } }
  POST /albums/{id}/tracks:
    operation: addTrack
    does: { create: Track, with: ["\${request.body}", { album: "\${album.id}" }] }
    request: { path: { id: Album.id as album }, body: { fields: { number: { type: integer }, seconds: { type: integer } }, required: [number, seconds] } }
    response: { status: 201, body: { of: "\${album.tracks}", longer: "\${Track.filter(t, t.seconds > this.seconds).map(t, t.number)}" } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    silent: { when: guard refused, status: 409 }
    full: { when: invariant broken Album, status: 422 }
    much: { when: "\${Track.filter(t, t.album == album.id).size() >= 2}", operations: [addTrack], status: 423 }
    taken: { when: not unique, status: 409 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 400 }
`;

it('expressions ask of the items of a resource as they are in the transaction (language §G.4)', async () => {
  const service = await start(text);
  await ask(service, 'POST /albums', { id: 'a', most: 1 });
  await ask(service, 'POST /albums', { id: 'b' });
  const add = (album: string, number: number, seconds: number) =>
    ask(service, `POST /albums/${album}/tracks`, { number, seconds });
  expect((await add('a', 1, 60)).body).toEqual({ of: 1, longer: [] });
  expect((await add('b', 1, 40)).body).toEqual({ of: 1, longer: [1] });
  expect((await add('b', 2, 0)).body).toEqual({ of: 2, longer: [1, 1] });
  expect(await add('b', 3, 7)).toMatchObject({ status: 423, body: { code: 'much' } });
  expect((await ask(service, 'GET /albums')).body).toEqual([
    { id: 'a', most: 1, tracks: 1, length: 60, status: 'open' },
    { id: 'b', most: 3, tracks: 2, length: 40, status: 'open' },
  ]);
  expect(await ask(service, 'PATCH /albums/b', { most: 1 })).toMatchObject({
    status: 422,
    body: { code: 'full' },
  });
  expect(await ask(service, 'POST /albums/b/close')).toMatchObject({ status: 409, body: { code: 'silent' } });
  expect((await ask(service, 'POST /albums/a/close')).body).toMatchObject({ status: 'closed' });
});
