import { renameSync, rmSync } from 'node:fs';
import { build } from 'vite';

// Builds the page of the console to `console/`, which the package carries. It is made beside it and takes its place at
// once, so that whoever opens a console meanwhile finds a whole page.
const [target, made, former] = ['console', `console.${process.pid}.new`, `console.${process.pid}.old`];

await build({ root: 'src/console/page', build: { outDir: `../../../${made}` } });
try {
  renameSync(target, former);
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
}
renameSync(made, target);
rmSync(former, { recursive: true, force: true });
