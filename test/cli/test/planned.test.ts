import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tacet, temporaryFolder } from '../terminal.ts';

const { file } = temporaryFolder();
const document = file('todo.md', readFileSync('examples/todo.md'));

describe('tacet test --plan', () => {
  it('lists the statements of which a deviation would not be noticed, and the share', async () => {
    const { code, out } = await tacet(['test', document, '--plan', '--seed', '2']);
    expect(code).toBe(0);
    expect(out).toMatch(/^A to-do list\n\d+ walks of \d+ requests, seed 2\n\n/);
    expect(out).toMatch(
      /\nnot noticed: nobody can say .+\n(.+\n)* {2}\S+ {2}\S+todo\.md:\d+:\d+\n {4}it is left out\n/,
    );
    const [, whole, statements] =
      /\n(\d+) of (\d+) statements: any deviation would be noticed\n/.exec(out) ?? [];
    expect(Number(whole)).toBeGreaterThan(Number(statements) / 2);
    const [, told, all, share] = /\n(\d+) of (\d+) deviations would be noticed: (\d+) %\n$/.exec(out) ?? [];
    expect(Number(share)).toBe(Math.floor((100 * Number(told)) / Number(all)));
    expect(Number(share)).toBeGreaterThan(85);
  });

  it('takes no address: it sends nothing', async () => {
    const { code, error } = await tacet(['test', document, '--plan', '--url', 'http://127.0.0.1:1']);
    expect(code).toBe(2);
    expect(error).toContain('--plan sends nothing, so it takes no --url');
  });
});

describe('tacet test --thorough', () => {
  it('sends what the search found, and says what the run would not notice', async () => {
    const { signal: ended } = new AbortController();
    const { code, out } = await tacet(['test', document, '--thorough', '--walks', '0', '--only', 'addTodo'], {
      ended,
    });
    expect(code).toBe(0);
    expect(out).toContain('\na deviation from these statements would not be noticed\n');
    expect(out).toMatch(/\nno violation; .+; a deviation from \d+ statements would not be noticed\n/);
  });

  it('is not for a run that sends nothing', async () => {
    const { code, error } = await tacet(['test', document, '--plan', '--thorough']);
    expect(code).toBe(2);
    expect(error).toContain('--plan sends nothing, so it takes no --thorough');
  });
});
