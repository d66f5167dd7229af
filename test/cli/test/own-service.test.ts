import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: temporary } = temporaryFolder();
const { file } = temporaryFolder();
const running = new AbortController().signal;
const todo = file('todo.md', readFileSync('examples/todo.md'));

/** Who may ask is the operator's to say. */
const held = file(
  'held.yaml',
  `
name: Keys
complete: true
service: { actors: { machine: whatever has a key } }
resources: { Note: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } } } } }
endpoints:
  POST /notes: { operation: write, does: create Note, response: { status: 201, body: Note } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: operator, actor: machine, wrong: refuse } }
  authorization: { write: known }
`,
);

beforeAll(() => {
  vi.stubEnv('TMPDIR', temporary);
  return () => vi.unstubAllEnvs();
});

/** What is loaded with handlers, and has the process killed by its twentieth request. */
const killedByRequest = `
import { subscribe } from 'node:diagnostics_channel';
let count = 0;
subscribe('http.server.request.start', () => {
  count += 1;
  if (count === 20) process.kill(process.pid, 'SIGKILL');
});
`;

const left = (): readonly string[] => readdirSync(temporary).filter((name) => name.startsWith('tacet-'));

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

describe('tacet test without --url', () => {
  it('starts the service that is stated, tests it, ends it and leaves nothing behind', async () => {
    const { code, out, error } = await tacet(['test', todo, '--walks', '120', '--json'], { ended: running });
    const report = JSON.parse(out) as { url: string; inOrder: boolean; requests: number };
    expect([code, error, report.inOrder]).toEqual([0, '', true]);
    expect(report.requests).toBeGreaterThan(100);
    expect(report.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([await isAnswering(report.url), left()]).toEqual([false, []]);
  });

  it('makes the credentials that are the operator’s to give, where none are given', async () => {
    const { code, out } = await tacet(['test', held, '--walks', '48', '--verbose'], { ended: running });
    expect(code).toBe(0);
    expect(out).toMatch(/conforms +POST \/notes: an answer is as endpoints/);
    const given = { TACET_CREDENTIALS: '{"key":{"robot":"k-robot"}}' };
    const mine = await tacet(['test', held, '--walks', '48', '--report', 'ndjson'], {
      ended: running,
      environment: given,
    });
    expect(mine.code).toBe(0);
    // What is kept, and shown to others, holds no secret that was given.
    expect(mine.out).toContain('["X-Key","{credentials.key.robot}"]');
    expect(mine.out).not.toContain('k-robot');
  });

  it('refuses credentials of a scheme that part 5 does not state: else every request would be refused', async () => {
    const environment = { TACET_CREDENTIALS: '{"kee":{"robot":"k-robot"}}' };
    for (const url of [[], ['--url', 'http://127.0.0.1:9']]) {
      const { code, error } = await tacet(['test', held, ...url], { ended: running, environment });
      expect(code).toBe(2);
      expect(error).toContain('the credentials name kee, which is no scheme of part 5: it states key');
    }
  });

  it('ends it when it is asked to end, in the midst of a scenario', async () => {
    const ending = new AbortController();
    const [written, error]: [string[], string[]] = [[], []];
    const code = await tacet(['test', todo, '--report', 'ndjson'], {
      ended: ending.signal,
      out: (text) => {
        written.push(text);
        if (text.includes('"kind":"exchange"')) ending.abort('SIGINT');
      },
      error: (text) => void error.push(text),
    });
    expect([code.code, error]).toEqual([2, ['tacet: ended before all was tested\n']]);
    expect(written.filter((text) => text.includes('"exchange"'))).toHaveLength(1);
    const [, url] = /"url":"([^"]+)"/.exec(written.join('')) ?? [];
    expect([await isAnswering(url as string), left()]).toEqual([false, []]);
  });

  it('says that it ended by itself, and blames nobody for what was left', async () => {
    const fatal = file('fatal.mjs', killedByRequest);
    const { code, out, error } = await tacet(['test', todo, '--handlers', fatal], { ended: running });
    expect([code, out, left()]).toEqual([2, '', []]);
    expect(error).toMatch(/^tacet: ended before all was tested\ntacet: its own service ended by itself\n/);
  });

  it('says why it did not start', async () => {
    const { code, out, error } = await tacet(['test', todo, '--handlers', 'nowhere.ts'], { ended: running });
    expect([code, out, left()]).toEqual([2, '', []]);
    expect(error).toMatch(/^tacet: its own service did not start\ntacet: nowhere\.ts cannot be loaded: /);
  });

  it('says why it did not start where the document leaves something to the operator', async () => {
    const told = file(
      'told.yaml',
      'name: Told\nevents: { kinds: {}, envelope: (none), delivery: { ledger: { webhook: operator } } }\n',
    );
    const { code, error } = await tacet(['test', told], { ended: running });
    expect([code, left()]).toEqual([2, []]);
    expect(error).toContain("where ledger delivers to is the operator's to say");
  });

  it('asks for the functions that its operations call', async () => {
    const called = file(
      'called.yaml',
      'name: Called\nendpoints: { POST /sums: { does: { handled: sum, gives: { type: integer } }, response: 204 } }\n',
    );
    const { code, out, error } = await tacet(['test', called], { ended: running });
    expect([code, out, left()]).toEqual([2, '', []]);
    expect(error).toMatch(/^tacet: its own service lacks the function sum: --handlers FILE\n/);
  });

  it('takes nothing for a service that it does not start', async () => {
    const { code, error } = await tacet(['test', todo, '--url', 'http://127.0.0.1:9', '--after', 'A.b=P1D']);
    expect(code).toBe(2);
    expect(error).toContain('--after is for the service that is started where no --url is given');
  });
});

/** Each call goes on for 30 days, and who is called is told again after an hour where the first notice failed. */
const slow = file(
  'slow.yaml',
  `
name: Slow
complete: true
resources:
  Loan:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      status: { type: string }
states:
  Loan.status:
    states: [lent, due]
    initial: lent
    transitions: { call: { from: lent, to: due, after: P30D } }
endpoints:
  POST /loans: { operation: lend, does: create Loan, response: { status: 201, body: Loan } }
  GET /loans/{id}: { operation: read, does: read Loan, response: { status: 200, body: Loan } }
authentication: (none)
`,
);

describe('the clock of the service that tacet test starts', () => {
  /** Whether a loan was seen after its timer. */
  const isSeenDue = async (...args: readonly string[]): Promise<boolean> => {
    const words = ['test', slow, '--walks', '80', '--report', 'ndjson', ...args];
    const { out } = await tacet(words, { ended: running });
    return out.includes(String.raw`\"status\":\"due\"`);
  };

  it('lets days pass where they are waited for', async () => {
    expect(await isSeenDue()).toBe(true);
  });

  it('keeps to the patience that is asked for', async () => {
    expect(await isSeenDue('--patience', 'P29D')).toBe(false);
  });
});
