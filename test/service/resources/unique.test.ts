import { describe, expect, it } from 'vitest';
import { ask, start } from '../served.ts';

const accounts = (email: string, further = ''): string => `
tacet: 1
complete: true
name: accounts
resources:
  Account:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      email: { type: string, ${email} }
      name: { type: string }
    required: [email]
${further}
states: (none)
endpoints:
  others: refuse
  POST /accounts:
    operation: register
    does: create Account
    request: { body: Account }
    response: { status: 201, body: Account }
  PATCH /accounts/{id}:
    operation: change
    does: update Account
    request: { body: Account }
    response: { status: 200, body: Account }
  DELETE /accounts/{id}: { operation: leave, does: delete Account, response: 204 }
  GET /accounts: { operation: list, does: list Account, response: { status: 200, body: "\${Account(page.items)}" } }
authentication: (none)
events: (none)
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    taken: { when: not unique Account.email, status: 409 }
    other: { when: not unique, status: 410 }
limits: (none)
versioning: (none)
`;

describe('a value that only a deleted item had', () => {
  it('is a case of its own where a row lists it: not unique Account.email.ever', async () => {
    const rows = '    taken: { when: not unique Account.email, status: 409 }';
    const service = await start(
      accounts('unique: ever').replace(
        rows,
        `${rows}\n    burnt: { when: not unique Account.email.ever, status: 422 }`,
      ),
    );
    const register = (email: string) => ask(service, 'POST /accounts', { email });
    const first = await register('a@x.test');
    const second = await register('b@x.test');
    expect([first.status, second.status]).toEqual([201, 201]);
    const path = ({ body }: typeof first): string => `/accounts/${(body as { id: string }).id}`;
    expect((await register('a@x.test')).status).toBe(409);
    await ask(service, `DELETE ${path(first)}`);
    expect(await register('a@x.test')).toMatchObject({ status: 422, body: { code: 'burnt' } });
    expect(await ask(service, `PATCH ${path(second)}`, { email: 'a@x.test' })).toMatchObject({ status: 422 });
    // The item that had it is still there, with another value.
    await ask(service, `PATCH ${path(second)}`, { email: 'c@x.test' });
    expect(await register('b@x.test')).toMatchObject({ status: 409, body: { code: 'taken' } });
  });

  it('is not unique where no row tells it apart', async () => {
    const service = await start(accounts('unique: ever'));
    const made = await ask(service, 'POST /accounts', { email: 'a@x.test' });
    await ask(service, `DELETE /accounts/${(made.body as { id: string }).id}`);
    expect((await ask(service, 'POST /accounts', { email: 'a@x.test' })).status).toBe(409);
  });
});

describe('a field that is unique', () => {
  it('has each value once, whatever is sent at once', async () => {
    const service = await start(accounts('unique: caseless'));
    const racers = Array.from({ length: 50 }, (_, index) =>
      ask(service, 'POST /accounts', { email: index % 2 ? 'Straße@x.test' : 'STRASSE@x.test'.toLowerCase() }),
    );
    const mixed = Array.from({ length: 50 }, (_, index) =>
      ask(service, 'POST /accounts', { email: index % 2 ? 'ÉVA@x.test' : 'éva@x.test' }),
    );
    const answers = await Promise.all([...racers, ...mixed]);
    // Simple case folding leaves ß as it is, so that these are two; É and é are one letter.
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(97).fill(409)]);
    const { body } = await ask(service, 'GET /accounts');
    expect((body as unknown[]).length).toBe(3);
  });

  it('tells letter case apart where nothing else is stated', async () => {
    const service = await start(accounts('unique: true'));
    const statuses: number[] = [];
    for (const email of ['a@x', 'A@x', 'a@x'])
      statuses.push((await ask(service, 'POST /accounts', { email })).status);
    expect(statuses).toEqual([201, 201, 409]);
  });

  it('is refused to a change as to a new item, and not to the item that has it', async () => {
    const service = await start(accounts('unique: caseless'));
    const [one, two] = (
      await Promise.all(['a', 'b'].map((email) => ask(service, 'POST /accounts', { email })))
    ).map(({ body }) => (body as { id: string }).id);
    const change = async (id: string | undefined, email: string): Promise<number> =>
      (await ask(service, `PATCH /accounts/${id}`, { email })).status;
    expect(await change(two, 'A')).toBe(409);
    expect(await change(one, 'A')).toBe(200);
    await ask(service, `DELETE /accounts/${one}`);
    expect(await change(two, 'a')).toBe(200);
  });

  it('is never had again where that is stated, but by the item that had it', async () => {
    const service = await start(accounts('unique: ever'));
    const make = (email: string) => ask(service, 'POST /accounts', { email });
    const { id } = (await make('a')).body as { id: string };
    expect((await ask(service, `PATCH /accounts/${id}`, { email: 'b' })).status).toBe(200);
    expect((await make('a')).status).toBe(409);
    expect((await ask(service, `PATCH /accounts/${id}`, { email: 'a' })).status).toBe(200);
    expect((await ask(service, `DELETE /accounts/${id}`)).status).toBe(204);
    expect([(await make('a')).status, (await make('b')).status, (await make('c')).status]).toEqual([
      409, 409, 201,
    ]);
  });

  it('lets any number of items be without it', async () => {
    const service = await start(accounts('', '    unique: [[email, name]]'));
    const make = async (item: object): Promise<number> => (await ask(service, 'POST /accounts', item)).status;
    expect(await make({ email: 'a' })).toBe(201);
    expect(await make({ email: 'a' })).toBe(201);
    expect(await make({ email: 'a', name: 'n' })).toBe(201);
    expect(await make({ email: 'b', name: 'n' })).toBe(201);
    expect(await make({ email: 'a', name: 'N' })).toBe(201);
    expect(await make({ email: 'a', name: 'n' })).toBe(409);
  });

  it('compares several fields caselessly where that is stated', async () => {
    const service = await start(accounts('', '    unique: [{ fields: [email, name], caseless: true }]'));
    const make = async (item: object): Promise<number> => (await ask(service, 'POST /accounts', item)).status;
    expect(await make({ email: 'a', name: 'n' })).toBe(201);
    expect(await make({ email: 'A', name: 'N' })).toBe(409);
    expect(await make({ email: 'A', name: 'M' })).toBe(201);
  });
});

