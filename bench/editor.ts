// Measures how fast tacet lsp answers about a document of 1,000 endpoints: npm run bench:editor
// It starts the server as an editor does, sends each request fifty times, and once more while the document is read.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { endpoints, resources } from './endpoints.ts';

const rounds = 50;
const uri = 'file:///bench/big.md';

const content = endpoints();
const lines = content.split('\n');
const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text));
const at = (text: string, character: number) => ({ line: lineOf(text), character });

function start(): { readonly connection: MessageConnection; readonly end: () => void } {
  const tacet = fileURLToPath(new URL('../bin/tacet.js', import.meta.url));
  const child = spawn(process.execPath, [tacet, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  return { connection, end: () => child.kill() };
}

const { connection, end } = start();
let told = Promise.withResolvers<void>();
connection.onNotification('textDocument/publishDiagnostics', () => told.resolve());

async function read(change: () => Promise<void>): Promise<number> {
  told = Promise.withResolvers();
  const begun = performance.now();
  await change();
  await told.promise;
  return performance.now() - begun;
}

const requests: Readonly<Record<string, object>> = {
  completion: { position: at('does: update Thing150', 4) },
  hover: { position: at('does: update Thing150', 4) },
  definition: { position: at('does: update Thing150', 17) },
  references: { position: at('does: update Thing150', 17), context: { includeDeclaration: true } },
  documentSymbol: {},
  'semanticTokens/full': {},
  codeAction: {
    range: { start: at('does: update Thing150', 4), end: at('does: update Thing150', 4) },
    context: { diagnostics: [] },
  },
  prepareRename: { position: at('does: update Thing150', 17) },
};

async function took(method: string): Promise<number> {
  const begun = performance.now();
  await connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, ...requests[method] });
  return performance.now() - begun;
}

let version = 1;
/** A space more in the title, or less: nothing else moves. */
const edit = (): Promise<void> => {
  version += 1;
  return connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [
      { range: { start: { line: 0, character: 5 }, end: { line: 0, character: 5 } }, text: 'x' },
    ],
  });
};

const shown = (ms: number): string => ms.toFixed(1).padStart(9);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
await connection.sendNotification('initialized', {});
const first = await read(() =>
  connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'markdown', version, text: content },
  }),
);
print(`${resources * 5} endpoints, ${content.length} characters, ${lines.length} lines`);
print(`first reading, from opening to diagnostics: ${shown(first)} ms`);
for (let n = 0; n < 3; n += 1) await read(edit);
const again = [await read(edit), await read(edit), await read(edit)].sort((a, b) => a - b);
print(`a reading after an edit, with its pause:    ${shown(again[1] ?? 0)} ms`);
print('\nrequest                 median       p95    slowest    while it reads (ms)');
for (const method of Object.keys(requests)) {
  const times: number[] = [];
  for (let n = 0; n < rounds; n += 1) times.push(await took(method));
  times.sort((a, b) => a - b);
  const [middle, high, last] = [times[rounds >> 1], times[Math.floor(rounds * 0.95)], times.at(-1)];
  // It asks until the reading has ended, and keeps the slowest.
  const reading = read(edit);
  let isRead = false;
  void reading.then(() => {
    isRead = true;
  });
  let slowest = 0;
  while (!isRead) slowest = Math.max(slowest, await took(method));
  print(`${method.padEnd(20)}${[middle, high, last, slowest].map((one) => shown(one ?? 0)).join(' ')}`);
}
end();
