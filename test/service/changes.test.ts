import { describe, expect, it } from 'vitest';
import { answer, ask, start } from './served.ts';

/** Shelves of books, with endpoints of the test's own. */
const shelves = (endpoints: string, errors = ''): string => `
name: Shelves
complete: true
resources:
  Shelf:
    identifier: id
    fields: { id: { type: string }, room: { type: string, default: hall }, books: { type: integer, default: 0, writable: false } }
    required: [id]
  Book:
    identifier: [shelf, number]
    fields:
      shelf: { type: string, writable: false }
      number: { type: integer }
      title: { type: string, minLength: 1 }
      pages: { type: integer, default: 1 }
      note: { type: string }
      madeBy: { type: string, set: { create: "\${random(8)}" } }
    required: [title]
endpoints:
  others: refuse
  POST /shelves: { does: create Shelf, request: { body: Shelf }, response: { status: 201, body: Shelf } }
  GET /shelves/{id}: { does: read Shelf, response: { status: 200, body: Shelf } }
  GET /books: { does: list Book, response: { status: 200, body: "\${Book(page.items)}" } }
${endpoints}
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    shelf_unknown: { when: unknown Shelf, status: 404 }
    book_unknown: { when: unknown Book, status: 410 }
    invalid: { when: invalid, status: 400 }
    different: { when: different Book, status: 409 }
    taken: { when: not unique, status: 409 }
${errors}
`;

const put = (more: string): string => `
  PUT /shelves/{shelf}/books/{number}:
    operation: putBook
    does: { create: Book, with: ["\${request.body}", { shelf: "\${owner.id}" }]${more} }
    request: { path: { shelf: Shelf.id as owner, number: Book.number }, body: Book }
    response: [{ when: created, status: 201, body: Book }, ${more === '' || /keep|match/.test(more) ? '' : '{ when: changed, status: 202, body: Book }, '}${more === '' ? '' : '{ when: unchanged, status: 200, body: Book }'}]`;

const book = (more: object = {}): object => ({ shelf: 'a', number: 1, title: 'x', pages: 1, ...more });

async function withShelf(text: string) {
  const service = await start(text);
  await ask(service, 'POST /shelves', { id: 'a' });
  return service;
}

describe('creating what may be there already (language §H.2, `present`)', () => {
  const first = { title: 'x', note: 'n' };

  it('without it, refuses what has the same identifier', async () => {
    const service = await withShelf(shelves(put('')));
    expect(await ask(service, 'PUT /shelves/a/books/1', first)).toMatchObject({
      status: 201,
      body: book({ note: 'n' }),
    });
    expect(await ask(service, 'PUT /shelves/a/books/1', first)).toEqual(answer(409, { code: 'taken' }));
    expect((await ask(service, 'PUT /shelves/a/books/2', first)).status).toBe(201);
  });

  it('keeps what is there', async () => {
    const service = await withShelf(shelves(put(', present: keep')));
    const made = await ask(service, 'PUT /shelves/a/books/1', first);
    expect(await ask(service, 'PUT /shelves/a/books/1', { title: 'other' })).toMatchObject({
      status: 200,
      body: made.body,
    });
  });

  it('holds it against what is given, defaults too, and not against what the service made', async () => {
    const service = await withShelf(shelves(put(', present: match')));
    const made = await ask(service, 'PUT /shelves/a/books/1', first);
    const again = { ...first, pages: 1 };
    expect(await ask(service, 'PUT /shelves/a/books/1', again)).toMatchObject({
      status: 200,
      body: made.body,
    });
    for (const other of [{ ...first, pages: 2 }, { title: 'x' }, { ...first, title: 'y' }])
      expect(await ask(service, 'PUT /shelves/a/books/1', other)).toEqual(answer(409, { code: 'different' }));
  });

  it('sets the members given', async () => {
    const service = await withShelf(shelves(put(', present: update')));
    await ask(service, 'PUT /shelves/a/books/1', first);
    expect(await ask(service, 'PUT /shelves/a/books/1', { title: 'y' })).toMatchObject({
      status: 202,
      body: book({ title: 'y', note: 'n' }),
    });
    expect((await ask(service, 'PUT /shelves/a/books/1', { title: 'y' })).status).toBe(200);
  });

  it('replaces what a client may give, and leaves what the service made', async () => {
    const service = await withShelf(shelves(put(', present: replace')));
    const made = await ask(service, 'PUT /shelves/a/books/1', { ...first, pages: 7 });
    const { madeBy } = made.body as { madeBy: string };
    const replaced = await ask(service, 'PUT /shelves/a/books/1', { title: 'y' });
    expect(replaced).toMatchObject({ status: 202, body: book({ title: 'y', madeBy }) });
    expect(replaced.body).not.toHaveProperty('note');
    expect((await ask(service, 'PUT /shelves/a/books/1', { title: 'y' })).status).toBe(200);
  });
});

