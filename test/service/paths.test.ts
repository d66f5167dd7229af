import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, start } from './served.ts';

const people = (endpoints: string): string => `
name: People
resources:
  Person: { identifier: id, fields: { id: { type: string }, name: { type: string } } }
endpoints:
  others: refuse
${endpoints.replace(/^/gm, '  ')}
`;

const usual = `POST /people: { does: create Person, request: { body: Person }, response: 201 }
GET /people/{id}: { does: read Person, response: { status: 200, body: Person } }`;

const ann = { id: 'Ann', name: 'Ann' };

async function statuses(service: { readonly address: string }, lines: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const line of lines) found.push((await ask(service as never, line)).status);
  return found;
}

const allowOf = ({ fields }: Answer): unknown => fields?.find((one) => one.startsWith('Allow: '));

describe('how paths are compared (language §4.1, `matching`)', () => {
  it('is exact, where nothing else is stated', async () => {
    const service = await start(people(usual));
    expect(await statuses(service, ['GET /People/x', 'GET /people/x/'])).toEqual([404, 404]);
    await ask(service, 'POST /people', ann);
    expect(await statuses(service, ['GET /people/Ann', 'GET /PEOPLE/Ann', 'GET /people/Ann/'])).toEqual([
      200, 404, 404,
    ]);
  });

  it('takes literals in any case, and a slash more at the end; parameters stay as they are', async () => {
    const service = await start(people(`matching: [caseless, slash]\nbase: /Api\n${usual}`));
    expect((await ask(service, 'POST /API/People/', ann)).status).toBe(201);
    expect(await ask(service, 'GET /api/PEOPLE/Ann/')).toEqual(answer(200, ann));
    expect(
      await statuses(service, ['GET /api/people/ann', 'GET /api/people/Ann//', 'GET /api/people//']),
    ).toEqual([404, 404, 404]);
  });

  it('puts a literal in another case before a parameter that matches exactly', async () => {
    const service = await start(
      people(`GET /people/me: { matching: caseless, does: (none), response: { status: 200, body: { me: true } } }
POST /people: { does: create Person, request: { body: Person }, response: 201 }
GET /people/{id}: { does: read Person, response: { status: 200, body: Person } }`),
    );
    await ask(service, 'POST /people', { ...ann, id: 'Me' });
    expect(await ask(service, 'GET /people/Me')).toEqual(answer(200, { me: true }));
  });

  it('is stated for each operation, and those of one path that match are all allowed', async () => {
    const service = await start(
      people(`every GET: { matching: caseless }
${usual}
GET /people/{id}/name: { matching: exact, does: read Person, response: { status: 200, body: "\${this.name}" } }
GET /People: { does: list Person, response: { status: 200, body: "\${Person(page.items)}" } }`),
    );
    await ask(service, 'POST /people', ann);
    expect(await ask(service, 'GET /people')).toEqual(answer(200, [ann]));
    expect(await ask(service, 'GET /PEOPLE/Ann')).toEqual(answer(200, ann));
    expect(await statuses(service, ['GET /People/Ann/name', 'POST /People', 'DELETE /people'])).toEqual([
      404, 405, 405,
    ]);
    expect(allowOf(await ask(service, 'DELETE /people'))).toBe('Allow: POST, GET, HEAD');
    expect(allowOf(await ask(service, 'DELETE /PEOPLE'))).toBe('Allow: GET, HEAD');
  });
});

describe('literal text around a parameter (language §4.1, rules 3 and 4)', () => {
  it('is no part of its value, whatever it is coded as', async () => {
    const service = await start(
      people(`base: /v1
${usual}
GET /people/{id}.txt: { operation: nameOf, does: read Person, response: { status: 200, body: { name: "\${this.name}" } } }
GET /tags/t{tags}: { does: (none), request: { path: { tags: { type: array, items: { type: string } } } }, response: { status: 200, body: { tags: "\${request.path.tags}" } } }
PUT /people/{id}.txt: { does: { run: nameOf, for: "\${[request.path.id]}", request: { path: { id: "\${value}" } } }, response: { status: 200, body: "\${results[0].body}" } }`),
    );
    await ask(service, 'POST /v1/people', ann);
    expect(await ask(service, 'GET /v1/people/Ann.txt')).toEqual(answer(200, { name: 'Ann' }));
    expect(await ask(service, 'GET /v1/people/Ann%2Etxt')).toEqual(answer(200, { name: 'Ann' }));
    expect(
      await statuses(service, ['GET /v1/people/Bob.txt', 'GET /v1/people/Ann', 'DELETE /v1/people/Ann.txt']),
    ).toEqual([404, 200, 405]);
    expect(allowOf(await ask(service, 'DELETE /v1/people/Ann.txt'))).toBe('Allow: GET, HEAD, PUT');
    expect(await ask(service, 'PUT /v1/people/Ann.txt')).toEqual(answer(200, { name: 'Ann' }));
    // What separates elements is told from a part of one.
    expect(await ask(service, 'GET /v1/tags/ta,b%2Cc')).toEqual(answer(200, { tags: ['a', 'b,c'] }));
  });
});

describe('further paths of an operation (language §4.1, `paths`)', () => {
  const text = people(`base: /api
${usual}
GET /people/{id}/{part}:
  paths: ["/v2/persons/{id}/{part}", "/by-id/{id}"]
  does: read Person
  request: { path: { part: { style: label } } }
  response: { status: 200, body: { id: "\${this.id}", part: "\${request.path.part}", url: "\${request.url}" } }
DELETE /by-id/{id}: { does: delete Person, response: 204 }`);

  it('answer alike, with what each path gives', async () => {
    const service = await start(text);
    await ask(service, 'POST /api/people', ann);
    for (const url of ['/api/people/Ann/.a', '/api/v2/persons/Ann/.a'])
      expect(await ask(service, `GET ${url}`)).toEqual(answer(200, { id: 'Ann', part: 'a', url }));
    const url = '/api/by-id/Ann';
    expect(await ask(service, `GET ${url}`)).toEqual(answer(200, { id: 'Ann', url }));
    expect(await statuses(service, ['GET /by-id/Ann', 'GET /api/by-id/Bob'])).toEqual([404, 404]);
  });

  it('are in `Allow` with what else stands there', async () => {
    const service = await start(text);
    expect(allowOf(await ask(service, 'PUT /api/by-id/Ann'))).toBe('Allow: GET, HEAD, DELETE');
    expect(allowOf(await ask(service, 'PUT /api/v2/persons/Ann/a'))).toBe('Allow: GET, HEAD');
  });

  it('keep the path that was asked in the addresses of pages', async () => {
    const service = await start(
      people(`${usual}
GET /people:
  paths: [/v2/People]
  matching: slash
  does: list Person
  request: { query: { size: { page: size }, from: { page: offset } } }
  response: { status: 200, body: "\${page.url.next}" }`),
    );
    for (const id of ['a', 'b', 'c']) await ask(service, 'POST /people', { id, name: id });
    const next = async (path: string) => (await ask(service, `GET ${path}?size=1&from=0`)).body;
    expect(await next('/v2/People/')).toMatch(/\/v2\/People\/\?size=1&from=1$/);
    expect(await next('/people')).toMatch(/^\/people\?size=1&from=1$/);
  });
});
