import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StartRefused, serve } from '../../src/service/service.ts';
import { StoreRefused } from '../../src/service/store/store.ts';
import { isPostgres } from './places.ts';
import { answer, ask, dataFile, type Served, specificationOf, start } from './served.ts';
import { server } from './store/postgres.ts';

const things = (identifier: string, more = ''): string => `
name: Things
resources:
  Thing: { identifier: ${identifier}, fields: { id: { type: string }, other: { type: string } } }
endpoints:
  POST /things: { does: create Thing, request: { body: Thing }, response: 201 }
  GET /things: { does: list Thing, response: { status: 200, body: "\${Thing(page.items)}" } }
${more}`;

const refusal = async (starting: Promise<Served>): Promise<unknown> => {
  try {
    await starting;
    return 'it started';
  } catch (error) {
    return error;
  }
};

describe('where it listens', () => {
  const beyond = ['0.0.0.0', '::', '192.0.2.1', 'things.example', '127.0.0.1.example', '127.1', ''];

  it('while authentication is open: on loopback alone, and the message says what to do', async () => {
    for (const host of beyond) {
      const error = await refusal(start(things('id'), { host }));
      expect(error).toBeInstanceOf(StartRefused);
      expect((error as Error).message).toBe(
        `authentication is open, so the service listens on loopback alone, and ${host} is not; state part 5, or take the risk with --expose-unauthenticated`,
      );
    }
  });

  it('elsewhere where the operator takes the risk, or part 5 says that nobody is asked', async () => {
    for (const [text, options] of [
      [things('id'), { exposeUnauthenticated: true }],
      [things('id', 'authentication: (none)'), {}],
    ] as const) {
      const service = await start(text, { host: '0.0.0.0', ...options });
      expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
    }
  });

  it('on 127.0.0.1 where nothing is said', async () => {
    const service = await start(things('id'));
    expect(service.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
  });

  it("on no port that is another's, and lets go of the store", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const data = dataFile();
    expect(await refusal(start(things('id'), { port, data }))).toMatchObject({ code: 'EADDRINUSE' });
    const service = await start(things('id'), { data });
    expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
  });
});

describe('where it keeps its items', () => {
  it('makes the file, and its folder, where there is none', async () => {
    const service = await start(things('id'), { data: `${dirname(dataFile())}/new/folder/data.sqlite` });
    expect((await ask(service, 'POST /things', { id: 'a' })).status).toBe(201);
  });

  it('finds what another run kept; what is no field any more is not shown, and is back when it is one again', async () => {
    const first = await start(things('id'));
    await ask(first, 'POST /things', { id: 'a', other: 'b' });
    await first.close();
    const second = await start(things('id').replace('other: { type: string }', 'third: {}'), {
      data: first.data,
    });
    expect(await ask(second, 'GET /things')).toEqual(answer(200, [{ id: 'a' }]));
    await second.close();
    const third = await start(things('id'), { data: first.data });
    expect(await ask(third, 'GET /things')).toEqual(answer(200, [{ id: 'a', other: 'b' }]));
  });

  it('refuses a file that is no database, and leaves it as it is', async () => {
    const data = dataFile();
    writeFileSync(data, 'my letters, which nobody may lose'.repeat(100));
    const error = await refusal(start(things('id'), { data }));
    expect(error).toBeInstanceOf(StoreRefused);
    expect((error as Error).message).toBe(`${data} is not a SQLite database; name another file with --data`);
  });

  it('refuses the database of something else, and leaves it as it is', async () => {
    const data = dataFile();
    const other = new Database(data);
    other.exec('CREATE TABLE letters (text); INSERT INTO letters VALUES (1)');
    other.close();
    const error = await refusal(start(things('id'), { data }));
    expect(error).toBeInstanceOf(StoreRefused);
    expect((error as Error).message).toBe(
      `${data} is a database of something else; name another file with --data`,
    );
    const again = new Database(data);
    expect(again.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['letters']);
    again.close();
  });

  it('refuses a file that keeps a resource under another identifier', async () => {
    const first = await start(things('id'));
    await ask(first, 'POST /things', { id: 'a', other: 'b' });
    await first.close();
    for (const [identifier, fields, types] of [
      ['[id, other]', '["id","other"]', 'text, text'],
      ['other', '["other"]', 'text'],
    ] as const) {
      const error = await refusal(start(things(identifier), { data: first.data }));
      expect(error).toBeInstanceOf(StoreRefused);
      expect((error as Error).message).toBe(
        isPostgres
          ? `${server} keeps Thing under the identifier ["id"] of text, and it is ${fields} of ${types} now; state that identifier, or name another database or ?schema= with --store`
          : `${first.data} keeps Thing under the identifier ["id"], and it is ${fields} now; state that identifier, or name another file with --data`,
      );
    }
    const again = await start(things('id'), { data: first.data });
    expect(await ask(again, 'GET /things')).toEqual(answer(200, [{ id: 'a', other: 'b' }]));
  });

  it('takes another identifier for a resource of which nothing is kept', async () => {
    const first = await start(things('id'));
    await first.close();
    const again = await start(things('other'), { data: first.data });
    expect(await ask(again, 'GET /things')).toEqual(answer(200, []));
  });

  it('refuses a folder, and a file that cannot be made', async () => {
    const folder = dirname(dataFile());
    expect(await refusal(start(things('id'), { data: folder }))).toBeInstanceOf(StoreRefused);
    const file = `${folder}/file`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    expect(await refusal(start(things('id'), { data: `${file}/data.sqlite` }))).toBeInstanceOf(StoreRefused);
  });

  it('needs no file for resources that nothing can be made of', async () => {
    const text =
      'name: A\nresources: { Thing: {} }\nendpoints: { "GET /things": { does: list Thing, response: { status: 200, body: "${Thing(page.items)}" } } }';
    const service = await start(text);
    expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
  });
});

describe('a document as it stands', () => {
  it('with anything that JSON Schema allows is served', async () => {
    const text = things('id').replace(
      'other: { type: string }',
      'other: { if: { type: string }, minContains: 2, minLength: 1, maximum: 3, items: { type: string }, contentEncoding: base64, contentSchema: { type: object }, prefixItems: [true], dependentSchemas: { a: { required: [b] } } }',
    );
    const service = await start(text);
    expect((await ask(service, 'POST /things', { id: 'a', other: 'x' })).status).toBe(201);
  });

  it('without a word is served', async () => {
    const specification = specificationOf('# A service\n');
    const service = await serve(specification, { data: dataFile() });
    await service.close();
    await service.close();
  });
});
