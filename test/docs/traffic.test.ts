import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tacet, temporaryFolder } from '../cli/terminal.ts';

const page = readFileSync('docs/traffic.md', 'utf8');
const { path } = temporaryFolder();
cpSync('examples/todo.md', join(path, 'todo.md'));

/** The console block whose command begins so: its words, and what is printed. */
function shown(command: string): { readonly argv: readonly string[]; readonly printed: string } {
  const blocks = [...page.matchAll(/```console\n\$ npx tacet (.*)\n([\s\S]*?)```/g)];
  const [, words = '', printed = ''] = blocks.find(([, words = '']) => words.startsWith(command)) ?? [];
  const argv = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? (plain as string),
  );
  return { argv: argv.map((word) => word.replace(/^(?=(todo|traffic|before)\.)/, `${path}/`)), printed };
}

const url = 'http://127.0.0.1:8080';

function entry(
  second: number,
  method: string,
  target: string,
  status: number,
  body?: object,
  answer?: object,
): object {
  const headers =
    method === 'POST' ? [{ name: 'Location', value: `${url}/a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50` }] : [];
  return {
    startedDateTime: new Date(Date.parse('2026-05-01T10:00:00Z') + second * 1000).toISOString(),
    time: 5,
    request: {
      method,
      url: `${url}${target}`,
      headers: body ? [{ name: 'Content-Type', value: 'application/json' }] : [],
      ...(body && { postData: { text: JSON.stringify(body) } }),
    },
    response: { status, headers, content: answer ? { text: JSON.stringify(answer) } : {} },
  };
}

const made = { title: 'milk', completed: false, url: `${url}/a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50` };
const entries = [
  entry(0, 'POST', '/', 201, { title: 'milk' }, made),
  entry(1, 'GET', '/a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', 200, undefined, { ...made, completed: true }),
  entry(2, 'GET', '/a/b', 404),
];
writeFileSync(join(path, 'traffic.har'), JSON.stringify({ log: { entries } }));

describe('docs/traffic.md', () => {
  it('shows what tacet judge prints', async () => {
    const { argv, printed } = shown('judge');
    const { code, out } = await tacet(argv);
    expect(out.replaceAll(`${path}/`, '')).toBe(printed);
    expect(code).toBe(1);
  });

  it('shows what tacet why prints', async () => {
    writeFileSync(join(path, 'todo.json'), JSON.stringify({ title: 'milk' }));
    const { argv, printed } = shown('why');
    const { code, out } = await tacet(argv);
    expect(out.replaceAll(`${path}/`, '')).toBe(printed);
    expect(code).toBe(0);
  });

  it('shows requests that come before', async () => {
    const [, list = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    writeFileSync(join(path, 'before.json'), list);
    const { out } = await tacet(['why', 'examples/todo.md', 'GET /', '--after', join(path, 'before.json')]);
    expect(out).toContain('"title": "milk"');
    expect(out).toContain('"title": "more milk"');
  });
});
