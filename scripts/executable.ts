/**
 * Writes a single executable for this system to `dist/tacet-…`: Node with the package and what it depends on. At its
 * first start it unpacks these into the user's cache, since an addon and a thread are loaded from files.
 *
 * @see https://nodejs.org/api/single-executable-applications.html
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';

const { version, files } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  files: readonly string[];
};
const system = `${process.platform}-${process.arch}`;
const output = `dist/tacet-${version}-${system}`;
const scratch = mkdtempSync(join(tmpdir(), 'tacet-executable-'));

try {
  execFileSync('npm', ['run', '-s', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const packed = archive([...carried(), ...dependencies()]);
  const launcher = readFileSync('scripts/executable/launcher.cjs', 'utf8');
  const name = `${version}-${createHash('sha256').update(packed).digest('hex').slice(0, 12)}`;
  writeFileSync(join(scratch, 'package.zst'), packed);
  writeFileSync(join(scratch, 'launcher.cjs'), launcher.replace('NAME', name));
  writeFileSync(
    join(scratch, 'sea.json'),
    JSON.stringify({
      main: join(scratch, 'launcher.cjs'),
      output,
      disableExperimentalSEAWarning: true,
      execArgvExtension: 'none',
      assets: { package: join(scratch, 'package.zst') },
    }),
  );
  execFileSync(process.execPath, ['--build-sea', join(scratch, 'sea.json')], { stdio: 'inherit' });
  const size = (statSync(output).size / 1e6).toFixed(0);
  process.stdout.write(`${output}: ${size} MB\n`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** The files of the package, as `files` of package.json lists them. */
function carried(): string[] {
  const folders = files.filter((one) => !one.startsWith('!'));
  const isLeftOut = (file: string): boolean =>
    file.startsWith('docs/.vitepress') || file.startsWith('dist/tacet-');
  return ['package.json', ...folders.flatMap(filesIn)].filter((file) => !isLeftOut(file));
}

/** The files of what the package depends on at run time, of addons those for this system. */
function dependencies(): string[] {
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { encoding: 'utf8' });
  const folders = listed
    .trim()
    .split('\n')
    .map((folder) => relative('.', folder));
  const addon = `prebuilds/${system}.node`;
  return [...new Set(folders.filter((folder) => folder.startsWith('node_modules')).flatMap(filesIn))].filter(
    (file) =>
      !/\.(md|map|ts|cc|cpp|c|h|mts|cts)$/.test(file) &&
      !/better-sqlite3\/(deps|src)\//.test(file) &&
      (!file.includes('/prebuilds/') || file.endsWith(addon)),
  );
}

function filesIn(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Names and lengths as JSON in a first line, and then all contents. */
function archive(names: readonly string[]): Buffer {
  const all = [...new Set(names)].sort().map((name) => ({ name, content: readFileSync(name) }));
  const list = JSON.stringify(all.map(({ name, content }) => [name, content.length]));
  const whole = Buffer.concat([Buffer.from(`${list}\n`), ...all.map(({ content }) => content)]);
  return zstdCompressSync(whole, { params: { [constants.ZSTD_c_compressionLevel]: 15 } });
}
