import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, type Served, start } from '../served.ts';

/** A resource with one operation that makes a note and one that changes it. */
const notes = (request: string, others = 'refuse'): string => `
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, set: { create: "n1" } }
      title: { type: string, minLength: 1 }
      size: { type: integer }
      tags: { type: array, items: { type: string } }
      where: { type: object, fields: { town: { type: string }, zip: { type: integer } }, required: [town] }
      owner: { type: string, set: { create: me } }
      code: { type: string, writeOnly: true }
    required: [title]
endpoints:
  others: ${others}
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201 } }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  PATCH /notes/{id}:
    does: update Note
    request: ${request}
    response: [{ when: changed, status: 200, body: Note }, { when: unchanged, status: 204 }]
  POST /echo:
    does: (none)
    request: ${request}
    response: { status: 200, body: { got: "\${request.body}" } }
errors:
  payload: { body: "\${error.failures}" }
  codes:
    broken: { when: malformed, status: 400 }
    media: { when: unsupported media, status: 415 }
    wrong: { when: invalid, status: 422 }
    untrue: { when: invalid test, status: 409 }
`;

const note = { title: 'a', size: 5, tags: ['x'], where: { town: 't', zip: 1 }, code: 'secret' };
const shown = { id: 'n1', title: 'a', size: 5, tags: ['x'], where: { town: 't', zip: 1 }, owner: 'me' };
const malformed = answer(400, []);
const unsupported = answer(415, []);
const wrong = (...failures: readonly (readonly [string, string])[]): Answer =>
  answer(
    422,
    failures.map(([field, keyword]) => ({ field, keyword })),
  );

async function kept(request: string, others?: string): Promise<Served> {
  const service = await start(notes(request, others));
  expect([(await ask(service, 'POST /notes', note)).status, service.heldUp]).toEqual([201, []]);
  return service;
}

const send = (to: Served, type: string, body: unknown, line = 'PATCH /notes/n1'): Promise<Answer> =>
  ask(to, line, typeof body === 'string' ? body : JSON.stringify(body), [`Content-Type: ${type}`]);

describe('a merge patch (RFC 7396)', () => {
  const type = 'application/merge-patch+json';
  const request = `{ body: Note, media: ${type} }`;

  it('sets members, merges objects, takes out what is null, and replaces lists', async () => {
    const service = await kept(request);
    expect(await send(service, type, { size: null, where: { zip: 2 }, tags: [] })).toEqual(
      answer(200, { id: 'n1', title: 'a', tags: [], where: { town: 't', zip: 2 }, owner: 'me' }),
    );
    expect(await send(service, type, { where: { zip: null } })).toEqual(
      answer(200, { id: 'n1', title: 'a', tags: [], where: { town: 't' }, owner: 'me' }),
    );
    expect((await send(service, type, { title: 'a' })).status).toBe(204);
  });

  it('is held against the shape by what it leads to', async () => {
    const service = await kept(request);
    for (const [patch, ...failures] of [
      [{ title: null }, ['title', 'required']],
      [{ title: '' }, ['title', 'minLength']],
      [{ where: { town: null } }, ['where.town', 'required']],
      [{ where: 5 }, ['where', 'type']],
      [{ where: { x: 1 } }, ['where.x', 'others']],
      [{ tags: ['y', 5] }, ['tags.1', 'type']],
    ] as [unknown, ...(readonly [string, string])[]][])
      expect([patch, await send(service, type, patch)]).toEqual([patch, wrong(...failures)]);
    expect(await ask(service, 'GET /notes/n1')).toEqual(answer(200, shown));
  });

  it('brings what the client may write alone', async () => {
    const service = await kept(request);
    expect(await send(service, type, { owner: 'you', id: 'n2', x: null })).toEqual(
      wrong(['owner', 'others'], ['id', 'others'], ['x', 'others']),
    );
    const lenient = await kept(request, 'ignore');
    expect((await send(lenient, type, { owner: 'you', id: 'n2', x: 1 })).status).toBe(204);
    expect(await send(lenient, type, [])).toEqual(malformed);
  });

  it('of a shape of its own is held against the resource', async () => {
    const service = await kept(`{ body: { fields: { title: {}, size: {} } }, media: ${type} }`);
    expect(await send(service, type, { title: 5 })).toEqual(wrong(['title', 'type']));
    expect(await send(service, type, { tags: [] })).toEqual(wrong(['tags', 'others']));
    expect((await send(service, type, { title: 'b' })).body).toEqual({ ...shown, title: 'b' });
  });
});