describe('changing what is there', () => {
  const endpoints = `${put('')}
  PUT /replaced/{shelf}/{number}: { does: replace Book, request: { body: { of: Book, omits: [number] } }, response: [{ when: changed, status: 202, body: Book }, { when: unchanged, status: 200 }] }
  PATCH /books/{shelf}/{number}: { does: { update: Book, with: ["\${request.body}", { pages: "\${this.pages + 1}" }] }, request: { body: { fields: { title: { type: string }, shelf: { type: string } } } }, response: { status: 200, body: Book } }
  DELETE /books/{shelf}/{number}: { does: { delete: Book, absent: ignore }, response: [{ when: deleted, status: 200, body: Book }, { when: unchanged, status: 204 }] }
  GET /short/{shelf}/{number}: { does: { read: Book, where: "\${this.pages < 3}" }, response: { status: 200, body: Book } }
  POST /long: { does: { update: every Book, where: "\${this.pages > 2}", as: it, with: { note: "\${'was ' + it.title}" } }, response: [{ when: changed, status: 202 }, { when: unchanged, status: 200 }] }
  DELETE /long: { does: { delete: every Book, where: "\${this.pages > 2}" }, response: 204 }
  POST /shelves/{id}/room: { does: { update: shelf, with: { room: "\${request.body.room}" } }, request: { path: { id: Shelf.id as shelf }, body: { fields: { room: { type: string } } } }, response: { status: 200, body: "\${Shelf(this)}" } }`;

  async function withBooks() {
    const service = await withShelf(shelves(endpoints));
    for (const number of [1, 2, 3, 4])
      await ask(service, `PUT /shelves/a/books/${number}`, { title: `t${number}`, pages: number });
    return service;
  }
  const titles = async (service: Awaited<ReturnType<typeof withBooks>>) =>
    ((await ask(service, 'GET /books')).body as { title: string; note?: string }[]).map(
      ({ title, note }) => note ?? title,
    );

  it('replaces: members that are not given return to their default, or go', async () => {
    const service = await withBooks();
    const { madeBy } = (await ask(service, 'GET /short/a/2')).body as { madeBy: string };
    const replaced = await ask(service, 'PUT /replaced/a/2', { title: 'y' });
    expect(replaced).toMatchObject({
      status: 202,
      body: { shelf: 'a', number: 2, title: 'y', pages: 1, madeBy },
    });
    expect((await ask(service, 'PUT /replaced/a/2', { title: 'y' })).status).toBe(200);
    expect(await ask(service, 'PUT /replaced/a/2', {})).toEqual(answer(400, { code: 'invalid' }));
  });

  it('sets what `with` says beside what the body brings, and nothing that a client may not write', async () => {
    const service = await withBooks();
    const changed = await ask(service, 'PATCH /books/a/2', { title: 'y', shelf: 'b' });
    expect(changed.body).toMatchObject({ shelf: 'a', number: 2, title: 'y', pages: 3 });
  });

  it('ignores that there is none where that is stated, and is about the item as it was where it is gone', async () => {
    const service = await withBooks();
    expect(await ask(service, 'DELETE /books/a/2')).toMatchObject({ status: 200, body: { title: 't2' } });
    expect(await ask(service, 'DELETE /books/a/2')).toEqual(answer(204));
  });

  it('is about no item that `where` does not admit', async () => {
    const service = await withBooks();
    expect((await ask(service, 'GET /short/a/2')).status).toBe(200);
    expect(await ask(service, 'GET /short/a/3')).toEqual(answer(410, { code: 'book_unknown' }));
  });

  it('changes every item that `where` admits, each by its own values; none is no error', async () => {
    const service = await withBooks();
    expect((await ask(service, 'POST /long')).status).toBe(202);
    expect(await titles(service)).toEqual(['t1', 't2', 'was t3', 'was t4']);
    expect((await ask(service, 'POST /long')).status).toBe(200);
    expect((await ask(service, 'DELETE /long')).status).toBe(204);
    expect(await titles(service)).toEqual(['t1', 't2']);
    expect((await ask(service, 'DELETE /long')).status).toBe(204);
  });

  it('changes the item that the path binds by a name', async () => {
    const service = await withBooks();
    expect((await ask(service, 'POST /shelves/a/room', { room: 'loft' })).body).toEqual({
      id: 'a',
      room: 'loft',
      books: 0,
    });
    expect(await ask(service, 'POST /shelves/b/room', { room: 'loft' })).toEqual(
      answer(404, { code: 'shelf_unknown' }),
    );
    expect((await ask(service, 'PUT /shelves/b/books/1', { title: 'x' })).status).toBe(404);
  });
});

