import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { headings } from '../../src/specification/reading/document.ts';
import { tacet, temporaryFolder } from '../cli/terminal.ts';
import {
  blocksOf,
  type ConsoleBlock,
  expectShown,
  printedBy,
  type ShownFile,
  shownAddress,
} from './console-blocks.ts';
import { gradeOf } from './grade.ts';

const chapters = readdirSync('docs/tutorial')
  .filter((name) => /^\d/.test(name))
  .sort();
const textOf = (name: string): string => readFileSync(`docs/tutorial/${name}`, 'utf8');
const { path: folder, file } = temporaryFolder();
/** Where `tacet serve` stores by default. */
const data = join(folder, '.tacet', 'karaoke.sqlite');
const known = new Map<string, string>();
const ended = new AbortController().signal;
let environment: Record<string, string> = {};

/** Writes a file as the page shows it, or what it says of one. */
function write({ name, part, content }: ShownFile): void {
  file(name, part === '' ? content : stating(readFileSync(join(folder, name), 'utf8'), part, content));
}

/** The document with the head or a part stating this; with `+`, below what the part states already. */
function stating(document: string, part: string, content: string): string {
  if (part === 'head') return document.replace(/(?<=^```yaml\n)[\s\S]*?(?=^```)/m, content);
  const [key, isMore] = part.split(' ') as [keyof typeof headings, string?];
  const heading = `\n## ${headings[key]}\n`;
  const [before = '', rest = ''] = document.split(heading);
  const [body = '', ...others] = rest.split(/^(?=## )/m);
  const kept = isMore ? body : (body.split('```yaml')[0] as string);
  const block = `${kept.trimEnd()}\n\n\`\`\`yaml\n${content}\`\`\`\n${others.length > 0 ? '\n' : ''}`;
  return [before, heading, block, ...others].join('');
}

/** Runs a command of a page in the folder of the tutorial. */
async function answerTo(command: string): Promise<string> {
  if (!command.startsWith('npx tacet ')) return printedBy(`cd ${folder}; ${command}`, known);
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)]
    .slice(2)
    .map(([, quoted, plain = '']) => quoted ?? plain);
  if (words[0] === 'events') words.push('--data', data);
  const { out, error } = await tacet(
    words.map((word) => (/^[\w.-]+\.(md|svg)$/.test(word) ? join(folder, word) : word)),
    { ended, environment },
  );
  return `${out}${error}`.replaceAll(`${folder}/`, '');
}

/** The document as `tacet serve` runs it, or the program of somebody else; where it answers, and what it logs. */
async function served(
  name: string,
  use: (address: string, log: () => string) => Promise<void>,
): Promise<void> {
  if (name.endsWith('.mjs')) {
    const child = spawn(process.execPath, [join(folder, name)], { env: { ...process.env, PORT: '0' } });
    try {
      const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
      await use(String(value), () => '');
    } finally {
      child.kill('SIGKILL');
    }
    return;
  }
  const end = new AbortController();
  const found = Promise.withResolvers<string>();
  let log = '';
  const words = ['serve', join(folder, name), '--port', '0', '--data', data];
  const running = main(words, {
    out: (text) => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (address) found.resolve(address);
    },
    error: (text) => {
      log += text;
    },
    environment,
    colours: false,
    ended: end.signal,
  });
  try {
    const address = await Promise.race([found.promise, running.then(() => Promise.reject(new Error(log)))]);
    await use(address, () => log.replaceAll(`${folder}/`, ''));
  } finally {
    end.abort();
    await running;
  }
}

async function type({ served: name, typed }: ConsoleBlock): Promise<void> {
  const typeAll = async (address: string, log: () => string): Promise<void> => {
    const shown = name.endsWith('.mjs') ? 'http://127.0.0.1:3000' : shownAddress;
    for (const { command, printed } of typed) {
      const answer = await answerTo(command.replaceAll(shown, address));
      expectShown(`${answer}\n${log()}`.replaceAll(address, shown), printed, known);
    }
  };
  await (name === '' ? typeAll(shownAddress, () => '') : served(name, typeAll));
}

describe('the tutorial', () => {
  it('has five chapters', () => expect(chapters).toHaveLength(5));

  it.each(chapters)('does what it shows: %s', async (name) => {
    const text = textOf(name);
    const [, credentials] = /TACET_CREDENTIALS='([^']*)'/.exec(text) ?? [];
    if (credentials) environment = { TACET_CREDENTIALS: credentials };
    for (const block of blocksOf(text)) await ('typed' in block ? type(block) : write(block));
  });

  it('shows the picture that it draws', () => {
    expect(readFileSync('docs/tutorial/stage.svg', 'utf8')).toBe(
      readFileSync(join(folder, 'stage.svg'), 'utf8'),
    );
  });

  it.each(['README.md', ...chapters])('is easy to read: %s', (name) => {
    expect(gradeOf(textOf(name))).toBeLessThanOrEqual(9);
  });

  it('would not be easy to read, were it written so', () => {
    const sentence =
      'Notwithstanding considerable terminological indeterminacy, authoritative specifications necessarily';
    expect(gradeOf(`${sentence} presuppose comprehensive interpretative familiarity.`)).toBeGreaterThan(9);
  });
});
