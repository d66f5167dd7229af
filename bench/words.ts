// Measures lists that are searched by words, and items in groups: npm run bench:words [-- --items N --store URL]
// To compare, give the command line of another checkout: -- --tacet ../other/bin/tacet.js
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Answer, ask } from './client.ts';
import { start } from './server.ts';
import { spread } from './statistics.ts';
import { entriesOf, wordOf, words } from './words/entries.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '15' },
    store: { type: 'string' },
    tacet: { type: 'string', default: join(root, 'bin', 'tacet.js') },
  },
});
const [items, rounds] = [Number(values.items), Number(values.rounds)];
const pieceItems = 500;

const scratch = mkdtempSync(join(tmpdir(), 'tacet-words-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const says = (text: string): void => void process.stdout.write(`${text}\n`);

const all = entriesOf(items);
const [frequent, rare] = [wordOf(0), wordOf(words - 1)];
const server = await start(
  {
    name: 'tacet',
    args: (port, folder) => [
      ...[values.tacet, 'serve', join(root, 'bench', 'words', 'entries.yaml'), '--port', String(port)],
      ...(values.store ? ['--store', values.store] : ['--data', join(folder, 'entries.sqlite')]),
    ],
    list: '/entries?size=1',
    pathOf: () => '',
    serves: 'the whole',
  },
  mkdtempSync(join(scratch, 'data-')),
);
try {
  const begun = performance.now();
  for (let first = 0; first < items; first += pieceItems) {
    const entries = all.slice(first, first + pieceItems);
    await succeeds('POST', '/batches', JSON.stringify({ entries }));
  }
  const seconds = (performance.now() - begun) / 1000;
  says(`${items} items in ${seconds.toFixed(1)} s, ${pieceItems} in a request`);
  says('\nmilliseconds for an answer (median, low, high)');
  for (const [title, path] of [
    ['20 without a search', '/entries'],
    ['20 of a word that no item has', '/entries?q=nothing'],
    ['20 of a rare word', `/entries?q=${rare}`],
    ['20 of two words', `/entries?q=${wordOf(100)}+${wordOf(200)}`],
    ['20 of two letters', `/entries?q=${rare.slice(0, 2)}`],
    ['20 of a letter', '/entries?q=b'],
    ['20 of a frequent word', `/entries?q=${frequent}`],
    ['20 of a rare word, and how many there are', `/counted?q=${rare}`],
    ['20 of a frequent word, and how many there are', `/counted?q=${frequent}`],
    ['20 of a search without a word', '/entries?q=+'],
    ['sums of the items of each day', '/days'],
  ] as const)
    says(`  ${title.padEnd(46)} ${await milliseconds(path)}`);
} finally {
  await server.stop();
}

async function milliseconds(path: string): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < rounds + 2; round += 1) {
    const begun = performance.now();
    await succeeds('GET', path);
    times.push(performance.now() - begun);
  }
  const { median, low, high } = spread(times.slice(2));
  return [median, low, high].map((one) => one.toFixed(1).padStart(8)).join('');
}

async function succeeds(method: string, path: string, content?: string): Promise<Answer> {
  const answer = await ask(server.url, { method, path, ...(content !== undefined && { content }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer;
}