describe('reasons to refuse (language §H.4)', () => {
  const many = (order: string): string => `
    too_long: { when: "\${request.body.pages > 99}", operations: [putBook], status: 422 }
    attic: { when: "\${owner.room == 'attic'}", operations: [putBook], status: 423 }
    no_title: { when: invalid Book.title, status: 424 }
    hidden: { when: invalid Book.note, as: unknown Shelf }
  order: [${order}]`;

  it.each([
    ['', 'shelf_unknown', 'no_title', 'too_long'],
    ['too_long, invalid', 'shelf_unknown', 'no_title', 'too_long'],
    ['no_title, shelf_unknown', 'no_title', 'no_title', 'too_long'],
    ['attic, no_title, shelf_unknown', 'no_title', 'attic', 'attic'],
  ])('answer in the order [%s]', async (order, ofUnknown, ofBad, ofLong) => {
    const service = await start(shelves(put(''), many(order)));
    await ask(service, 'POST /shelves', { id: 'a', room: 'attic' });
    const code = async (path: string, body: object) =>
      ((await ask(service, path, body)).body as { code: string }).code;
    expect(await code('PUT /shelves/b/books/1', { title: '' })).toBe(ofUnknown);
    expect(await code('PUT /shelves/a/books/1', { title: '' })).toBe(ofBad);
    expect(await code('PUT /shelves/a/books/1', { title: 'x', pages: 100 })).toBe(ofLong);
  });

  it('are concealed as another where that is stated: there is no difference', async () => {
    const service = await withShelf(shelves(put(''), many('')));
    const hidden = await ask(service, 'PUT /shelves/a/books/1', { title: 'x', note: 7 });
    expect(hidden).toEqual(await ask(service, 'PUT /shelves/b/books/1', { title: 'x' }));
    expect(hidden).toEqual(answer(404, { code: 'shelf_unknown' }));
  });
});

describe('what is said of items', () => {
  const counted = `
  POST /shelves/{id}/books:
    operation: addBook
    does: { create: Book, with: { shelf: "\${owner.id}", number: "\${owner.books + 1}", title: new } }
    also: [{ update: owner, with: { books: "\${this.number}" } }]
    request: { path: { id: Shelf.id as owner } }
    response: { status: 201, body: { books: "\${owner.books}" } }`;
  const rows = `
    full: { when: "\${owner.books > 1}", operations: [addBook], status: 409, message: "there are \${2 * 1} of them" }`;

  it('in an answer is as they are by then, and in a refusal as they were', async () => {
    const text = shelves(counted, rows).replace(
      'code: "${error.code}"',
      'code: "${error.code}", message: "${error.message}"',
    );
    const service = await withShelf(text);
    expect((await ask(service, 'POST /shelves/a/books')).body).toEqual({ books: 1 });
    expect((await ask(service, 'POST /shelves/a/books')).body).toEqual({ books: 2 });
    expect(await ask(service, 'POST /shelves/a/books')).toEqual(
      answer(409, { code: 'full', message: 'there are 2 of them' }),
    );
  });
});

describe('what a value is taken as', () => {
  it('fits its field, as all that is stored', async () => {
    const { address } = await start(`
name: Notes
tacet: 1
resources:
  Note:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, text: { type: string, minLength: 1, taken: "\${trim(value)}" } }
endpoints: { others: refuse, POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: { text: "\${this.text}" } } } }
authentication: (none)
errors: { codes: { bad: { when: invalid, status: 422, body: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" } } }
`);
    const sent = async (text: string): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${address}/notes`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ text }),
      });
      return [answer.status, await answer.json()];
    };
    expect(await sent(' a ')).toEqual([201, { text: 'a' }]);
    expect(await sent('  ')).toEqual([422, ['text minLength']]);
  });
});
