import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { endpoints } from '../../bench/endpoints.ts';
import type { ExitCode } from '../../src/cli/command.ts';
import { consoleOf } from '../../src/cli/dev/console.ts';
import { Follower } from '../../src/cli/dev/follow.ts';
import { watch } from '../../src/cli/dev/watch.ts';
import { main } from '../../src/cli/main.ts';
import { unbuilt } from '../../src/console/console.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const folder = temporaryFolder();
let made = 0;

/** A folder for one test. */
function place(): { path: string; write: (name: string, content: string) => string } {
  made += 1;
  const path = join(folder.path, String(made));
  mkdirSync(path);
  return {
    path,
    write: (name, content) => {
      const file = join(path, name);
      writeFileSync(file, content);
      return file;
    },
  };
}

function notes(status: string, identifier = 'id'): string {
  return [
    '# Notes',
    '## Resources',
    '```yaml',
    `Note: { identifier: ${identifier}, fields: { id: { type: string, set: { create: "\${uuid()}" } }, text: { type: string } } }`,
    '```',
    '## Endpoints',
    '```yaml',
    'GET /notes: { does: list Note, response: { status: 200, body: "${Note(page.items)}" } }',
    `POST /notes: { operation: addNote, does: create Note, request: { body: Note, others: refuse }, response: { status: ${status} } }`,
    '```',
    '',
  ].join('\n');
}

interface Running {
  readonly address: string;
  /** All that was printed once this is in it; what was waited for before is left out. */
  readonly until: (text: string) => Promise<string>;
  readonly end: () => Promise<ExitCode>;
}

const running: Running[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.end();
});

/** Where the service listens, as the greeting says. */
function addressIn(printed: string): string {
  return /address +(http:\/\/127\.0\.0\.1:\d+)/.exec(printed)?.[1] as string;
}

async function dev(document: string, ...options: string[]): Promise<Running> {
  const { printed, until, end } = begin(document, ...options);
  await until('following');
  const address = addressIn(printed());
  return { address, until, end };
}

