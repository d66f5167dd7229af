/**
 * Runs changesets: `node scripts/release.ts add`, `version` or `publish`. After `version`, the version of the package is
 * in all files that carry it, and what the changelog lists as unreleased is listed under it.
 *
 * The package is the root of its repository. Changesets find no root that has workspaces besides, so they are run
 * without them.
 *
 * @see CONTRIBUTING.md
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [command = 'add'] = process.argv.slice(2);

process.exitCode = withoutWorkspaces(
  () => spawnSync('changeset', [command], { stdio: 'inherit' }).status ?? 1,
);
if (command === 'version' && process.exitCode === 0) complete();

function withoutWorkspaces<T>(run: () => T): T {
  const before = readFileSync('package.json', 'utf8');
  const [workspaces = ''] = /^ {2}"workspaces": \[[^\]]*\],\n/m.exec(before) ?? [];
  writeFileSync('package.json', before.replace(workspaces, ''));
  try {
    return run();
  } finally {
    edit('package.json', (text) => text.replace(/^ {2}"engines":/m, (next) => `${workspaces}${next}`));
  }
}

function complete(): void {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const named = (indent: string): string => `${indent}"version": "${version}"`;
  edit('editors/vscode/package.json', (text) =>
    text.replace(/^( {2})"version": "[^"]+"/m, (_, of) => named(of)),
  );
  // The first two are those of the package; all others are of what it needs.
  let left = 2;
  edit('package-lock.json', (text) =>
    text.replace(/^( {2}| {6})"version": "[^"]+"/gm, (whole, of) => (left-- > 0 ? named(of) : whole)),
  );
  edit('deploy/helm/tacet/Chart.yaml', (text) =>
    text.replace(/^(version|appVersion): .+$/gm, (_, key: string) => `${key}: ${version}`),
  );
  edit('CHANGELOG.md', (text) =>
    text.includes(`\n## ${version}\n`)
      ? text
      : text.replace('\n## Unreleased\n', `\n## Unreleased\n\n## ${version}\n`),
  );
}

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after !== before) writeFileSync(file, after);
}
