import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/service/store/open.ts';
import type { Store, Table } from '../../../src/service/store/store.ts';
import { ask, dataFile, type Served, start } from '../served.ts';
import { statementsOf } from '../statements.ts';

const document = String.raw`
name: Notes
resources:
  Person:
    identifier: id
    fields:
      id: { type: string }
      name: { type: string }
      bio: { type: [string, "null"] }
      pin: { type: string, readable: false }
      secret: { type: string, secret: hashed }
      boss: { refers: Person, ifDeleted: keep, shown: "\${Card(value)}" }
  Card:
    of: Person
    shows: [name, bio]
    fields:
      notes: { type: integer, derived: "\${Note.filter(n, n.by == this).size()}" }
      late: { type: boolean, derived: "\${Note.exists(n, n.by == this && n.title == 'z')}" }
  Chief: { of: Person, shows: [id, boss] }
  Note:
    identifier: id
    others: keep
    fields:
      id: { type: string }
      title: { type: string }
      text: { type: string }
      'odd "name''s\': {}
      by: { refers: Person, ifDeleted: keep, shown: "\${Chief(value)}" }
      url: { type: string, derived: "\${service.url + '/' + this.id}" }
      writer: { derived: "\${Card(this.by)}" }
      alone: { type: boolean, derived: "\${!Note.exists(n, n.by == this.by && n.title != this.title)}" }
      size: { type: integer, derived: "\${this.text.size()}" }
  Head: { of: Note, omits: [text, by, size, alone] }
  Line: { of: Note, shows: [title, by, extra], fields: { at: { type: string, derived: "\${'/' + this.id}" } } }
  Bare: { of: Note, shows: [title, by] }
  Most: { of: Note, omits: [size, alone, writer, 'odd "name''s\'], fields: { title: { type: boolean, derived: "\${Person.exists(p, p == this.by)}" } } }
endpoints:
  others: refuse
  PUT /people/{id}: { does: create Person, request: { body: Person }, response: 201 }
  DELETE /people/{id}: { does: delete Person, response: 204 }
  PUT /notes/{id}: { does: create Note, request: { body: Note }, response: 201 }
  GET /people: { does: list Person, response: { status: 200, body: "\${Person(page.items)}" } }
  GET /chiefs: { does: { list: Person, order: ["-name"] }, response: { status: 200, body: "\${Chief(page.items)}" } }
  GET /heads:
    does: { list: Note, order: [title] }
    request:
      query:
        size: { page: size, type: integer, minimum: 0 }
        offset: { page: offset, type: integer, minimum: 0 }
        boss: { filter: "\${this.by.boss.name == request.query.boss}" }
    response: { status: 200, body: { heads: "\${Head(page.items)}", of: { all: "\${page.total}" } } }
  GET /lines: { does: list Note, response: { status: 200, body: "\${Line(page.items)}" } }
  GET /most: { does: list Note, response: { status: 200, body: ["\${Most(page.items)}"] } }
  GET /bare: { does: list Note, response: { status: 200, body: "\${Bare(page.items)}" } }
  GET /notes: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  GET /both: { does: list Note, response: { status: 200, body: { a: "\${Head(page.items)}", b: "\${Line(page.items)}" } } }
  GET /first: { does: list Note, response: { status: 200, body: { a: "\${Head(page.items)}", first: "\${page.items[0].title}" } } }
`.replaceAll('\\$', '$');

const odd = ['a', 'z', '"', '\\', '\u0001\b\n\u007f', '\u2028é\u{1f600}', '{}', "'"];

/** Keeps people, one of whom is gone, and notes of every kind. */
async function fill(service: Served): Promise<void> {
  const put = async (path: string, body: object): Promise<void> =>
    expect((await ask(service, `PUT ${path}`, body)).status).toBe(201);
  await put('/people/none', {});
  await put('/people/boss', { name: odd[4], bio: null, pin: '1', secret: 'x' });
  await put('/people/one', { name: 'One', bio: odd[5], boss: 'boss', pin: '2' });
  await put('/people/gone', { name: 'Gone' });
  await put('/people/left', { boss: 'gone' });
  const by = [{}, { by: null }, { by: 'none' }, { by: 'one' }, { by: 'left' }, { by: 'gone' }];
  for (const [index, text] of odd.entries())
    for (const [place, of] of by.entries()) {
      const more =
        place % 2 === 0 ? { [`odd "name's\\`]: [text, { [text]: null }], extra: { in: 1e21 } } : {};
      const title = place === 0 ? {} : { title: text };
      await put(`/notes/n${index}${place}`, { ...title, text: text.repeat(index), ...of, ...more });
    }
  await ask(service, 'DELETE /people/gone');
}

/** A store that puts no texts together. */
async function withoutTexts(data: string, tables: readonly Table[]): Promise<Store> {
  const store = await openStore(data, tables);
  const read: Store['read'] = (look) => store.read(({ find, rows, value }) => look({ find, rows, value }));
  return { ...store, read };
}

const lists = ['/people', '/chiefs', '/heads', '/heads?size=5', '/heads?size=5&offset=46', '/heads?size=0'];
const further = ['/heads?boss=nobody', '/heads?offset=100', '/lines', '/most'];
const otherwise = ['/bare', '/notes', '/both', '/first'];

describe('a list whose items a store puts together', () => {
  it('is as the service writes it, whatever is kept, and whatever is shown of it', async () => {
    const data = dataFile();
    const service = await start(document, { data });
    await fill(service);
    const seen = new Map<string, unknown>();
    for (const path of [...lists, ...further, ...otherwise]) {
      const { value, reads } = await statementsOf(() => ask(service, `GET ${path}`));
      expect([path, value.status]).toEqual([path, 200]);
      const isText = reads.some((sql) => sql.startsWith(`SELECT '{' || `));
      expect([path, isText]).toEqual([path, !otherwise.includes(path)]);
      seen.set(path, value.body);
    }
    expect(seen.get('/heads?size=5')).toMatchObject({ of: { all: 48 } });
    expect(seen.get('/heads?offset=100')).toEqual({ heads: [], of: { all: 48 } });
    await service.close();
    const other = await start(document, { data, url: service.address, open: withoutTexts });
    for (const [path, body] of seen)
      expect([path, (await ask(other, `GET ${path}`)).body]).toEqual([path, body]);
  });
});
