import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../listening.ts';
import { isLong } from '../long.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

// As if tacet were installed there.
mkdirSync(join(folder, 'tacet'));
writeFileSync(join(folder, 'tacet/package.json'), '{ "type": "module", "exports": "./index.js" }');
writeFileSync(
  join(folder, 'tacet/index.js'),
  `export * from ${JSON.stringify(pathToFileURL(resolve('src/index.ts')))};\n`,
);
mkdirSync(join(folder, 'node_modules'));
symlinkSync(join(folder, 'tacet'), join(folder, 'node_modules/tacet'));
symlinkSync(resolve('node_modules/vitest'), join(folder, 'node_modules/vitest'));
copyFileSync('docs/projects/notes.md', join(folder, 'notes.md'));

/** A folder of a project. Both test by one document, so that one search does for both. */
function folderOf(name: string): string {
  const made = join(folder, 'projects', name);
  mkdirSync(made, { recursive: true });
  mkdirSync(join(folder, 'plans'), { recursive: true });
  symlinkSync(join(folder, 'plans'), join(made, '.tacet'));
  copyFileSync('docs/projects/notes.md', join(folder, 'projects/notes.md'));
  return made;
}

/** Has a file of a project search in memory for a shorter time than it says, but in the long form. */
function shorten(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  if (!isLong) writeFileSync(file, text.replace(from, to));
}

const run = async (file: string, args: readonly string[], cwd = folder): Promise<string> =>
  (await promisify(execFile)(file, [...args], { cwd, timeout: 100_000 })).stdout;

describe('the examples of docs/library.md', () => {
  const text = readFileSync('docs/library.md', 'utf8');
  const examples = [...text.matchAll(/```ts\n([\s\S]*?)```\n\nIt prints `([^`]*)`/g)];

  it.each(examples.map(([, code = '', printed = '']) => [printed, code]))(
    'print %s',
    async (printed, code) => {
      const file = join(folder, `example-${examples.findIndex((each) => each[1] === code)}.ts`);
      writeFileSync(file, code);
      expect((await run(process.execPath, [file])).trim()).toBe(printed);
    },
  );

  it('are all of them', () => {
    expect(examples.length).toBe((text.match(/```ts/g) ?? []).length);
  });
});

describe('the example projects', () => {
  it('test a service by Vitest', async () => {
    const project = folderOf('vitest');
    for (const name of ['package.json', 'notes.js', 'notes.test.js'])
      copyFileSync(join('docs/projects/vitest', name), join(project, name));
    shorten(join(project, 'notes.test.js'), 'searchMs: 3000', 'searchMs: 500');
    const out = await run(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run'], project);
    expect(out).toContain('1 passed');
    const notes = readFileSync(join(project, 'notes.js'), 'utf8');
    writeFileSync(join(project, 'notes.js'), notes.replace('length <= 200', 'length <= 201'));
    const failed = await run(
      process.execPath,
      [resolve('node_modules/vitest/vitest.mjs'), 'run'],
      project,
    ).catch((error: { stdout: string; stderr: string }) => error.stdout + error.stderr);
    expect(failed).toContain('resources.Note.fields.text.maxLength');
  });

  it('test a service in another language', async () => {
    const project = folderOf('python');
    copyFileSync('docs/projects/python/notes.py', join(project, 'notes.py'));
    const script = readFileSync('docs/projects/python/check.sh', 'utf8');
    const tacet = `${process.execPath} ${resolve('bin/tacet.js')}`;
    writeFileSync(join(project, 'check.sh'), script.replace('npx tacet', tacet));
    shorten(join(project, 'check.sh'), 'PT3S', 'PT0.5S');
    const out = await run('sh', ['check.sh', String(await freePort())], project);
    expect(out).toMatch(/^in order: no violation; /);
  });
});
