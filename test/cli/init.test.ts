import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { status } from '../../src/report/status.ts';
import { at } from '../../src/source/text.ts';
import { read } from '../../src/specification/read.ts';
import { parts } from '../../src/specification/reading/address.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const folder = temporaryFolder();

describe('tacet init', () => {
  it('writes a document in which every part is open, and says what to do next', async () => {
    const file = join(folder.path, 'parcel-desk.md');
    expect(await tacet(['init', file])).toEqual({
      code: 0,
      out: [
        `${file} is written: nine parts, all of them open`,
        '',
        `  tacet dev ${file}     serves it, and follows each edit`,
        `  tacet status ${file}  shows what is stated, what is open, and what to answer first`,
        `  ${'tacet init --list'.padEnd(`tacet status ${file}`.length)}  names examples to begin with instead`,
        '',
      ].join('\n'),
      error: '',
    });
    const { specification, diagnostics } = read('x.md', readFileSync(file, 'utf8'));
    expect(diagnostics).toEqual([]);
    expect(specification.name).toBe('Parcel desk');
    expect(status(specification).parts.map(({ part, state }) => [part, state])).toEqual(
      parts.map((part) => [part, 'open']),
    );
    // Each part has a heading of its own, with a sentence under it.
    const lines = readFileSync(file, 'utf8').split('\n');
    for (const part of parts) {
      const line = Number(at(specification.places.get(part) as never).split(':')[1]);
      expect(lines[line - 1]).toMatch(/^## /);
      expect(lines[line + 1]).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('writes an example, which reads without a fault', async () => {
    for (const name of readdirSync('examples').map((file) => file.replace(/\.md$/, ''))) {
      const file = join(folder.path, `example-${name}.md`);
      expect((await tacet(['init', file, '--example', name])).code).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(`examples/${name}.md`, 'utf8'));
      expect((await tacet(['check', file])).code).toBe(0);
    }
  });

  it('writes AGENTS.md beside a document, of commands and options that there are', async () => {
    const document = join(folder.path, 'for-agents.md');
    expect(await tacet(['init', document, '--agents'])).toMatchObject({
      code: 0,
      out: `${join(folder.path, 'AGENTS.md')} is written: how an agent works with for-agents.md\n`,
    });
    const written = readFileSync(join(folder.path, 'AGENTS.md'), 'utf8');
    const commands = [...written.matchAll(/npx tacet (?!COMMAND)([a-z]+)([^`]*)/g)];
    expect(new Set(commands.map(([, name]) => name))).toEqual(
      new Set(['check', 'explain', 'status', 'next', 'assume', 'serve', 'why', 'test', 'diff', 'mcp']),
    );
    for (const [, name = '', rest = ''] of commands) {
      const { out } = await tacet([name, '--help']);
      for (const [option] of rest.matchAll(/--[a-z-]+/g))
        expect([name, out]).toEqual([name, expect.stringContaining(option)]);
    }
    const before = await tacet(['init', document, '--agents']);
    expect([before.code, before.error]).toEqual([2, expect.stringContaining('overwrites nothing')]);
    expect((await tacet(['init', document, '--agents', '--example', 'todo'])).code).toBe(2);
  });

  it('lists the examples, each with its title', async () => {
    const { code, out } = await tacet(['init', '--list']);
    expect(code).toBe(0);
    const listed = out
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(/ {2,}/));
    expect(listed.map(([name]) => name)).toEqual(
      readdirSync('examples')
        .map((file) => file.replace(/\.md$/, ''))
        .sort(),
    );
    expect(listed).toContainEqual(['todo', 'A to-do list']);
  });

  it('overwrites nothing', async () => {
    const file = folder.file('mine.md', '# Mine\n');
    expect(await tacet(['init', file])).toEqual({
      code: 2,
      out: '',
      error: `tacet: ${file} is there already, and init overwrites nothing\nhelp: tacet init --help\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('# Mine\n');
  });

  it.each([
    [['x.yaml'], 'x.yaml is no name for Markdown: end it in .md'],
    [['x.md', 'y.md'], 'one document at a time, and y.md is a second one'],
    [['x.md', '--example', 'none'], expect.stringMatching(/^there is no example none; there are .*\btodo\b/)],
    [[join('nowhere', 'x.md')], `there is no folder for ${join('nowhere', 'x.md')}`],
  ])('refuses %j', async (argv, message) => {
    const { code, out, error } = await tacet(['init', ...argv]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(/^tacet: (.*)\nhelp: tacet init --help\n$/.exec(error)?.[1]).toEqual(message);
  });

  it('refuses the name of a folder', async () => {
    const name = join(folder.path, 'folder.md');
    mkdirSync(name);
    expect((await tacet(['init', name])).error).toContain(`${name} is there already`);
  });
});
