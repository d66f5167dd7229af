import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../../src/service/handlers/worked.ts';
import { ask, start } from '../served.ts';

const people = `
resources:
  Person:
    identifier: name
    fields: { name: { type: string }, age: { type: integer }, mates: { type: integer, derived: "\${Person.filter(p, p.age == this.age).size()}" } }
endpoints:
  others: refuse
  POST /people: { does: create Person, request: { body: Person }, response: 201 }
  GET /people:
    does: { list: Person, order: [name] }
    request: { query: { filter: { filter: { handled: scim } }, least: { type: integer, filter: "\${this.age >= request.query.least}" }, size: { page: size }, at: { page: cursor } } }
    response: { status: 200, body: { names: "\${page.items.map(p, p.name)}", total: "\${page.total}", next: "\${page.next}" } }
  GET /young: { does: { list: Person, where: { handled: young }, order: { handled: sorted } }, response: { status: 200, body: "\${page.items.map(p, p.name)}" } }
errors: { payload: { body: { code: "\${error.code}" } }, codes: { broken: { when: internal, status: 500 }, wrong: { when: invalid, status: 422 } } }
`;

type Names = {
  readonly request: { readonly query: Readonly<Record<string, string>> };
  readonly [name: string]: unknown;
};
type Handler = (names: Names) => unknown;

/** A foreign query language: `name sw "A"`, `age gt 3`. */
const scim: Handler = ({ request }) => {
  const [field, operator, value] = /^(\w+) (\w+) (.*)$/.exec(request.query['filter'] ?? '')?.slice(1) ?? [];
  const given = JSON.parse(value ?? 'null') as unknown;
  return operator === 'sw'
    ? { expression: `this.${field}.startsWith(value)`, value: given }
    : { expression: `this.${field} > value`, value: given };
};

async function served(handlers: Readonly<Record<string, Handler>>) {
  const service = await start(people, { handlers: handlers as unknown as Handlers });
  for (const [name, age] of [
    ['Ann', 30],
    ['Abe', 7],
    ['Bob', 9],
    ['Ada', 30],
  ])
    await ask(service, 'POST /people', { name, age });
  return service;
}

const young: Readonly<Record<string, Handler>> = { young: () => 'this.age < 10', sorted: () => '-age,name' };
const query = (of: Readonly<Record<string, string | number>>): string =>
  `GET /people?${Object.entries(of)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

describe('a function of the operator’s that gives the condition of a list (language §I)', () => {
  it('shows the items of which the expression that it gives is true, counted and beside other filters', async () => {
    const service = await served({ scim, ...young });
    const names = async (of: Readonly<Record<string, string | number>>): Promise<unknown> =>
      (await ask(service, query(of))).body;
    expect(await names({})).toEqual({ names: ['Abe', 'Ada', 'Ann', 'Bob'], total: 4, next: null });
    expect(await names({ filter: 'name sw "A"' })).toMatchObject({ names: ['Abe', 'Ada', 'Ann'], total: 3 });
    expect(await names({ filter: 'age gt 8' })).toMatchObject({ names: ['Ada', 'Ann', 'Bob'] });
    expect(await names({ filter: 'mates gt 1' })).toMatchObject({ names: ['Ada', 'Ann'] });
    expect(await names({ filter: 'name sw "A"', least: 8 })).toMatchObject({
      names: ['Ada', 'Ann'],
      total: 2,
    });
    expect(await names({ filter: 'name sw "\\" || true || \\""' })).toMatchObject({ names: [], total: 0 });
  });

  it('is paged by cursors, each of which belongs to one condition and its values', async () => {
    const service = await served({ scim, ...young });
    const first = (await ask(service, query({ filter: 'name sw "A"', size: 2 }))).body as { next: string };
    expect(first).toMatchObject({ names: ['Abe', 'Ada'], total: 3 });
    const second = await ask(service, query({ filter: 'name sw "A"', size: 2, at: first.next }));
    expect(second.body).toEqual({ names: ['Ann'], total: 3, next: null });
    const other = await ask(service, query({ filter: 'name sw "B"', size: 2, at: first.next }));
    expect([other.status, other.body]).toEqual([422, { code: 'wrong' }]);
  });

  it('may be its `where`, and give its `order`', async () => {
    const service = await served({ scim, ...young });
    expect((await ask(service, 'GET /young')).body).toEqual(['Bob', 'Abe']);
    const all = await served({ scim, young: () => 'true', sorted: () => 'name' });
    expect((await ask(all, 'GET /young')).body).toEqual(['Abe', 'Ada', 'Ann', 'Bob']);
  });

  it('is internal where it gives no expression, or one that no store can evaluate, and tells why', async () => {
    for (const given of [null, 3, 'nobody.age == 1', 'this.age', 'this.age <', 'this.name.slug() == "a"'])
      expect([given, await broken(() => given)]).toEqual([given, 500]);
    const thrown = (): never => {
      throw new Error('no');
    };
    expect(await broken(thrown)).toBe(500);
  });

  async function broken(handler: Handler): Promise<number> {
    const service = await served({ scim: handler, ...young });
    const { status } = await ask(service, query({ filter: 'x' }));
    expect(service.faults).toHaveLength(1);
    return status;
  }

  it('holds up the requests that give its parameter, and no others, where the operator does not give it', async () => {
    const service = await served(young);
    expect((await ask(service, 'GET /people')).status).toBe(200);
    expect((await ask(service, query({ filter: 'x' }))).status).toBe(501);
    expect(service.heldUp).toEqual([['endpoints["GET /people"].request.query.filter.filter']]);
  });
});
