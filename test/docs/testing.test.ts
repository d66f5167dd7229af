import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { tacet, temporaryFolder } from '../cli/terminal.ts';

const page = readFileSync('docs/testing.md', 'utf8');
const reports = readFileSync('docs/reports.md', 'utf8');
const { path } = temporaryFolder();
const ended = new AbortController().signal;

/** The words in the first column of a table, by its heading. */
function words(heading: string): readonly string[] {
  const [, table = ''] =
    new RegExp(`^\\| ${heading} \\|.*\\n\\|---.*\\n((?:\\|.*\\n)+)`, 'm').exec(reports) ?? [];
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, word]) => word as string);
}

/** The command in the folder of this test, as its words. */
function inFolder(command: string): readonly string[] {
  const [, , ...args] = command.split(/\s+/);
  return args.map((word) => word.replace(/^(?=todo\.md$)|(?<==)(?=report\.)/, `${path}/`));
}

describe('docs/testing.md and docs/reports.md', () => {
  it('names the formats of reports that there are, and no other', async () => {
    const { error } = await tacet(['test', 'examples/todo.md', '--report', 'unheard-of'], { ended });
    const [, known = ''] = /there are (.*)/.exec(error) ?? [];
    expect([...words('format')].sort()).toEqual(known.split(', ').sort());
  });

  it('names the events that there are, and no other', () => {
    const schema = JSON.parse(readFileSync('schemas/test-events.schema.json', 'utf8')) as {
      properties: { kind: { enum: readonly string[] } };
    };
    expect([...words('event')].sort()).toEqual([...schema.properties.kind.enum].sort());
  });

  it('shows a command that does what it says', async () => {
    const [, command = '', printed = ''] = /```console\n\$ (.*)\n([\s\S]*?)```/.exec(page) ?? [];
    cpSync('examples/todo.md', join(path, 'todo.md'));
    const { code, out } = await tacet([...inFolder(command), '--walks', '240'], { ended });
    expect(code).toBe(0);
    const [first, last] = [printed.split('\n')[0], printed.trimEnd().split('\n').at(-1)];
    const form = (last ?? '').split('…').map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    expect(out.split('\n')[0]).toBe(first);
    expect(out).toMatch(new RegExp(`^${form.join('\\d+')}$`, 'm'));
    for (const name of ['report.html', 'report.xml']) expect(existsSync(join(path, name))).toBe(true);
  });

  it('shows steps of CI whose options there are', async () => {
    const [, steps = ''] = /```yaml\n(- run:[\s\S]*?)```/.exec(page) ?? [];
    const [{ run }] = parse(steps) as [{ run: string }];
    const { error } = await tacet(inFolder(run), { ended });
    // All it lacks is the document.
    expect(error).toBe('tacet: there is no file specification.md\nhelp: tacet test --help\n');
  });
});
