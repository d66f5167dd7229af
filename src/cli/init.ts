import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Command, type ExitCode, type Given, type Terminal, text, UsageError } from './command.ts';
import { agents } from './init/agents.ts';
import { blank } from './init/blank.ts';
import { example, exampleNames } from './init/examples.ts';

/** `tacet init`: writes a document to begin with. */
export const command: Command = {
  name: 'init',
  summary: 'write a document to begin with, an example, or AGENTS.md',
  help: `usage: tacet init [FILE] [--example NAME]
       tacet init [FILE] --agents
       tacet init --list

Writes a document with the nine headings of a specification, each part open and saying what
it is there to state (default service.md). It never overwrites a file.

  --example NAME   one of the examples instead (default file NAME.md)
  --agents         AGENTS.md beside FILE instead: how an agent works with the document
  --list           the examples, each with its title

exit code: 0 written, 2 wrong use, or the file is there already
`,
  options: { example: { type: 'string' }, agents: { type: 'boolean' }, list: { type: 'boolean' } },
  run: (given, terminal) => {
    const names = exampleNames();
    if (given.values['list']) {
      const width = Math.max(...names.map((name) => name.length));
      const titles = names.map((name) => `${name.padEnd(width)}  ${/^# (.*)$/m.exec(example(name))?.[1]}\n`);
      terminal.out(titles.join(''));
      return 0;
    }
    if (given.values['agents'] === true) return forAgents(given, terminal);
    const name = text(given, 'example');
    if (name !== undefined && !names.includes(name))
      throw new UsageError(`there is no example ${name}; there are ${names.join(', ')}`);
    const [file = `${name ?? 'service'}.md`, second] = given.positionals;
    if (second !== undefined) throw new UsageError(`one document at a time, and ${second} is a second one`);
    if (!/\.(md|markdown)$/i.test(file))
      throw new UsageError(`${file} is no name for Markdown: end it in .md`);
    write(file, name === undefined ? blank(titleOf(file)) : example(name));
    const next = [
      [`tacet dev ${file}`, 'serves it, and follows each edit'],
      [`tacet status ${file}`, 'shows what is stated, what is open, and what to answer first'],
      ...(name === undefined ? [['tacet init --list', 'names examples to begin with instead']] : []),
    ] as const;
    const widest = Math.max(...next.map(([typed]) => typed.length));
    terminal.out(
      [
        `${file} is written: ${name === undefined ? 'nine parts, all of them open' : `the example ${name}`}`,
        '',
        ...next.map(([typed, does]) => `  ${typed.padEnd(widest)}  ${does}`),
        '',
      ].join('\n'),
    );
    return 0;
  },
};

/** Writes AGENTS.md beside a document, which need not be there yet. */
function forAgents(given: Given, terminal: Terminal): ExitCode {
  if (text(given, 'example') !== undefined)
    throw new UsageError('--agents writes no document, so that --example says nothing');
  const [document = 'service.md', second] = given.positionals;
  if (second !== undefined) throw new UsageError(`one document at a time, and ${second} is a second one`);
  const file = join(dirname(document), 'AGENTS.md');
  write(file, agents(basename(document)));
  terminal.out(`${file} is written: how an agent works with ${basename(document)}\n`);
  return 0;
}

/** `parcel-desk.md` is about `Parcel desk`. */
function titleOf(file: string): string {
  const words = basename(file)
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words === '' ? 'Service' : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

function write(file: string, content: string): void {
  try {
    writeFileSync(file, content, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${file} is there already, and init overwrites nothing`);
    if (code === 'ENOENT') throw new UsageError(`there is no folder for ${file}`);
    throw new UsageError(`${file} cannot be written: ${message}`);
  }
}
