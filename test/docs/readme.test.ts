import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');
const tacet = resolve('bin/tacet.js');
const folder = mkdtempSync(join(tmpdir(), 'tacet-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The documents that the README writes: a block of Markdown whose info string names a file. */
for (const [, name, content] of readme.matchAll(/^````markdown (\S+)\n([\s\S]*?)^````$/gm))
  writeFileSync(join(folder, name as string), content as string);
cpSync('examples', join(folder, 'examples'), { recursive: true });

/** Blocks of `$ command` and what it prints; the word after `console` is the document that is served meanwhile. */
const blocks = [...readme.matchAll(/^```console(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, served, text]) => {
  const [first, ...printed] = (text as string).split('\n');
  return { served, command: (first as string).replace(/^\$ /, ''), printed: printed.join('\n').trim() };
});

/** What the operator gives, as the README says it; by document, and nothing where the document wants nothing. */
const credentials = new Map([
  ['examples/broker.md', { TACET_CREDENTIALS: /TACET_CREDENTIALS='([^']*)'/.exec(readme)?.[1] }],
]);

async function served<T>(
  document: string,
  use: (address: string, log: () => string) => Promise<T>,
): Promise<T> {
  const file = document === 'todo' ? 'examples/todo.md' : document;
  const data = join(mkdtempSync(join(folder, 'data-')), 'data.sqlite');
  const child = spawn(process.execPath, [tacet, 'serve', file, '--port', '0', '--data', data], {
    cwd: folder,
    env: { ...process.env, ...credentials.get(file) },
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (address) return await use(address, () => log);
    }
    throw new Error(`the service told no address: ${log}`);
  } finally {
    child.kill('SIGKILL');
  }
}

/** What differs from run to run, made equal; and a line of `…` stands for any lines. */
function normal(text: string, address: string): string {
  return text
    .replaceAll('\r', '')
    .replaceAll(address, 'http://127.0.0.1:8080')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\n{2,}/g, '\n')
    .replace(/^Date: .*$/gm, 'Date: DATE')
    .replace(/^Content-Length: [1-9]\d*$/gm, 'Content-Length: LENGTH')
    .trim();
}

function matches(printed: string, expected: string): boolean {
  const pattern = expected
    .split('\n')
    .map((line) =>
      line === '…' ? '[\\s\\S]*' : line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*'),
    )
    .join('\n');
  return new RegExp(`^${pattern}$`).test(printed);
}

/** The words of a command line, as a shell reads single quotes. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? (plain as string));
}

async function printedBy(command: string): Promise<string> {
  const [program, ...args] = words(command.replace(/^npx tacet/, `${process.execPath} ${tacet}`));
  const { stdout } = await run(program as string, program === 'curl' ? ['-sS', ...args] : args, {
    cwd: folder,
  });
  return stdout;
}

describe('the README', () => {
  it('has examples to run', () => expect(blocks.length).toBeGreaterThan(2));

  it.each(blocks)(
    'shows what happens: $command',
    async ({ served: document, command, printed: expected }) => {
      const [printed, address] = document
        ? await served(document, async (at, log) => {
            const out = await printedBy(command.replaceAll('http://127.0.0.1:8080', at));
            return [`${out}\n${log()}`, at] as const;
          })
        : [await printedBy(command), 'http://127.0.0.1:8080'];
      const [found, wanted] = [normal(printed, address), normal(expected, address)];
      if (wanted === '') expect(found).not.toBe('');
      else if (!matches(found, wanted)) expect(found).toBe(wanted);
    },
  );
});
