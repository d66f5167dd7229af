#!/usr/bin/env node
// Every Node that knows modules must be able to parse this file, or the line below never reaches its reader.
import { existsSync } from 'fs';
import module from 'module';
import { fileURLToPath } from 'url';

const found = process.versions.node.split('.').map(Number);
const supported = found[0] > 22 || (found[0] === 22 && found[1] >= 18);
const source = new URL('../src/cli/main.ts', import.meta.url);
const checkout = existsSync(fileURLToPath(new URL('../src', import.meta.url)));

if (supported) {
  // What was compiled is kept among the temporary files, so that the next command starts in half the time.
  module.enableCompileCache();
  const entry = checkout ? source : new URL('../dist/cli/main.js', import.meta.url);
  import(entry.href)
    .then((cli) => cli.main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
} else {
  const advice = checkout
    ? 'run "npm ci" once, then "npx tacet" or an npm script, which use the Node pinned here'
    : 'install a later Node';
  process.stderr.write(
    'tacet needs Node 22.18 or later, and this is Node ' + process.versions.node + ': ' + advice + '.\n',
  );
  process.exitCode = 2;
}
