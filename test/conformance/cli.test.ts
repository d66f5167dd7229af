import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/cli/command.ts';
import { main } from '../../src/cli/main.ts';
import { startTodo } from '../faulty/todo.ts';
import { freePort, type Running } from '../listening.ts';
import { changed, todoDocument } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-test-'));
const schemaOf = (name: string): object =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../schemas/${name}.schema.json`, import.meta.url)), 'utf8'),
  ) as object;

let good: Running;
let faulty: Running;

beforeAll(async () => {
  good = await startTodo();
  faulty = await startTodo('create answers 200');
});

afterAll(async () => {
  await good.close();
  await faulty.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const todo = file('todo.md', todoDocument);

/** Sends no walks and searches nothing, unless it is told to. */
async function run(args: readonly string[], ended: AbortSignal = new AbortController().signal) {
  const [out, error]: [string[], string[]] = [[], []];
  const terminal: Terminal = {
    out: (text) => void out.push(text),
    error: (text) => void error.push(text),
    environment: {},
    colours: false,
    ended,
  };
  const few = args.includes('--walks') ? [] : ['--walks', '160'];
  const unsearched = args.includes('--search') ? [] : ['--search', 'PT0S'];
  const code = await main(['test', ...args, ...few, ...unsearched], terminal);
  return { code, out: out.join(''), error: error.join('') };
}

/** The output without what differs from run to run. */
function stable(text: string): string {
  return text
    .replaceAll(folder, '')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://HERE')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
    .replace(/\d+ requests in \d+\.\d s/, 'N requests in S s');
}

interface Summary {
  readonly seed: number;
  readonly inOrder: boolean;
  readonly outcome: string;
  readonly causes: readonly object[];
  readonly violations: readonly { readonly commands?: string; readonly sequence?: readonly object[] }[];
}

describe('tacet test', () => {
  it('ends with 0 where nothing violates, and shows numbers alone', async () => {
    const { code, out, error } = await run([todo, '--url', good.url]);
    expect([code, error]).toEqual([0, '']);
    expect(out).not.toContain('violates\n');
    expect(stable(out).split('\n').slice(0, 2)).toEqual([
      'A to-do list',
      '/todo.md against http://HERE: N requests in S s, seed 1',
    ]);
    expect(out).toMatch(/^all +\d+ +0 +\d+ +0$/m);
    expect(out).toMatch(/^no violation; \d+ of \d+ checks found what is stated/m);
  });

  it('has the implementation begin anew before anything else, and says so where that fails', async () => {
    const asked: string[] = [];
    const statuses = [204, 500];
    const hook = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(statuses[asked.length - 1] ?? 204).end();
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/empty?all=true`;
    const once = await run([todo, '--url', good.url, '--reset', at]);
    expect([once.code, once.error, asked]).toEqual([0, '', ['POST /empty?all=true']]);
    const refused = await run([todo, '--url', good.url, '--reset', at]);
    expect([refused.code, refused.error.split('\n')[0]]).toEqual([
      2,
      `tacet: POST ${at}, the address of --reset, was answered 500`,
    ]);
    hook.close();
    hook.closeAllConnections();
    const gone = await run([todo, '--url', good.url, '--reset', at]);
    expect([gone.code, gone.error]).toEqual([
      2,
      expect.stringContaining(`nothing answers at ${at}, the address of --reset: connect ECONNREFUSED`),
    ]);
    for (const wrong of [
      ['--reset', at],
      ['--url', good.url, '--reset', 'http://example.org/empty'],
    ])
      expect([wrong, (await run([todo, ...wrong])).code]).toEqual([wrong, 2]);
    expect(asked).toHaveLength(2);
  });

  it('ends with 1 where something violates, and shows it in full', async () => {
    const { code, out } = await run([todo, '--url', faulty.url]);
    expect(code).toBe(1);
    expect(stable(out)).toContain(`violates

  1  POST /: status
  statement endpoints["POST /"].response.status  /todo.md:62:23
  expected  status 201
  found     status 200
  request   POST http://HERE/ {"title":`);
    expect(stable(out)).toMatch(/ {2}answer {4}200 application\/json; charset=utf-8 \{"title"/);
    expect(stable(out)).toMatch(
      / {2}again {5}(paste this into a shell\n\n[\s\S]*\n)?curl -sS -i -X POST --path-as-is ("\$url\/"|'http:\/\/HERE\/')/,
    );
    expect(stable(out)).toMatch(
      /^violates {2}POST \/: status {2}\/todo\.md:62:23\n {10}expected status 201, found status 200\n\nA to-do list\n/,
    );
    expect(stable(out)).toMatch(
      /\nwhat to fix\n {2}1 {2}endpoints\["POST \/"\]\.response\.status {2}\/todo\.md:62 {2}expected status 201, found status 200 {2}\d+ exchanges\n\n1 check found a violation\n$/,
    );
  });

  it('shows every check when asked', async () => {
    const { out } = await run([todo, '--url', good.url, '--verbose']);
    expect(out).toContain('conforms      POST /: an answer is as endpoints["POST /"].response.status says');
    expect(out).toContain('nobody searched for a request that shows it (--search)');
  });

  it('names open points with what is asked, and what the document says to a terminal is text alone', async () => {
    const question = '(open) \u001b[2J200 or 201?';
    const open = file(
      'asked.md',
      changed(todoDocument, ['status: 201,', `status: ${JSON.stringify(question)},`]),
    );
    const { out } = await run([open, '--url', good.url]);
    expect(out).toMatch(
      /\n +\d+ {2}endpoints\["POST \/"\]\.response\.status {2}\S+:\d+:\d+\n {8}asks: {2}\[2J200 or 201\?\n/,
    );
  });

  it('shows violations of what is assumed apart, in a column of their own, and ends with 0', async () => {
    const open = file('open.md', changed(todoDocument, ['status: 201,', 'status: (open) 200 or 201?,']));
    const ledger = file(
      'ledger.json',
      JSON.stringify([{ at: 'endpoints["POST /"].response.status', value: 200, why: 'usual' }]),
    );
    const { code, out } = await run([open, '--url', good.url, '--assume', ledger]);
    expect(code).toBe(0);
    expect(out).toContain('violates what is assumed, and fails nothing without --assumed fails');
    expect(out).toMatch(/conforms +violates +not exercised +not stated +assumed/);
    const failing = await run([open, '--url', good.url, '--assume', ledger, '--assumed', 'fails']);
    expect(failing.code).toBe(1);
    expect(failing.out).toMatch(
      /\nwhat is assumed is violated: 1 statement, and none may be \(--assumed fails\)\n/,
    );
  });

  it('prints one JSON document of the stated form', async () => {
    const whole = join(folder, 'whole.json');
    const { code, out } = await run([
      ...[todo, '--url', faulty.url, '--json', '--seed', '7', '--walks', '160'],
      ...['--report', `json-full=${whole}`],
    ]);
    expect(code).toBe(1);
    const report = JSON.parse(out) as Summary;
    const schemas = new Ajv2020({ strict: false, validateFormats: false }).addSchema(schemaOf('test'));
    for (const [name, form] of [
      [report, schemas.getSchema('urn:tacet:schema:test:1')],
      [JSON.parse(readFileSync(whole, 'utf8')), schemas.compile(schemaOf('test-full'))],
    ] as const)
      expect(form?.(name) || form?.errors).toBe(true);
    expect([report.seed, report.inOrder, report.outcome]).toEqual([7, false, 'violated']);
    expect(report.causes).toHaveLength(1);
    expect(report.violations[0]?.commands).toMatch(/^curl -sS -i -X POST /m);
    expect(report.violations[0]?.sequence).toHaveLength(1);
    // An element of a list is on a line of its own.
    const line =
      out.split('\n').find((each) => each.startsWith('    ') && each.includes('"violates":')) ?? '';
    expect(JSON.parse(line.replace(/,$/, ''))).toMatchObject({
      address: 'endpoints["POST /"].response.status',
      violates: 1,
    });
  });

  it('ends with 3 where nothing was exercised', async () => {
    const founding = file('founding.md', '# A service\n\n## Endpoints\n\nMethods and paths: not shown.\n');
    for (const options of [[], ['--walks', '960', '--search', 'PT20S']]) {
      const { code, out } = await run([founding, '--url', good.url, ...options]);
      expect([options, code]).toEqual([options, 3]);
      expect(out).toContain('nothing was exercised');
    }
  });

  it('ends with 1, and sends nothing, where the document has errors', async () => {
    const { code, out, error } = await run([
      file('wrong.md', todoDocument.replace('minLength', 'minLenght')),
      '--url',
      good.url,
    ]);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('did you mean minLength?');
  });

  it('says in one line that nothing answers, and ends with 2', async () => {
    const port = await freePort();
    for (const walks of ['160', '960']) {
      const { code, out, error } = await run([todo, '--url', `http://127.0.0.1:${port}`, '--walks', walks]);
      expect([code, out]).toEqual([2, '']);
      expect(error).toMatch(/^tacet: nothing answers at http:\/\/127\.0\.0\.1:\d+\/: .*\n$/);
    }
  });

  it('listens no more once nothing answers: the process ends', async () => {
    const command = [resolve('bin/tacet.js'), 'test', resolve('examples/parcel-desk.md'), '--search', 'PT0S'];
    const { status, stderr } = spawnSync(
      process.execPath,
      [...command, '--url', `http://127.0.0.1:${await freePort()}`],
      { cwd: folder, encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' },
    );
    expect(stderr).toContain('nothing answers');
    expect(status).toBe(2);
  });

  it('ends when it is asked to', async () => {
    const { code, error } = await run([todo, '--url', good.url], AbortSignal.abort());
    expect([code, error]).toEqual([2, 'tacet: ended before all was tested\n']);
  });

  it.each([
    [[], 'name the document'],
    [[todo, '--url', 'here'], 'here is no address of a service'],
    [[todo, '--url', 'ftp://127.0.0.1/'], 'is no address of a service'],
    [
      [todo, '--url', 'http://192.0.2.1/'],
      '192.0.2.1 is not on this machine; items are made and removed there: say --allow-remote',
    ],
    [[todo, '--url', 'http://127.0.0.1.example.org/'], 'is not on this machine'],
    [[todo, '--url', 'http://127.0.0.1/', '--seed', 'x'], 'x is no seed'],
    [['nowhere.md', '--url', 'http://127.0.0.1/'], 'there is no file nowhere.md'],
  ])('is used wrongly: %j', async (args, message) => {
    const { code, error } = await run(args.length === 0 ? ['--url', 'http://127.0.0.1/'] : args);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });
});
