import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { tacet as run, temporaryFolder } from '../cli/terminal.ts';
import { isLong } from '../long.ts';
import { consolesOf, expectShown, filesOf, printedBy, shownAddress } from './console-blocks.ts';

const tacet = resolve('bin/tacet.js');
const { path: root } = temporaryFolder();

/** The pages whose commands are typed in a folder that has the examples. */
const pages = ['README.md', 'docs/open-points.md', 'docs/examples.md'];

async function served<T>(
  folder: string,
  document: string,
  page: string,
  use: (address: string, log: () => string) => Promise<T>,
): Promise<T> {
  const file = document === 'todo' ? 'examples/todo.md' : document;
  const data = join(mkdtempSync(join(folder, 'data-')), 'data.sqlite');
  const [, credentials] = /TACET_CREDENTIALS='([^']*)'/.exec(page) ?? [];
  const child = spawn(process.execPath, [tacet, 'serve', file, '--port', '0', '--data', data], {
    cwd: folder,
    env: { ...process.env, ...(credentials && { TACET_CREDENTIALS: credentials }) },
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

/** A test searches in memory for half a minute of two processes: as a reader has it only in the long form. */
const searchedNot = (command: string): string =>
  isLong || !/^npx tacet test /.test(command) || command.includes('--search')
    ? command
    : `${command} --search PT0S`;

const typedIn = (folder: string, command: string): Promise<string> => {
  const typed = searchedNot(command).replace(/^npx tacet/, `${process.execPath} ${tacet}`);
  return printedBy(`cd ${folder}; ${typed}`, new Map());
};

describe.each(pages)('%s', (path) => {
  const page = readFileSync(path, 'utf8');
  const folder = mkdtempSync(join(root, 'page-'));
  cpSync('examples', join(folder, 'examples'), { recursive: true });
  for (const { name, content } of filesOf(page)) writeFileSync(join(folder, name), content);
  const blocks = consolesOf(page).flatMap(({ served: document, typed }) =>
    typed.map((one) => ({ document, ...one })),
  );

  it('has examples to run', () => expect(blocks.length).toBeGreaterThan(0));

  it.each(blocks)('shows what happens: $command', async ({ document, command, printed }) => {
    const found = document
      ? await served(folder, document, page, async (address, log) => {
          const out = await typedIn(folder, command.replaceAll(shownAddress, address));
          return `${out}\n${log()}`.replaceAll(address, shownAddress);
        })
      : await typedIn(folder, command);
    expectShown(found, printed, new Map());
  });
});

it('README.md is short', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThan(151);
});

it('docs/commands.md tells of each command', async () => {
  const { error } = await run(['unheard-of']);
  const [, names = ''] = /there are (.*)/.exec(error) ?? [];
  const told = [...readFileSync('docs/commands.md', 'utf8').matchAll(/`tacet ([a-z]+)/g)].map(
    ([, name]) => name,
  );
  expect(names.split(', ').filter((name) => !told.includes(name))).toEqual([]);
});