describe('a JSON patch (RFC 6902)', () => {
  const type = 'application/json-patch+json';
  const request = `{ body: Note, media: ${type} }`;
  const patch = (to: Served, ...operations: readonly unknown[]): Promise<Answer> =>
    send(to, type, operations);

  it('is applied in order, all of it', async () => {
    const service = await kept(request);
    expect(
      await patch(
        service,
        { op: 'test', path: '/title', value: 'a' },
        { op: 'replace', path: '/title', value: 'b' },
        { op: 'add', path: '/tags/-', value: 'y' },
        { op: 'copy', from: '/tags/1', path: '/where/town' },
        { op: 'remove', path: '/size' },
        { op: 'replace', path: '/code', value: 'new' },
      ),
    ).toEqual(
      answer(200, { id: 'n1', title: 'b', tags: ['x', 'y'], where: { town: 'y', zip: 1 }, owner: 'me' }),
    );
    expect((await patch(service, { op: 'test', path: '/owner', value: 'me' })).status).toBe(204);
  });

  it('that is none is malformed', async () => {
    const service = await kept(request);
    for (const body of [
      {},
      { title: 'b' },
      [{ op: 'spam', path: '/title' }],
      [{ op: 'add', path: 'title', value: 1 }],
      5,
    ])
      expect([body, await send(service, type, body)]).toEqual([body, malformed]);
  });

  it('that cannot be applied is invalid by the operation, at its path, and changes nothing', async () => {
    const service = await kept(request);
    const untrue = answer(409, [{ field: 'title', keyword: 'test' }]);
    expect(
      await patch(service, { op: 'remove', path: '/size' }, { op: 'test', path: '/title', value: 'b' }),
    ).toEqual(untrue);
    expect(
      await patch(
        service,
        { op: 'remove', path: '/where/zip' },
        { op: 'replace', path: '/where/zip', value: 1 },
      ),
    ).toEqual(wrong(['where.zip', 'replace']));
    expect(await patch(service, { op: 'replace', path: '/where/street', value: 1 })).toEqual(
      wrong(['where.street', 'others']),
    );
    expect(await patch(service, { op: 'move', from: '/tags/7', path: '/title' })).toEqual(
      wrong(['title', 'move']),
    );
    expect(await patch(service, { op: 'replace', path: '', value: 5 })).toEqual(wrong(['', 'replace']));
    expect(await ask(service, 'GET /notes/n1')).toEqual(answer(200, shown));
  });

  it('tells nothing of what is not shown', async () => {
    const service = await kept(request);
    expect(await patch(service, { op: 'copy', from: '/code', path: '/title' })).toEqual(
      wrong(['title', 'copy']),
    );
    expect((await patch(service, { op: 'test', path: '/code', value: 'secret' })).status).toBe(409);
    expect(await ask(service, 'GET /notes/n1')).toEqual(answer(200, shown));
  });

  it('is held against the shape by what it leads to', async () => {
    const service = await kept(request);
    expect(await patch(service, { op: 'remove', path: '/title' })).toEqual(wrong(['title', 'required']));
    expect(await patch(service, { op: 'add', path: '/where/zip', value: 'x' })).toEqual(
      wrong(['where.zip', 'type']),
    );
    expect(await patch(service, { op: 'add', path: '/where/x', value: 1 })).toEqual(
      wrong(['where.x', 'others']),
    );
  });

  it('brings what the client may write alone', async () => {
    const service = await kept(request);
    expect(
      await patch(
        service,
        { op: 'replace', path: '/owner', value: 'you' },
        { op: 'add', path: '/x', value: 1 },
        { op: 'move', from: '/id', path: '/title' },
        { op: 'add', path: '', value: { y: 1 } },
      ),
    ).toEqual(wrong(['owner', 'others'], ['x', 'others'], ['id', 'others'], ['y', 'others']));
    const lenient = await kept(request, 'ignore');
    expect(
      (
        await patch(
          lenient,
          { op: 'replace', path: '/owner', value: 'you' },
          { op: 'add', path: '/x', value: 1 },
        )
      ).status,
    ).toBe(204);
    const keeping = await kept(request, 'keep');
    expect((await patch(keeping, { op: 'add', path: '/x', value: 1 })).body).toEqual({ ...shown, x: 1 });
    expect((await patch(keeping, { op: 'remove', path: '/x' })).body).toEqual(shown);
    const open = await kept(request, '(open)');
    expect((await patch(open, { op: 'add', path: '/x', value: 1 })).status).toBe(501);
    expect(open.heldUp.at(-1)).toEqual(['endpoints["PATCH /notes/{id}"].request.others']);
  });
});

