import { afterAll, describe, expect, it } from 'vitest';
import { explained, jsonLog } from '../../src/cli/serve/request-log.ts';
import type { Answered } from '../../src/service/answered.ts';
import { ask, publishing, register } from './publishing.ts';
import { bench, reader } from './running.ts';

const { serving, end } = bench();
afterAll(end);

/** What is told of the requests to the publishing site; and everything that they brought. */
async function told(): Promise<readonly Answered[]> {
  const answered: Answered[] = [];
  await serving(
    publishing(),
    async (running) => {
      const token = await register(running, 'ann');
      await ask(running, 'POST /sessions', {
        body: { account: { email: 'ann@example.org', password: 'canary wrong' } },
      });
      await ask(running, 'GET /account', { as: token });
      await ask(running, 'GET /account', { as: 'Token canary' });
      await ask(running, 'PUT /account', {
        as: token,
        body: { account: { name: '', bio: 'canary', canary: 1 } },
      });
      await ask(running, 'GET /nowhere?canary=canary');
      await ask(running, 'PUT /accounts', { body: {} });
    },
    { onAnswered: (one) => answered.push(one) },
  );
  return answered;
}

describe('why a request was answered as it was', () => {
  it('is told by the statements that took part, and what was refused', async () => {
    const shown = (await told()).map(({ tookMs, statements, ...one }) => ({
      ...one,
      last: statements.at(-1),
    }));
    expect(shown).toMatchInlineSnapshot(`
      [
        {
          "about": [],
          "condition": null,
          "held": [],
          "last": "endpoints["POST /accounts"].response.status",
          "method": "POST",
          "operation": "register",
          "path": "/accounts",
          "status": 201,
          "version": null,
        },
        {
          "about": [
            "Account",
          ],
          "condition": "wrong credentials",
          "held": [],
          "last": "errors.codes.login_wrong",
          "method": "POST",
          "operation": "logIn",
          "path": "/sessions",
          "status": 401,
          "version": null,
        },
        {
          "about": [],
          "condition": null,
          "held": [],
          "last": "endpoints["GET /account"].response.status",
          "method": "GET",
          "operation": "readSelf",
          "path": "/account",
          "status": 200,
          "version": null,
        },
        {
          "about": [],
          "condition": "credential wrong",
          "held": [],
          "last": "errors.codes.token_wrong",
          "method": "GET",
          "operation": "readSelf",
          "path": "/account",
          "status": 401,
          "version": null,
        },
        {
          "about": [
            "Account.name.minLength",
          ],
          "condition": "invalid",
          "held": [],
          "last": "errors.codes.invalid",
          "method": "PUT",
          "operation": "changeSelf",
          "path": "/account",
          "status": 422,
          "version": null,
        },
        {
          "about": [],
          "condition": "unknown path",
          "held": [],
          "last": undefined,
          "method": "GET",
          "operation": null,
          "path": "/nowhere",
          "status": 404,
          "version": null,
        },
        {
          "about": [],
          "condition": "method not allowed",
          "held": [],
          "last": undefined,
          "method": "PUT",
          "operation": null,
          "path": "/accounts",
          "status": 405,
          "version": null,
        },
      ]
    `);
  });

  const ids = { request: 'r1', trace: null, parent: null };

  it('names nothing that a request brought but its path', async () => {
    const lines: string[] = [];
    const answered = await told();
    const { specification } = reader(publishing());
    const log = jsonLog(
      (line) => lines.push(line),
      () => new Date(0),
    );
    const explain = explained(specification, (line) => lines.push(line));
    for (const one of answered) {
      log(one, ids);
      explain(one);
    }
    expect(lines).toHaveLength(2 * answered.length);
    for (const line of lines) expect(line).not.toMatch(/canary|correct horse|ann@|Token/);
  });

  it('is a line of JSON for machines', async () => {
    const [first] = await told();
    const lines: string[] = [];
    jsonLog(
      (line) => lines.push(line),
      () => new Date(0),
    )({ ...(first as Answered), tookMs: 1.23456 }, ids);
    expect(lines[0]?.endsWith('}\n')).toBe(true);
    expect(JSON.parse(lines[0] as string)).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      request: 'r1',
      ...first,
      tookMs: 1.235,
    });
  });

  it('is, for people, the places of these statements', async () => {
    const answered = (await told())[4] as Answered;
    const lines: string[] = [];
    explained(reader(publishing()).specification, (line) => lines.push(line))({ ...answered, tookMs: 1 });
    expect(lines.join('')).toMatchInlineSnapshot(`
      "422 PUT /account (changeSelf, 1.0 ms)
        refused: invalid Account.name.minLength
        authentication.otherwise                service.md:262:12
        endpoints["PUT /account"].request.body  service.md:133:36
        endpoints["PUT /account"].does          service.md:132:19
        errors.codes.invalid                    service.md:284:30
      "
    `);
  });
});
