import { describe, expect, it } from 'vitest';
import { ask, start } from './served.ts';

/** Sparse answers and expansion need no keyword of their own (language §G.4). */
const document = `
name: Directory
resources:
  Person:
    identifier: id
    fields:
      id: { type: string }
      name: { type: object, properties: { given: { type: string }, family: { type: string } } }
      born: { type: string, format: date-time }
      secret: { type: string, readable: false }
      manager: { refers: Person, ifDeleted: clear }
  Card: { of: Person, shows: [id] }
endpoints:
  others: refuse
  POST /people: { does: create Person, request: { body: Person }, response: 201 }
  GET /people:
    does: { list: Person, order: [id] }
    request:
      query:
        fields: { type: array, items: { type: string }, explode: false }
        expand: { type: array, items: { enum: [manager] }, explode: false, default: [] }
    response:
      status: 200
      body: "\${page.items.map(p, pick(merge(Person(p), 'manager' in request.query.expand ? {'manager': Card(p.manager)} : {}), request.query.fields))}"
  GET /people/{id}:
    does: read Person
    response:
      status: 200
      headers: { Digest: "\${sha256(this.id).hex.substring(0, 8)}", Born: "\${httpDate(this.born)}" }
      body: { person: "\${omit(Person(this), ['manager', 'name.given'])}", has: "\${keys(Person(this))}", is: "\${type(Person(this).name)}" }
`;

describe('views pass through the functions of objects', () => {
  it('in a list, sparse and expanded, and in one answer', async () => {
    const service = await start(document);
    const name = { given: 'Ada', family: 'L' };
    const born = '2026-01-01T00:00:00Z';
    await ask(service, 'POST /people', { id: 'a', name, born, secret: 's' });
    await ask(service, 'POST /people', { id: 'b', name, born, manager: 'a' });
    const people = async (query: string): Promise<unknown> =>
      (await ask(service, `GET /people${query}`)).body;
    expect(await people('')).toEqual([
      { id: 'a', name, born },
      { id: 'b', name, born, manager: 'a' },
    ]);
    expect(await people('?fields=id,name.family,nothing&expand=manager')).toEqual([
      { id: 'a', name: { family: 'L' } },
      { id: 'b', name: { family: 'L' } },
    ]);
    expect(await people('?fields=id,manager.id&expand=manager')).toEqual([
      { id: 'a' },
      { id: 'b', manager: { id: 'a' } },
    ]);
    const found = await ask(service, 'GET /people/b');
    expect(found.body).toEqual({
      person: { id: 'b', name: { family: 'L' }, born },
      has: ['born', 'id', 'manager', 'name'],
      is: 'object',
    });
    expect(found.fields).toContain('Born: Thu, 01 Jan 2026 00:00:00 GMT');
    expect(found.fields).toContain('Digest: 3e23e816');
  });
});

const orders = `
name: Orders
resources:
  Order:
    identifier: id
    fields:
      id: { type: integer }
      lines: { type: array, items: { type: object, properties: { sku: { type: string }, n: { type: integer } } } }
      total: { type: integer, derived: "\${this.lines.map(l, l.n).sum()}" }
    invariants: { no line of none: "\${this.lines.all(l, l.n != 0)}" }
endpoints:
  others: refuse
  POST /orders: { does: create Order, request: { body: Order }, response: 201 }
  GET /orders:
    does: { list: Order, order: [id] }
    request:
      query:
        sku: { filter: "\${this.lines.exists(l, l.sku == request.query.sku)}" }
        least: { type: integer, filter: "\${this.lines.filter(l, l.n >= request.query.least).size() > 0}" }
        total: { type: integer, filter: "\${this.total == request.query.total}" }
        lines: { type: integer, filter: "\${size(this.lines) == request.query.lines}" }
    response: { status: 200, body: "\${page.items.map(o, o.id)}" }
errors: { codes: { none: { when: invariant broken Order, status: 409 } } }
`;

describe('rows are found by the elements of a list that they keep (language §G.5)', () => {
  it('by whether there is one, how many there are, and what they add up to', async () => {
    const service = await start(orders);
    const lines = (...of: readonly (readonly [string, number])[]) => of.map(([sku, n]) => ({ sku, n }));
    await ask(service, 'POST /orders', { id: 1, lines: lines(['a', 1], ['b', 5]) });
    await ask(service, 'POST /orders', { id: 2, lines: lines(['b', 2]) });
    await ask(service, 'POST /orders', { id: 3, lines: [] });
    expect((await ask(service, 'POST /orders', { id: 4, lines: lines(['c', 0]) })).status).toBe(409);
    const found = async (query: string): Promise<unknown> =>
      (await ask(service, `GET /orders?${query}`)).body;
    expect(await found('sku=b')).toEqual([1, 2]);
    expect(await found('sku=a&least=5')).toEqual([1]);
    expect(await found('least=2')).toEqual([1, 2]);
    expect(await found('total=6')).toEqual([1]);
    expect(await found('total=0')).toEqual([3]);
    expect(await found('lines=1')).toEqual([2]);
  });
});

const named = `
name: Notes
let:
  page_of(rows): { data: "\${rows}", next: "\${page.url.next}", size: 2 }
  by(n, q): "\${q == null || n.owner == q}"
resources:
  Note:
    identifier: id
    fields: { id: { type: integer }, owner: { type: string } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  GET /notes:
    let: { seen: "\${page.items.map(n, pick(Note(n), ['id']))}" }
    does: { list: Note, where: "\${by(this, request.query.owner)}", order: [id] }
    request:
      query:
        owner: { type: string }
        size: { page: size, type: integer, default: 2 }
        from: { page: offset, type: integer, default: 0 }
    response: { status: 200, body: "\${page_of(seen)}" }
`;

describe('a let is written out where it is used (language §E.19)', () => {
  it('in what is found, and in what is sent', async () => {
    const service = await start(named);
    for (const id of [1, 2, 3]) await ask(service, 'POST /notes', { id, owner: id === 2 ? 'b' : 'a' });
    expect((await ask(service, 'GET /notes?owner=a')).body).toEqual({
      data: [{ id: 1 }, { id: 3 }],
      next: null,
      size: 2,
    });
    expect((await ask(service, 'GET /notes')).body).toEqual({
      data: [{ id: 1 }, { id: 2 }],
      next: '/notes?from=2',
      size: 2,
    });
  });
});