describe('a form', () => {
  const type = 'application/x-www-form-urlencoded';

  it('is read by the types of the fields', async () => {
    const service = await kept(`{ body: Note, media: ${type} }`);
    expect((await send(service, type, 'title=b+c&size=7&tags=x&tags=y')).body).toEqual({
      ...shown,
      title: 'b c',
      size: 7,
      tags: ['x', 'y'],
    });
    expect(await send(service, type, 'size=x&tag=y')).toEqual(wrong(['size', 'type'], ['tag', 'others']));
    expect(await send(service, type, 'title=a&title=b')).toEqual(malformed);
    expect(await send(service, type, 'title=%zz')).toEqual(malformed);
    expect(await send(service, type, '')).toEqual(malformed);
    expect(await send(service, `${type}; charset=latin1`, 'title=a')).toEqual(unsupported);
  });

  it('holds members within members where brackets are stated', async () => {
    const service = await kept(`{ body: Note, media: ${type}, nesting: brackets }`);
    expect((await send(service, type, 'where[town]=u&where[zip]=3&tags[]=z')).body).toEqual({
      ...shown,
      where: { town: 'u', zip: 3 },
      tags: ['z'],
    });
    expect(await send(service, type, 'where[town=u')).toEqual(malformed);
    expect(await send(service, type, 'where[town]=u&where=v')).toEqual(malformed);
  });

  it('is put under a member by brackets', async () => {
    const service = await kept(`{ body: Note, media: ${type}, nesting: brackets, under: note }`);
    expect((await send(service, type, 'note[size]=9')).body).toEqual({ ...shown, size: 9 });
  });

  it('spells a reference as the key that it refers by', async () => {
    const service = await start(`
name: Refers
resources:
  Tool: { identifier: number, fields: { number: { type: integer } } }
  Loan: { identifier: (none), fields: { tool: { type: integer } } }
endpoints:
  POST /echo: { does: (none), request: { body: Loan, media: ${type}, others: refuse }, response: { status: 200, body: { got: "\${request.body}" } } }
`);
    expect(await send(service, type, 'tool=5', 'POST /echo')).toEqual(answer(200, { got: { tool: 5 } }));
  });
});

describe('a body of another media type', () => {
  it('of JSON by its suffix is JSON', async () => {
    const service = await start(notes('{ body: { type: object }, media: application/vnd.note+json }'));
    const at = 'POST /echo';
    expect(await send(service, 'application/vnd.note+json', '{"a":[1]}', at)).toEqual(
      answer(200, { got: { a: [1] } }),
    );
    expect(await send(service, 'application/vnd.note+json;v=2', '{"a":1,"a":1}', at)).toEqual(malformed);
    for (const type of ['application/json', 'application/vnd.notes+json', 'text/plain'])
      expect([type, await send(service, type, '{}', at)]).toEqual([type, unsupported]);
  });

  it('that is no JSON is a text', async () => {
    const service = await start(
      notes('{ body: { type: string, maxLength: 3 }, media: [text/plain, text/csv] }').replace(
        'does: update Note',
        'does: (open)',
      ),
    );
    const at = 'POST /echo';
    for (const text of ['a,b', '{}', ' ', '😀'])
      expect([text, await send(service, 'text/csv', text, at)]).toEqual([text, answer(200, { got: text })]);
    expect(await send(service, 'text/plain; charset=us-ascii', 'a', at)).toEqual(answer(200, { got: 'a' }));
    expect(await send(service, 'text/plain', 'abcd', at)).toEqual(wrong(['', 'maxLength']));
    expect(await send(service, 'text/plain', '', at)).toEqual(malformed);
    expect(await send(service, 'text/plain', 'a\u0000', at)).toEqual(malformed);
    expect(await ask(service, at, Buffer.from([0xff]), ['Content-Type: text/plain'])).toEqual(malformed);
    expect(await send(service, 'text/plain; charset=latin1', 'a', at)).toEqual(unsupported);
  });

  it('is one of several that are stated, each in its way', async () => {
    const service = await kept(
      '{ body: Note, media: [application/json, application/merge-patch+json, application/json-patch+json, application/x-www-form-urlencoded] }',
    );
    const steps: readonly (readonly [string, unknown, number])[] = [
      ['application/json', { size: 1 }, 1],
      ['application/merge-patch+json', { size: 2 }, 2],
      ['application/json-patch+json', [{ op: 'replace', path: '/size', value: 3 }], 3],
      ['application/x-www-form-urlencoded', 'size=4', 4],
    ];
    for (const [type, body, size] of steps)
      expect([type, (await send(service, type, body)).body]).toEqual([type, { ...shown, size }]);
    expect(await send(service, 'application/json', { size: null })).toEqual(wrong(['size', 'type']));
    expect(await send(service, 'text/plain', 'x')).toEqual(unsupported);
  });

  it('is no patch where nothing is updated', async () => {
    const service = await start(
      notes('{ body: { type: array }, media: application/json-patch+json }').replace(
        'does: update Note',
        'does: (open)',
      ),
    );
    expect(await send(service, 'application/json-patch+json', [5], 'POST /echo')).toEqual(
      answer(200, { got: [5] }),
    );
  });
});
