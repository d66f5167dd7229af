import { describe, expect, it } from 'vitest';
import { answer, ask, type Served, start } from './served.ts';

interface Rules {
  readonly part?: string;
  readonly request?: string;
  readonly resource?: string;
  readonly shape?: string;
}

/** Things with an address, and what is said of members that nobody stated, and where. */
const things = ({ part, request, resource, shape }: Rules): string => `
name: Things
resources:
  Thing:
    identifier: id
    ${resource ? `others: ${resource}` : ''}
    fields:
      id: { type: string, set: { create: "\${'one'}" } }
      made: { type: integer, readOnly: true, default: 1 }
      whole: { derived: "\${this.size + 1}" }
      size: { type: integer }
      address: Address
  Address: { identifier: (none), ${shape ? `others: ${shape},` : ''} fields: { town: { type: string } } }
endpoints:
  ${part ? `others: ${part}` : ''}
  POST /things:
    operation: add
    does: create Thing
    request: { ${request ? `others: ${request},` : ''} body: Thing }
    response: { status: 201, body: Thing }
  PATCH /things/{id}:
    operation: change
    does: update Thing
    request: { ${request ? `others: ${request},` : ''} body: Thing, media: [application/json, application/merge-patch+json] }
    response: { status: 200, body: Thing }
  GET /things/{id}:
    operation: one
    does: read Thing
    response: { status: 200, body: Thing }
  POST /searches:
    operation: search
    does: (none)
    request: { ${request ? `others: ${request},` : ''} body: { type: object }, query: { q: { type: string } } }
    response: { status: 200, body: "\${request.query.q}" }
errors:
  payload: { body: { fields: "\${error.failures.map(f, f.field)}" } }
  codes: { wrong: { when: invalid, status: 422 } }
`;

const invalid = (...fields: readonly string[]) => answer(422, { fields });
const merge = ['Content-Type: application/merge-patch+json'];

/** Members that nobody stated, at every depth, and one that the service sets and one that it works out. */
const strange = { size: 1, note: 'a', id: 'x', made: 7, whole: 9, address: { town: 'b', street: 'c' } };
const plain = { id: 'one', made: 1, size: 1, address: { town: 'b' }, whole: 2 };

const one = async (to: Served): Promise<unknown> => (await ask(to, 'GET /things/one')).body;

describe.each<[string, Rules]>([
  ['the part', { part: 'RULE' }],
  ['the request', { request: 'RULE' }],
  ['the request, over the part', { part: 'refuse', request: 'RULE' }],
  ['the body of the request', { request: '{ body: RULE, query: refuse }' }],
  ['the resource, over the request', { request: 'refuse', resource: 'RULE', shape: 'RULE' }],
])('members that nobody stated, by the rule of %s', (_where, rules) => {
  const by = (rule: string): string =>
    things(Object.fromEntries(Object.entries(rules).map(([at, said]) => [at, said.replace('RULE', rule)])));

  it('are refused, each by its name', async () => {
    const service = await start(by('refuse'));
    expect(await ask(service, 'POST /things', strange)).toEqual(
      invalid('address.street', 'note', 'id', 'made', 'whole'),
    );
    expect(await ask(service, 'POST /things', { address: { street: 'c' } })).toEqual(
      invalid('address.street'),
    );
    await ask(service, 'POST /things', { size: 1, address: { town: 'b' } });
    for (const fields of [[], merge]) {
      expect(await ask(service, 'PATCH /things/one', { id: 'one' }, fields)).toEqual(invalid('id'));
      expect(await ask(service, 'PATCH /things/one', { note: null }, fields)).toEqual(invalid('note'));
      expect(await ask(service, 'PATCH /things/one', { made: 2 }, fields)).toEqual(invalid('made'));
      expect(await ask(service, 'PATCH /things/one', { address: { street: 'c' } }, fields)).toEqual(
        invalid('address.street'),
      );
    }
    expect(await one(service)).toEqual(plain);
  });

  it('are ignored', async () => {
    const service = await start(by('ignore'));
    expect(await ask(service, 'POST /things', strange)).toEqual(answer(201, plain));
    for (const fields of [[], merge])
      expect(await ask(service, 'PATCH /things/one', { ...strange, size: 1 }, fields)).toEqual(
        answer(200, plain),
      );
    expect(await one(service)).toEqual(plain);
    const unkept = { ...strange, address: { ...strange.address, size: 5 } };
    expect(await ask(service, 'PATCH /things/one', unkept)).toEqual(answer(200, plain));
  });

  it('are kept and shown, but for what the service sets and works out', async () => {
    const service = await start(by('keep'));
    const kept = { ...plain, address: strange.address, note: 'a' };
    expect(await ask(service, 'POST /things', strange)).toEqual(answer(201, kept));
    for (const fields of [[], merge]) {
      const asked = { id: 'two', made: 8, more: { deep: [1, null, {}] } };
      expect(await ask(service, 'PATCH /things/one', asked, fields)).toEqual(
        answer(200, { ...kept, more: { deep: [1, null, {}] } }),
      );
    }
    expect(await one(service)).toEqual({ ...kept, more: { deep: [1, null, {}] } });
    expect(await ask(service, 'GET /things/two')).toEqual(answer(404));
  });

  it('named as objects have them are kept as they are', async () => {
    const service = await start(by('keep'));
    const body = '{"size":1,"__proto__":{"a":1},"constructor":2,"address":{"__proto__":3}}';
    expect((await ask(service, 'POST /things', body)).status).toBe(201);
    const found = (await one(service)) as Record<string, unknown>;
    expect(Object.entries(found).filter(([name]) => ['__proto__', 'constructor'].includes(name))).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
    ]);
    expect(Object.entries(found['address'] as object)).toEqual([['__proto__', 3]]);
    expect(({} as { a?: unknown }).a).toBeUndefined();
    expect(await ask(service, 'PATCH /things/one', '{"__proto__":null}', merge)).toEqual(
      answer(
        200,
        JSON.parse('{"id":"one","made":1,"size":1,"constructor":2,"address":{"__proto__":3},"whole":2}'),
      ),
    );
  });
});

