import { describe, expect, it, onTestFinished } from 'vitest';
import { noStandby, primary, standby } from '../../service/store/standby.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { file } = temporaryFolder();

const document = file(
  'notes.yaml',
  `name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string, maxLength: 9 } } }
endpoints:
  others: refuse
  PUT /notes/{id}: { operation: put, does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  GET /notes/{id}: { operation: get, does: read Note, response: { status: 200, body: Note } }
`,
);

describe('tacet serve --read-store', () => {
  it.each([
    [[], '--read-store is a standby of a database; name that with --store postgres://…'],
    [['--data', 'x.sqlite'], '--read-store is a standby of a database; name that with --store postgres://…'],
    [['--store', 'postgres://a/b', '--read-store', 'x'], '--read-store is postgres://USER@HOST/DATABASE'],
  ])('is refused where it says nothing: %j', async (words, expected) => {
    const given = ['serve', document, '--read-store', 'postgres://c/d', ...words];
    const { code, error } = await tacet(given);
    expect([code, error]).toEqual([2, expect.stringContaining(expected)]);
  });

  it.skipIf(noStandby !== null)(
    'reads a standby, says where it is read no more, and stays ready',
    { timeout: 60_000 },
    async () => {
      const main = await primary();
      onTestFinished(main.remove);
      const other = await standby(main);
      onTestFinished(other.remove);
      const end = new AbortController();
      const started = Promise.withResolvers<readonly [string, string]>();
      let [out, error] = ['', ''];
      const ended = tacet(['serve', document, '--port', '0', '--store', main.address, '--ops', '0'], {
        environment: { TACET_READ_STORE: other.address },
        ended: end.signal,
        error: (text) => {
          error += text;
        },
        out: (text) => {
          out += text;
          const [, url, ops] = /address +(\S+)[\s\S]*ops +(\S+)\/live/.exec(out) ?? [];
          if (url !== undefined && ops !== undefined) started.resolve([url, ops]);
        },
      });
      ended.then((over) => started.reject(new Error(over.error)));
      const [url, ops] = await started.promise;
      const metrics = async (): Promise<string> => (await fetch(`${ops}/metrics`)).text();
      const body = JSON.stringify({ text: 'one' });
      const headers = { 'Content-Type': 'application/json' };
      expect((await fetch(`${url}/notes/a`, { method: 'PUT', headers, body })).status).toBe(204);
      const readThen = async (): Promise<string> => {
        expect(await (await fetch(`${url}/notes/a`)).json()).toEqual({ id: 'a', text: 'one' });
        return metrics();
      };
      await expect
        .poll(readThen, { timeout: 20_000 })
        .toMatch(/^tacet_reads_total\{store="replica"\} [1-9]/m);
      expect(await metrics()).toMatch(/^tacet_replica_up 1$/m);
      await other.kill();
      await expect.poll(readThen, { timeout: 20_000 }).toMatch(/^tacet_replica_up 0$/m);
      expect(await metrics()).toMatch(/^tacet_reads_total\{store="primary"\} [1-9]/m);
      expect((await fetch(`${ops}/ready`)).status).toBe(200);
      expect(error).toMatch(/cannot be used as a replica: .*; the store is read in its place/);
      end.abort();
      expect((await ended).code).toBe(0);
    },
  );
});
