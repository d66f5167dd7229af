import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTodo } from '../../faulty/todo.ts';
import type { Running } from '../../listening.ts';
import { type Printed, tacet, tacetIn, temporaryFolder } from '../terminal.ts';

const { file, path } = temporaryFolder();
const document = file('todo.md', readFileSync('examples/todo.md'));

describe('tacet test --plan', () => {
  it('lists the statements of which a deviation would not be noticed, and the share', async () => {
    const { code, out } = await tacet(['test', document, '--plan', '--seed', '2', '--search', 'PT0.3S']);
    expect(code).toBe(0);
    expect(out).toMatch(/^A to-do list\n\d+ walks? of \d+ requests, seed 2\n\n/);
    expect(out).toMatch(
      /\nnot noticed: nobody can say .+\n(.+\n)* {2}\S+ {2}\S+todo\.md:\d+:\d+\n {4}it is left out\n/,
    );
    const [, whole, statements] =
      /\n(\d+) of (\d+) statements: any deviation would be noticed\n/.exec(out) ?? [];
    expect(Number(whole)).toBeGreaterThan(Number(statements) / 2);
    const [, told, all, share] = /\n(\d+) of (\d+) deviations would be noticed: (\d+) %\n$/.exec(out) ?? [];
    expect(Number(share)).toBe(Math.floor((100 * Number(told)) / Number(all)));
    expect(Number(share)).toBeGreaterThan(70);
  });

  it('writes all that was found with --json', async () => {
    const { code, out } = await tacet(['test', document, '--plan', '--json', '--search', 'PT0.1S']);
    expect(code).toBe(0);
    const { walks, deviations } = JSON.parse(out);
    expect(walks[0].requests.length).toBe(walks[0].waits.length);
    expect(deviations).toContainEqual('errors.order: it is left out');
  });

  it('takes no address: it sends nothing', async () => {
    const { code, error } = await tacet(['test', document, '--plan', '--url', 'http://127.0.0.1:1']);
    expect(code).toBe(2);
    expect(error).toContain('--plan sends nothing, so it takes no --url');
  });
});

describe('tacet test --search', () => {
  const words = ['--walks', '48', '--search', 'PT0.1S', '--searches', '1', '--only', 'addTodo'];
  const todo = readFileSync('examples/todo.md', 'utf8');
  const plans = join(path, '.tacet/plans');
  let service: Running;
  beforeAll(async () => {
    service = await startTodo(null);
  });
  afterAll(() => service.close());

  /** Tests the service from within the folder, where plans are kept. */
  const running = (...more: readonly string[]): Promise<Printed> =>
    tacetIn(path, ['test', document, '--url', service.url, ...words, ...more], {
      ended: new AbortController().signal,
    });

  it('sends what the search found, and says what the run would not notice', async () => {
    const { code, out, error } = await running();
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('\na deviation from these statements would not be noticed\n');
    expect(out).toMatch(/\nno violation; .+; a deviation from \d+ statements? would not be noticed\n/);
  });

  it('takes what an earlier search found, until the document is another one', async () => {
    const [kept = ''] = readdirSync(plans);
    // Of a plan without walks, nothing is told.
    const { walks: _, ...rest } = JSON.parse(readFileSync(join(plans, kept), 'utf8'));
    writeFileSync(join(plans, kept), JSON.stringify({ ...rest, walks: [], untold: [] }));
    expect((await running()).out).not.toContain('would not be noticed');
    file('todo.md', `${todo}\n`);
    expect((await running()).out).toContain('would not be noticed');
    expect(readdirSync(plans)).toHaveLength(2);
  });

  it('searches anew where what is kept cannot be read', async () => {
    for (const kept of readdirSync(plans)) writeFileSync(join(plans, kept), '{"walks":');
    const { code, out } = await running();
    expect([code, out.includes('would not be noticed')]).toEqual([0, true]);
  });

  it('fails with --strict where a deviation would not be noticed', async () => {
    const { code, out } = await running('--strict');
    expect(code).toBe(1);
    expect(out).toMatch(
      /a deviation would not be noticed: from \d+ statements?, and each must be \(--strict\)/,
    );
  });

  it('keeps nothing where no folder can be made, and ends', () => {
    const { file, path } = temporaryFolder();
    const document = file('todo.md', readFileSync('examples/todo.md'));
    file('.tacet', '');
    const words = ['test', document, '--plan', '--search', 'PT0.1S'];
    const { status, stdout } = spawnSync(process.execPath, [resolve('bin/tacet.js'), ...words], {
      cwd: path,
      encoding: 'utf8',
    });
    expect([status, stdout.includes('would be noticed')]).toEqual([0, true]);
  });

  it.each(['0', 'two'])('takes a number of searches, and not %s', async (searches) => {
    const { code, error } = await tacet(['test', document, '--plan', '--searches', searches]);
    expect(code).toBe(2);
    expect(error).toContain(`${searches} is no number of searches: from 1 to 99`);
  });

  it('tells more, the more searches there are', async () => {
    const counted = async (searches: string): Promise<number> => {
      const { out } = await tacet(['test', document, '--plan', '--search', 'PT0.1S', '--searches', searches]);
      return Number(/\n(\d+) of \d+ deviations would be noticed/.exec(out)?.[1]);
    };
    expect(await counted('3')).toBeGreaterThan(await counted('1'));
  });

  it('takes a duration', async () => {
    const { code, error } = await tacet(['test', document, '--search', 'long']);
    expect(code).toBe(2);
    expect(error).toContain('long is no --search: a duration such as PT30S or PT1M');
  });
});
