import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { movedBy } from '../../../src/cli/serve/moved-clock.ts';
import { wholeLines } from '../../../src/cli/serve/workers/lines.ts';
import { selfSigned } from '../../../src/conformance/events/certificate.ts';
import { absence, made } from '../../service/store/postgres.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder, file } = temporaryFolder();
const program = fileURLToPath(new URL('../../../bin/tacet.js', import.meta.url));
const missing = await absence();

const text = `name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: refuse
  PUT /notes/{id}: { operation: put, does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  GET /notes/{id}: { operation: get, does: read Note, response: { status: 200, body: Note } }
  POST /slow: { operation: slow, does: { handled: slow }, response: 204 }
  POST /stuck: { operation: stuck, does: { handled: stuck }, response: 204 }
`;
const document = file('notes.yaml', text);
const begun = file('begun', '');
const functions = file(
  'slow.ts',
  `import { appendFileSync } from 'node:fs';
export const slow = () => new Promise((resolve) => {
  appendFileSync(${JSON.stringify(begun)}, '.');
  setTimeout(resolve, 300);
});
export const stuck = () => {
  appendFileSync(${JSON.stringify(begun)}, '.');
  for (;;);
};
`,
);

interface Crew {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ops: string;
  readonly said: () => { readonly out: string; readonly error: string };
  /** Waits until something was printed. */
  readonly until: (what: RegExp) => Promise<RegExpExecArray>;
  readonly end: () => Promise<void>;
}

let runs = 0;

/** Serves with several processes until the test is over. */
async function crew(words: readonly string[] = [], at?: string): Promise<Crew> {
  const running = await started(words, at);
  onTestFinished(running.end);
  return running;
}

async function started(words: readonly string[], at?: string): Promise<Crew> {
  const data = at ? ['--store', at] : ['--data', `${folder}/notes-${runs++}.sqlite`];
  const child = spawn(
    process.execPath,
    [program, 'serve', document, '--port', '0', '--ops', '0', '--workers', '2', ...data, ...words],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'close');
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  let [out, error] = ['', ''];
  const looks = new Set<() => void>();
  const heard = (): void => {
    for (const look of looks) look();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    heard();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    error += text;
    heard();
  });
  const until = (what: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = what.exec(out + error);
        if (found) resolve(found);
      };
      looks.add(look);
      look();
      void ended.then(() => reject(new Error(`it ended: ${error}`)));
    });
  const [, url = '', ops = ''] = await until(/address +(\S+)[\s\S]*ops +(\S+)\/live[\s\S]*runs/);
  return { child, url, ops, until, said: () => ({ out, error }), end };
}

interface Asked {
  readonly method?: string;
  readonly body?: string;
  readonly ca?: string;
}

/** A request on a connection of its own, so that whichever worker is next answers it. */
function send(
  url: string,
  { method = 'GET', body, ca }: Asked = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { method, ca, agent: false, headers: { 'Content-Type': 'application/json' } };
    const request = (url.startsWith('https') ? https : http).request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}
const put = ({ url }: Crew, id: string, text: string): Promise<{ status: number }> =>
  send(`${url}/notes/${id}`, { method: 'PUT', body: JSON.stringify({ text }) });
const get = async ({ url }: Crew, id: string): Promise<string> => (await send(`${url}/notes/${id}`)).text;
const metric = async ({ ops }: Crew, name: string): Promise<number> => {
  const text = await (await fetch(`${ops}/metrics`)).text();
  const rows = text.split('\n').filter((line) => line.startsWith(name));
  return rows.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

/** Asks again until it is so, but not so often that the asking takes the processor from what is waited for. */
async function soon(isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { timeout: 60_000, interval: 20 }).toBe(true);
}
const isWhole = (running: Crew): Promise<void> =>
  soon(async () => (await metric(running, 'tacet_workers')) === 2);

/** The lines that the log of requests has so far, with none that is under way. */
const linesOf = ({ said }: Crew): readonly string[] => said().out.split('\n').slice(0, -1);

async function writesAndReads(running: Crew): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await put(running, 'a', `${turn}`)).status).toBe(204);
    // Three requests a turn: connections go to two workers in turn, so that each has its share of all.
    for (let again = 0; again < 2; again += 1)
      expect(await get(running, 'a')).toBe(`{"id":"a","text":"${turn}"}`);
  }
}

