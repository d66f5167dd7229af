import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

// What the package carries is few files, since to find and load each takes time at every start. What it depends on at
// run time is installed beside it; whatever else is used becomes part of it.
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

export default defineConfig({
  input: { index: 'src/index.ts', 'cli/main': 'src/cli/main.ts' },
  platform: 'node',
  external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
  output: { dir: 'dist', chunkFileNames: 'shared/[name]-[hash].js' },
  plugins: [{ name: 'licences', generateBundle }],
});

/** Adds the licences of the packages that became part of it. */
function generateBundle(_options, bundle) {
  const packages = new Set(
    Object.values(bundle).flatMap(({ moduleIds = [] }) =>
      moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
    ),
  );
  const licences = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} ${version} carries no licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  this.emitFile({ type: 'asset', fileName: 'LICENCES', source: licences.join(`\n${'-'.repeat(80)}\n\n`) });
}
