import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const files = [
  '.changeset/config.json',
  'CHANGELOG.md',
  'deploy/helm/tacet/Chart.yaml',
  'editors/vscode/package.json',
  'package-lock.json',
  'package.json',
  'scripts/release.ts',
];

/** A clone with only what a release changes, or reads. */
function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-release-'));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  git(folder, 'init', '-q', '-b', 'main');
  return folder;
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-C', folder, ...args]);
}

it('a release writes the version of the changesets everywhere, and what is unreleased under it', () => {
  const folder = clone();
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const versionOf = (file: string): string => (JSON.parse(read(file)) as { version: string }).version;
  const [major, minor] = versionOf('package.json').split('.');
  const next = `${major}.${Number(minor) + 1}.0`;
  writeFileSync(join(folder, '.changeset/one.md'), '---\n"tacet": minor\n---\n\nOne more command\n');
  const unreleased = read('CHANGELOG.md').split('\n## Unreleased\n')[1];

  execFileSync('npm', ['run', '-s', 'release:version'], { cwd: folder });

  for (const file of ['package.json', 'package-lock.json', 'editors/vscode/package.json'])
    expect(versionOf(file)).toBe(next);
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as typeof lock;
  expect(lock.packages).toEqual({ ...packages, '': { ...packages[''], version: next } });
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: unknown };
  expect(workspaces).toEqual(['test/clients']);
  expect(read('deploy/helm/tacet/Chart.yaml')).toContain(`\nversion: ${next}\nappVersion: ${next}\n`);
  expect(read('CHANGELOG.md')).toContain(`\n## Unreleased\n\n## ${next}\n${unreleased}`);
  expect(() => read('.changeset/one.md')).toThrow();
});