describe('members that nobody stated, of which nothing is said', () => {
  const point = 'endpoints["POST /things"].request.others';

  it('hold the request up: 501, nothing is changed, and the log names the one point', async () => {
    const service = await start(things({}));
    const before = await service.rows();
    expect(await ask(service, 'POST /things', strange)).toEqual(answer(501));
    expect(await ask(service, 'POST /things', { address: { street: 'c' } })).toEqual(answer(501));
    expect(await ask(service, 'POST /things', { id: 'one' })).toEqual(answer(501));
    expect(service.heldUp).toEqual([[point], [point], [point]]);
    expect(await service.rows()).toEqual(before);
  });

  it('hold an update up, and a merge patch, at any depth', async () => {
    const service = await start(things({}));
    expect(await ask(service, 'POST /things', { size: 1, address: { town: 'b' } })).toEqual(
      answer(201, plain),
    );
    for (const fields of [[], merge])
      for (const members of [
        { note: 1 },
        { note: null },
        { address: { street: 'c' } },
        { id: 'one' },
        { made: 1 },
      ])
        expect(await ask(service, 'PATCH /things/one', members, fields)).toEqual(answer(501));
    expect(service.heldUp).toEqual(Array(10).fill([point.replace('POST /things', 'PATCH /things/{id}')]));
    expect(await one(service)).toEqual(plain);
  });

  it('do not hold up a request that has none', async () => {
    const service = await start(things({}));
    expect(await ask(service, 'POST /things', { size: 1, address: { town: 'b' } })).toEqual(
      answer(201, plain),
    );
    expect(await ask(service, 'PATCH /things/one', { size: 2 })).toEqual(
      answer(200, { ...plain, size: 2, whole: 3 }),
    );
    expect(service.heldUp).toEqual([]);
  });

  it('hold up a request that is wrong in other ways too, since what it is told depends on them', async () => {
    const service = await start(things({}));
    expect(await ask(service, 'POST /things', { size: 'x', note: 1 })).toEqual(answer(501));
    expect(await ask(service, 'POST /things', { size: 'x' })).toEqual(invalid('size'));
  });

  it('are known by the nearest rule: that of a shape governs its own members alone', async () => {
    const service = await start(things({ shape: 'ignore' }));
    expect(await ask(service, 'POST /things', { size: 1, address: strange.address })).toEqual(
      answer(201, plain),
    );
    expect(await ask(service, 'POST /things', strange)).toEqual(answer(501));
    const other = await start(things({ part: 'keep', shape: 'refuse' }));
    expect(await ask(other, 'POST /things', strange)).toEqual(invalid('address.street'));
  });
});

describe('query parameters that nobody stated', () => {
  const search = (to: Served, query: string) => ask(to, `POST /searches?${query}`, {});

  it('are refused, by their names, after those that are stated', async () => {
    const service = await start(things({ request: '{ query: refuse, body: keep }' }));
    expect(await search(service, 'b=1&q=x&a=2')).toEqual(invalid('b', 'a'));
    expect((await search(service, 'q=x')).body).toBe('x');
  });

  it('are let pass where they are ignored or kept', async () => {
    for (const rule of ['ignore', 'keep'])
      expect((await search(await start(things({ part: rule })), 'b=1&q=x')).body).toBe('x');
  });

  it('hold the request up where nothing is said of them, and the log names the one point', async () => {
    const service = await start(things({}));
    expect(await search(service, 'b=1')).toEqual(answer(501));
    expect((await search(service, 'q=x')).status).toBe(200);
    expect(service.heldUp).toEqual([['endpoints["POST /searches"].request.others']]);
    const other = await start(things({ request: '{ body: keep }' }));
    expect(await search(other, 'b=1')).toEqual(answer(501));
    expect(other.heldUp).toEqual([['endpoints["POST /searches"].request.others.query']]);
  });

  it('are not looked at where neither a parameter nor a rule is stated', async () => {
    const service = await start(things({}));
    await ask(service, 'POST /things', { size: 1 });
    expect((await ask(service, 'GET /things/one?a=1&b&__proto__=2')).status).toBe(200);
  });
});
