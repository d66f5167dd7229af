import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';
import { licences } from './scripts/licences.ts';

// What the package carries is few files, since to find and load each takes time at every start. What it depends on at
// run time is installed beside it; whatever else is used becomes part of it.
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

export default defineConfig({
  input: { index: 'src/index.ts', 'cli/main': 'src/cli/main.ts' },
  platform: 'node',
  external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
  output: { dir: 'dist', chunkFileNames: 'shared/[name]-[hash].js' },
  plugins: [{ name: 'licences', generateBundle: licences }],
});
