import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTodo } from '../../faulty/todo.ts';
import { listening, type Running } from '../../listening.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path, file } = temporaryFolder();
const ended = new AbortController().signal;
const document = file('todo.md', readFileSync('examples/todo.md'));
const folder = join(path, 'sequences');

let faulty: Running;
let mended: Running;
beforeAll(async () => {
  [faulty, mended] = [await startTodo('remove answers 200'), await startTodo(null)];
});
afterAll(async () => {
  await faulty.close();
  await mended.close();
});

const test = (url: string, ...args: readonly string[]) =>
  tacet(['test', document, '--url', url, '--walks', '160', ...args], { ended });

describe('tacet test --sequences and --replay', () => {
  it('write the shortest way to each kind of violation, and play it again', async () => {
    const { code, out } = await test(faulty.url, '--sequences', folder);
    expect(code).toBe(1);
    expect(out).toMatch(/\n {2}before {4}POST http:\S+ \{"title":.+ → 201\n/);
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'));
    const sequence = join(folder, name);
    const still = await test(faulty.url, '--replay', sequence);
    expect(still.code).toBe(1);
    expect(still.out).toMatch(/\nstill violates: \d requests came to the same\n$/);
    const gone = await test(mended.url, '--replay', sequence);
    expect(gone.code).toBe(0);
    expect(gone.out).toMatch(/, and was .+\n\nconforms now: the answers are what is stated\n$/);
  });

  it('tell by an exit code of its own that nothing leads there any more', async () => {
    const barred = await listening(createServer((_request, response) => void response.writeHead(503).end()));
    const [name = ''] = readdirSync(folder);
    const { code, out } = await test(barred.url, '--replay', join(folder, name));
    await barred.close();
    expect(code).toBe(3);
    expect(out).toMatch(
      /\nthe sequence no longer leads there: request \d went another way, and the answers say nothing of the statement\n$/,
    );
  });

  it('say what is no sequence', async () => {
    const other = file('other.json', '{"version":2}');
    expect(await test(mended.url, '--replay', other)).toMatchObject({
      code: 2,
      error: expect.stringContaining('other.json holds no sequence, as --sequences writes it'),
    });
    expect((await test(mended.url, '--replay', join(path, 'none.json'))).code).toBe(2);
  });
});
