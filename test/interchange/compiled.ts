import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What TypeScript finds wrong with files in a folder, each a text by its name, under its strict rules. */
export function faults(
  folder: string,
  files: Readonly<Record<string, string>>,
  lib: string = 'es2022',
): string[] {
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--skipLibCheck', 'false'];
  const others = [
    '--ignoreConfig',
    '--types',
    '',
    '--lib',
    lib,
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ];
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const compiler = join(root, 'node_modules/.bin/tsc');
  const { stdout, status } = spawnSync(compiler, [...options, ...others, ...Object.keys(files)], {
    cwd: folder,
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return status === 0 || lines.length > 0 ? lines : [`tsc ended with ${status}`];
}