function begin(document: string, ...options: string[]) {
  const ended = new AbortController();
  let printed = '';
  let seen = 0;
  let wake = (): void => {};
  const print = (text: string): void => {
    printed += text;
    wake();
  };
  const code = main(['dev', document, '--port', '0', '--data', `${document}.sqlite`, ...options], {
    out: print,
    error: print,
    environment: {},
    colours: false,
    ended: ended.signal,
  });
  const until = async (text: string): Promise<string> => {
    for (;;) {
      const found = printed.indexOf(text, seen);
      const line = printed.indexOf('\n', found);
      if (found >= 0 && line >= 0) {
        const part = printed.slice(seen, line + 1);
        seen = line + 1;
        return part;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const one: Running = {
    address: '',
    until,
    end: () => {
      ended.abort();
      return code;
    },
  };
  running.push(one);
  return { ...one, printed: () => printed, code };
}

async function post(address: string): Promise<number> {
  const answer = await fetch(`${address}/notes`, {
    method: 'POST',
    body: '{"text":"milk"}',
    headers: { 'Content-Type': 'application/json' },
  });
  return answer.status;
}

async function kept(address: string): Promise<number> {
  return ((await (await fetch(`${address}/notes`)).json()) as unknown[]).length;
}

/** Does something in the console whose address was printed. */
async function inConsole(printed: string): Promise<(path: string, content: unknown) => Promise<unknown>> {
  const [, origin = '', token] = /console +(http:\/\/\S+)\/#token=(\S+)/.exec(printed) ?? [];
  const headers = { Origin: origin, 'Content-Type': 'application/json' };
  const send = (path: string, content: unknown, more = {}): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      body: JSON.stringify(content),
      headers: { ...headers, ...more },
    });
  const { headers: answered } = await send('/session', { token });
  const cookie = answered.get('set-cookie')?.split(';')[0];
  return async (path, content) => (await send(path, content, { Cookie: cookie })).json();
}

describe('tacet dev', () => {
  it('opens a console, in which a point is answered, and the service follows at once', async () => {
    const { write } = place();
    const file = write('notes.md', notes('(open)'));
    const { address, until } = await dev(file);
    const act = await inConsole(await until('console '));
    const addresses = ['endpoints["POST /notes"].response.status'];
    await act('/api/answer', { addresses, value: '201' });
    expect(await post(address)).toBe(201);
    expect(await until('now runs')).toContain(`${file}: 1 became stated; runs 2 of 2 operations\n`);
    const sent = {
      method: 'POST',
      target: '/notes',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"tea"}',
    };
    expect(await act('/api/send', sent)).toMatchObject({
      status: 201,
      recorded: { id: 2, operation: 'addNote', status: 201 },
    });
    expect(await kept(address)).toBe(2);
  });

  it('answers requests, by what was stated before, while a long document is read again', async () => {
    const { write } = place();
    const file = write('big.md', endpoints(true));
    const given = { values: { port: '0', data: `${file}.sqlite` }, positionals: [file] };
    const terminal = { out: () => {}, error: () => {}, environment: {}, colours: false };
    const follower = new Follower(given, { ...terminal, ended: new AbortController().signal }, {});
    await follower.start();
    const before = follower.reader;
    const ask = async (): Promise<number> => {
      const { status } = await fetch(`${follower.running?.service.address}/things0`);
      return status;
    };
    // The connection that it opens is used again.
    expect(await ask()).toBe(200);
    const followed = follower.update();
    expect(await ask()).toBe(200);
    const isAsBefore = follower.reader === before;
    await followed;
    expect([isAsBefore, follower.reader === before]).toEqual([true, false]);
    await follower.close();
  });

  it('answers a description in its ledger, which it takes from then on', async () => {
    const { write, path } = place();
    const get = { operationId: 'pulse', responses: { 200: { description: 'it lives' } } };
    const file = write(
      'api.json',
      JSON.stringify({ openapi: '3.1.0', info: { title: 'P', version: '1' }, paths: { '/pulse': { get } } }),
    );
    const { address, until } = await dev(file, '--no-guesses');
    const act = await inConsole(await until('console '));
    expect((await fetch(`${address}/pulse`)).status).toBe(501);
    const addresses = ['endpoints["GET /pulse"].does'];
    const answer = await act('/api/answer', {
      addresses,
      value: '(none)',
      why: 'it only says that it lives',
    });
    const ledger = join(path, 'api.assumptions.json');
    expect(answer).toMatchObject({ file: ledger });
    expect(await until('takes them')).toContain(
      `answers are kept in ${ledger}; --assume ${ledger} takes them the next time\n`,
    );
    expect((await fetch(`${address}/pulse`)).status).toBe(200);
  });

  it('goes on without a console if its page is not built, unless one was asked for', async () => {
    let error = '';
    const terminal = {
      out: () => {},
      error: (text: string) => {
        error += text;
      },
      environment: {},
      colours: false,
      ended: AbortSignal.abort(),
    };
    const open = (values: Record<string, string>) =>
      consoleOf({ values, positionals: ['notes.md'] }, terminal, {} as never, async () => {}, {
        files: null,
      });
    expect(await open({})).toBeNull();
    expect(error).toBe(`${unbuilt}; the service runs without it\n`);
    await expect(open({ console: '0' })).rejects.toThrow(unbuilt);
  });

  it('opens no console where none is asked for, and says where it may be', async () => {
    const { write } = place();
    const file = write('notes.md', notes('201'));
    const { printed, code } = begin(file, '--console', 'no');
    running[0]?.end();
    expect(await code).toBe(0);
    expect(printed()).not.toContain('console');
    expect(
      await tacet(['dev', file, '--console', 'here', '--port', '0', '--data', `${file}.sqlite`]),
    ).toMatchObject({
      code: 2,
      error: expect.stringContaining('--console here: a port is wanted, from 0 to 65535, or no'),
    });
  });

  it('goes on with a good edit, on the same port and data, and says what changed', async () => {
    const { write } = place();
    const file = write('notes.md', notes('(open)'));
    const { address, until, end } = await dev(file);
    expect(await post(address)).toBe(501);
    expect(await until('response.status')).toContain('open     endpoints["POST /notes"]');
    write('notes.md', notes('201'));
    expect(await until('now runs')).toBe(
      `${file}: 1 became stated; runs 2 of 2 operations\n  now runs: addNote\n`,
    );
    expect(await post(address)).toBe(201);
    write('notes.md', notes('202'));
    expect(await until('breaking')).toBe(`${file}: 1 breaking; runs 2 of 2 operations\n`);
    expect(await post(address)).toBe(202);
    expect(await kept(address)).toBe(2);
    write('notes.md', notes('(open)'));
    expect(await until('no longer')).toBe(
      `${file}: 1 breaking; runs 1 of 2 operations\n  runs no longer: addNote\n`,
    );
    expect(await end()).toBe(0);
  });

  it('goes on serving what was stated last while the document has errors', async () => {
    const { write } = place();
    const file = write('notes.md', notes('201'));
    const { address, until } = await dev(file);
    write('notes.md', notes('99'));
    const told = await until('still served');
    expect(told).toContain('bad-status');
    expect(told).toContain(`${file}: 1 error; what it stated before is still served\n`);
    expect(await post(address)).toBe(201);
    write('notes.md', notes('202'));
    await until('breaking');
    expect(await post(address)).toBe(202);
  });

  it('goes on where the data cannot be served under another identifier, and says why', async () => {
    const { write } = place();
    const file = write('notes.md', notes('201'));
    const { address, until } = await dev(file);
    expect(await post(address)).toBe(201);
    write('notes.md', notes('201', 'text'));
    expect(await until('still served')).toMatch(/identifier.*; what it stated before is still served\n$/);
    expect(await post(address)).toBe(201);
    expect(await kept(address)).toBe(2);
  });

  it('waits for a document that has errors when it begins', async () => {
    const { write } = place();
    const file = write('notes.md', notes('99'));
    const { until, printed } = begin(file);
    expect(await until('mended')).toContain(`${file}: 1 error; nothing is served until it is mended\n`);
    write('notes.md', notes('201'));
    await until('following');
    expect(await post(addressIn(printed()))).toBe(201);
  });

  it('sees a file that is replaced, deleted and made again, and one behind a link', async () => {
    const { path, write } = place();
    const file = write('notes.md', notes('201'));
    const link = join(path, 'link.md');
    symlinkSync(file, link);
    const { address, until } = await dev(link);
    write('new.md', notes('202'));
    renameSync(join(path, 'new.md'), file);
    await until('1 breaking');
    expect(await post(address)).toBe(202);
    rmSync(file);
    expect(await until('still served')).toBe(
      `${link} is a link to a file that is not there; what it stated before is still served\n`,
    );
    expect(await post(address)).toBe(202);
    write('notes.md', notes('200'));
    await until('1 breaking');
    expect(await post(address)).toBe(200);
  });

  it('follows every document of a folder, and the folder itself', async () => {
    const { path, write } = place();
    const [head, resources = ''] = notes('201').split('## Endpoints');
    write('a.md', head as string);
    write('b.md', `## Endpoints${resources}`);
    const { address, until } = await dev(path, '--data', join(folder.path, 'folder.sqlite'));
    write('b.md', `## Endpoints${resources.replace('201', '202')}`);
    await until('1 breaking');
    expect(await post(address)).toBe(202);
    renameSync(path, `${path}-away`);
    expect(await until('still served')).toContain(`there is no file ${path}`);
    cpSync(`${path}-away`, `${path}-back`, { recursive: true });
    renameSync(`${path}-back`, path);
    await until('states the same');
    writeFileSync(join(path, 'b.md'), `## Endpoints${resources}`);
    await until('1 breaking');
    expect(await post(address)).toBe(201);
  });

  it('follows the ledger', async () => {
    const { write } = place();
    const file = write('notes.md', notes('(open)'));
    const at = 'endpoints["POST /notes"].response.status';
    const ledger = write('ledger.json', JSON.stringify([{ at, value: 201, why: 'usual' }]));
    const { address, until } = await dev(file, '--assume', ledger);
    expect(await post(address)).toBe(201);
    write('ledger.json', '[]');
    await until('runs no longer: addNote');
    expect(await post(address)).toBe(501);
  });

  it('does not begin where there is no document, or the port is taken', async () => {
    expect(await tacet(['dev', 'nowhere.md'])).toMatchObject({
      code: 2,
      error: 'tacet: there is no file nowhere.md\nhelp: tacet dev --help\n',
    });
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const { write } = place();
    const file = write('notes.md', notes('201'));
    expect(await tacet(['dev', file, '--port', String(port), '--data', `${file}.sqlite`])).toMatchObject({
      code: 2,
      error: `tacet: 127.0.0.1:${port} is in use; name another with --port\nhelp: tacet dev --help\n`,
    });
    taken.close();
  });
});

describe('watching', () => {
  it('tells of several saves once, when it has been quiet', async () => {
    const { path, write } = place();
    const file = write('a.md', '1');
    const timers: { action: () => void; cancelled: boolean }[] = [];
    let waiting = (): void => {};
    let told = 0;
    const watcher = watch(
      [file],
      () => {
        told += 1;
      },
      (_milliseconds, action) => {
        const timer = { action, cancelled: false };
        timers.push(timer);
        waiting();
        return () => {
          timer.cancelled = true;
        };
      },
    );
    const next = (): Promise<void> =>
      new Promise((resolve) => {
        waiting = resolve;
      });
    for (const content of ['2', '3', '4']) {
      const due = next();
      write('a.md', content);
      await due;
    }
    expect(timers.filter(({ cancelled }) => !cancelled)).toHaveLength(1);
    expect(told).toBe(0);
    timers.at(-1)?.action();
    expect(told).toBe(1);
    writeFileSync(join(path, 'b.md'), 'no part of it');
    const due = next();
    write('a.md', '5');
    await due;
    watcher.close();
    expect(timers.filter(({ cancelled }) => !cancelled)).toEqual([]);
    expect(told).toBe(1);
  });
});