describe('processes of one service, one that writes and one that reads', () => {
  let running: Crew;
  beforeAll(async () => {
    running = await started(['--log', 'json']);
    return () => running.end();
  });

  it('read on one port what was written on it, and tell of all of them together', async () => {
    expect(running.said().error).toContain('workers  1 process that writes and reads, 1 that reads');
    await writesAndReads(running);
    const { ops } = running;
    expect(await (await fetch(`${ops}/live`)).text()).toBe('live\n');
    expect(await (await fetch(`${ops}/ready`)).text()).toBe('ready\n');
    expect(await metric(running, 'tacet_workers')).toBe(2);
    expect(await metric(running, 'http_server_request_duration_seconds_count')).toBe(60);
  });

  it('print whole lines, whichever of them they come from', async () => {
    await soon(async () => linesOf(running).length === 60);
    const long = 'x'.repeat(9000);
    await Promise.all(Array.from({ length: 60 }, (_, one) => send(`${running.url}/${one}/${long}`)));
    await soon(async () => linesOf(running).length >= 120);
    const paths = linesOf(running)
      .slice(60)
      .map((line) => (JSON.parse(line) as { path: string }).path);
    expect(paths.sort()).toEqual(Array.from({ length: 60 }, (_, one) => `/${one}/${long}`).sort());
  });

  it('are not ready while the one that writes is away', async () => {
    const [writer = 0] = workersOf(running.child.pid as number);
    process.kill(writer, 'SIGSTOP');
    const [live, ready] = await Promise.all(['live', 'ready'].map((path) => fetch(`${running.ops}/${path}`)));
    expect([live?.status, await live?.text()]).toEqual([503, 'not live: worker 1 does not answer\n']);
    expect([ready?.status, await ready?.text()]).toEqual([503, 'not ready: worker 1 does not answer\n']);
    process.kill(writer, 'SIGCONT');
    expect((await fetch(`${running.ops}/live`)).status).toBe(200);
  });

  it('do not start where one of them cannot, and say why once', async () => {
    const { port } = new URL(running.url);
    const child = spawn(
      process.execPath,
      [program, 'serve', document, '--port', port, '--data', `${folder}/other.sqlite`, '--workers', '2'],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    onTestFinished(() => void child.kill());
    let said = '';
    for await (const text of child.stderr.setEncoding('utf8')) said += text;
    expect(said).toBe(
      `tacet: 127.0.0.1:${port} is in use; name another with --port\nhelp: tacet serve --help\n`,
    );
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(2);
  });

  it.each([
    ['the one that writes', 1, 'writes'],
    ['one that reads', 2, 'reads'],
  ])('are begun again if %s dies, which is said; what was answered is kept', async (_, number, does) => {
    const restarts = await metric(running, 'tacet_worker_restarts');
    await put(running, 'a', 'kept');
    const pids = workersOf(running.child.pid as number);
    process.kill(pids[number - 1] as number, 'SIGKILL');
    await running.until(
      new RegExp(
        `worker ${number} \\(${does}, process ${pids[number - 1]}\\) ended by SIGKILL; another one takes its place`,
      ),
    );
    await isWhole(running);
    expect(await metric(running, 'tacet_worker_restarts')).toBe(restarts + 1);
    expect((await fetch(`${running.ops}/ready`)).status).toBe(200);
    expect(await get(running, 'a')).toBe('{"id":"a","text":"kept"}');
    await writesAndReads(running);
  });

  it.each([
    ['is away', null, /tacet: .*notes\.yaml/],
    ['is another', `${text}\n`, /tacet: the document has changed since the service was started/],
  ])('are tried again where one cannot start as its document %s', async (_, other, why) => {
    renameSync(document, `${document}.former`);
    if (other !== null) file('notes.yaml', other);
    process.kill(workersOf(running.child.pid as number)[1] as number, 'SIGKILL');
    await running.until(why);
    renameSync(`${document}.former`, document);
    await isWhole(running);
    expect((await put(running, 'a', 'on')).status).toBe(204);
  });
});

describe('tacet serve --workers', () => {
  it.skipIf(missing !== null)('runs equal processes on PostgreSQL', async () => {
    const { address, drop } = await made();
    afterAll(drop);
    const running = await crew([], address);
    expect(running.said().out).toContain('workers  2 equal processes');
    await writesAndReads(running);
    expect(await metric(running, 'tacet_workers')).toBe(2);
  });

  it('answers what is under way when it is asked to end, and ends', async () => {
    const running = await crew(['--handlers', functions]);
    const slow = Array.from({ length: 6 }, () => send(`${running.url}/slow`, { method: 'POST' }));
    await soon(async () => readFileSync(begun).length === 6);
    running.child.kill('SIGTERM');
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 204]);
    expect(await once(running.child, 'close')).toEqual([0, null]);
    expect(running.said().error).toBe('');
  });

  it('kills a worker that does not end, and says so', async () => {
    const running = await crew(['--handlers', functions, '--grace', 'PT0.1S']);
    const before = readFileSync(begun).length;
    const stuck = send(`${running.url}/stuck`, { method: 'POST' }).catch(() => 'cut');
    await soon(async () => readFileSync(begun).length > before);
    running.child.kill('SIGTERM');
    expect(await once(running.child, 'close')).toEqual([0, null]);
    expect(running.said().error).toMatch(/^worker 1 \(writes, process \d+\) does not end; it is killed\n$/);
    expect(await stuck).toBe('cut');
  });

  it('hands the key and certificate of the files to all, and new ones on SIGHUP', async () => {
    const [first, second] = [0, 1].map(() => selfSigned(['127.0.0.1'], Date.now()));
    const [key, cert] = [file('w.key', first?.key ?? ''), file('w.cert', first?.certificate ?? '')];
    const running = await crew(['--tls-key', key, '--tls-cert', cert]);
    const statuses = async (ca = ''): Promise<number[]> => {
      const all = Array.from({ length: 4 }, () => send(`${running.url}/nowhere`, { ca }));
      return (await Promise.all(all)).map(({ status }) => status);
    };
    expect(await statuses(first?.certificate)).toEqual([404, 404, 404, 404]);
    file('w.key', second?.key ?? '');
    file('w.cert', second?.certificate ?? '');
    running.child.kill('SIGHUP');
    await running.until(/TLS: \S+w\.cert is in use/);
    await soon(() =>
      statuses(second?.certificate).then(
        () => true,
        () => false,
      ),
    );
    await expect(statuses(first?.certificate)).rejects.toThrow('self-signed certificate');
    const [writer = 0] = workersOf(running.child.pid as number);
    process.kill(writer, 'SIGKILL');
    await running.until(/another one takes its place/);
    await isWhole(running);
    expect(await statuses(second?.certificate)).toEqual([404, 404, 404, 404]);
  });

  it.each([
    [['--workers', '0'], '--workers 0: a whole number from 1 to 256 is wanted'],
    [['--workers', 'many'], '--workers many: a whole number from 1 to 256 is wanted'],
    [['--workers', '2', '--console', '0'], '--console shows the requests of one process'],
    [
      ['--workers', '2', '--store', 'postgres://nobody@127.0.0.1/none', '--limits', 'process'],
      '--limits process counts in each worker apart',
    ],
  ])('refuses %j', async (words, message) => {
    const { code, error } = await tacet(['serve', document, ...words]);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses a description in another format of which nothing is kept', async () => {
    const openapi = file(
      'openapi.yaml',
      'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: { /pets: { get: { responses: { "200": { description: all } } } } }\n',
    );
    const { code, error } = await tacet(['serve', openapi, '--workers', '2']);
    expect([code, error]).toEqual([2, expect.stringContaining('--workers needs --data FILE or --store URL')]);
  });

  it('refuses a clock that a tester moves', async () => {
    const environment = { [movedBy]: '1' };
    const { code, error } = await tacet(['serve', document, '--workers', '2'], { environment });
    expect([code, error]).toEqual([2, expect.stringContaining('tacet test moves the clock of one process')]);
  });
});

describe('what a worker prints', () => {
  it('is passed on in whole lines, and the rest once it has ended', async () => {
    const stream = new PassThrough();
    const printed: string[] = [];
    wholeLines(stream, (text) => printed.push(text));
    for (const piece of ['one\ntw', 'o\nthree\nfo', 'ur'])
      await new Promise((resolve) => stream.write(piece, resolve));
    stream.end();
    await once(stream, 'end');
    expect(printed).toEqual(['one\n', 'two\nthree\n', 'four\n']);
  });
});

/** The processes of the workers, in the order of their seats. */
function workersOf(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
  const seat = (pid: string): number =>
    (
      JSON.parse(/TACET_WORKER=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1] ?? '{}') as {
        number: number;
      }
    ).number;
  return children.sort((a, b) => seat(a) - seat(b)).map(Number);
}