it('that is said of a field twice is one and the same', async () => {
  const service = await start(accounts('unique: true', '    unique: [[email, name], [name, email]]'));
  expect((await ask(service, 'POST /accounts', { email: 'a' })).status).toBe(201);
  expect((await ask(service, 'POST /accounts', { email: 'a' })).status).toBe(409);
});

describe('an item that a path singles out by several fields', () => {
  const kinds = [
    ['{ type: boolean }', true],
    ['{ type: integer }', 5],
    ['{ type: number }', 1.5],
    ['{ type: string }', 'a b'],
    ['{ type: string, format: date-time }', '2026-01-01T00:00:00Z'],
    ['{ type: string, format: date }', '2026-01-01'],
    ['{ refers: Owner, ifDeleted: delete }', 'ann'],
    ['{ refers: Owner.mail, ifDeleted: delete }', 'a@b.example'],
  ] as const;

  it.each(kinds)('is found, whatever their type: %s', async (field, value) => {
    const service = await start(`
resources:
  Owner: { identifier: name, fields: { name: { type: string }, mail: { type: string, unique: true } } }
  Thing: { identifier: id, fields: { id: { type: string }, a: ${field}, b: { type: string } }, unique: [[a, b]] }
endpoints:
  others: refuse
  POST /owners: { does: create Owner, request: { body: Owner }, response: 201 }
  POST /things: { does: create Thing, request: { body: Thing }, response: 201 }
  GET /things/{a}/{b}: { does: read Thing, request: { path: { a: Thing.a, b: Thing.b } }, response: { status: 200, body: { id: "\${this.id}" } } }
`);
    await ask(service, 'POST /owners', { name: 'ann', mail: 'a@b.example' });
    expect((await ask(service, 'POST /things', { id: 'x', a: value, b: 'y' })).status).toBe(201);
    const path = `GET /things/${encodeURIComponent(value)}`;
    const found = await ask(service, `${path}/y`);
    expect([found.status, found.body]).toEqual([200, { id: 'x' }]);
    expect((await ask(service, `${path}/z`)).status).toBe(404);
  });
});

describe('fields that are unique, of which one is null (language §2.1, rule 4)', () => {
  const texts = '{ type: [string, "null"] }';
  const places = (unique: string): string => `
name: places
resources:
  Place:
    identifier: id
    fields:
      id: { type: string }
      hall: ${texts}
      seat: ${texts}
      code: { type: [string, "null"], unique: true }
    ${unique}
endpoints:
  others: refuse
  POST /places: { does: create Place, request: { body: Place }, response: 201 }
  PATCH /places/{id}: { does: update Place, request: { body: Place }, response: 200 }
errors: { codes: { taken: { when: not unique, status: 409 } } }
`;

  it.each(['unique: [[hall, seat]]', 'unique: [{ fields: [hall, seat], caseless: true }]'])(
    'are equal to those of no other item: %s',
    async (unique) => {
      const service = await start(places(unique));
      const status = async (line: string, body: object) => (await ask(service, line, body)).status;
      const make = (id: string, hall?: string | null, seat?: string | null, code?: string | null) =>
        status('POST /places', { id, hall, seat, code });
      expect([await make('a', 'x', null), await make('b', 'x', null), await make('c', 'x')]).toEqual([
        201, 201, 201,
      ]);
      expect([await make('d', null, null, null), await make('e', null, null, null)]).toEqual([201, 201]);
      expect([
        await make('f', 'x', '1', 'k'),
        await make('g', 'x', '1'),
        await make('h', 'y', '1', 'k'),
      ]).toEqual([201, 409, 409]);
      expect(await status('PATCH /places/a', { seat: '1' })).toBe(409);
      expect(await status('PATCH /places/f', { seat: null })).toBe(200);
      expect(await status('PATCH /places/a', { seat: '1' })).toBe(200);
    },
  );
});
