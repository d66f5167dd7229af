import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);

/** A command that a page shows, and what it prints. */
export interface Typed {
  readonly command: string;
  readonly printed: string;
}

/** A block of commands. `served`: the document that is served meanwhile, by the word after `console`; empty: none. */
export interface ConsoleBlock {
  readonly served: string;
  readonly typed: readonly Typed[];
}

/** A file that a page shows: the words after the language of the fence are its name, and the part that it states. */
export interface ShownFile {
  readonly name: string;
  readonly part: string;
  readonly content: string;
}

/** Files and commands in the order of the page. */
export function blocksOf(page: string): readonly (ConsoleBlock | ShownFile)[] {
  const fences = /^(`{3,4})(console|markdown|yaml|json|js)(?: (\S+))?(?: (.+))?\n([\s\S]*?)^\1$/gm;
  return [...page.matchAll(fences)].flatMap(
    ([, , language, name = '', part = '', content = '']): (ConsoleBlock | ShownFile)[] => {
      if (language === 'console') return [{ served: name, typed: typedIn(content) }];
      return name === '' ? [] : [{ name, part, content }];
    },
  );
}

/** Each line that begins with `$ ` is a command, which goes on after a backslash. What follows is what it prints. */
function typedIn(content: string): readonly Typed[] {
  return content
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [, command = '', printed = ''] = /^((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(text) ?? [];
      return { command, printed };
    });
}

/** The files of a page that are whole. */
export function filesOf(page: string): readonly ShownFile[] {
  return blocksOf(page).flatMap((block) => ('part' in block && block.part === '' ? [block] : []));
}

export function consolesOf(page: string): readonly ConsoleBlock[] {
  return blocksOf(page).flatMap((block) => ('typed' in block ? [block] : []));
}

/** What a page writes for the address of a service. */
export const shownAddress = 'http://127.0.0.1:8080';

/** What differs from run to run, as it is shown; `…` stands for any text, and alone on its line for any lines. */
const varying = {
  lines: /\n…\n/,
  text: /…/,
  name: /\$[A-Z][A-Z0-9_]*/,
  uuid: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
  date: /\bDate: [^\n]*/,
  length: /\bContent-Length: [1-9]\d*/,
};
const pieces = new RegExp(
  `(${Object.values(varying)
    .map(({ source }) => source)
    .join('|')})`,
);

/** The pattern of what may be printed where this is shown. A `$NAME` that is not known yet takes what comes. */
function patternOf(shown: string, known: ReadonlyMap<string, string>): RegExp {
  const named = new Set<string>();
  const pattern = (piece: string): string => {
    const is = ({ source }: RegExp): boolean => new RegExp(`^${source}$`).test(piece);
    if (is(varying.lines)) return '\\n(?:[\\s\\S]*\\n)?';
    if (is(varying.text)) return '.*';
    if (is(varying.uuid)) return varying.uuid.source;
    if (is(varying.date)) return varying.date.source;
    if (is(varying.length)) return varying.length.source;
    if (!is(varying.name)) return escaped(piece);
    const name = piece.slice(1);
    if (known.has(name)) return escaped(known.get(name) as string);
    if (named.has(name)) return `\\k<${name}>`;
    named.add(name);
    return `(?<${name}>[^"\\s]+?)`;
  };
  return new RegExp(`^${shown.split(pieces).map(pattern).join('')}$`);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Whole lines, with one line break in place of several. */
const laidOut = (text: string): string => `\n${text.trim()}\n`.replaceAll('\r', '').replace(/\n{2,}/g, '\n');

/** Fails unless what was printed is what is shown. Remembers what each `$NAME` of it stands for. */
export function expectShown(printed: string, shown: string, known: Map<string, string>): void {
  const [found, wanted] = [laidOut(printed), laidOut(shown)];
  const match = patternOf(wanted, known).exec(found);
  if (match === null) expect(found).toBe(wanted);
  for (const [name, value] of Object.entries(match?.groups ?? {})) known.set(name, value);
}

/** Runs a command in a shell, to which the names are known. `curl` is told to show no progress. */
export async function printedBy(command: string, known: ReadonlyMap<string, string>): Promise<string> {
  const { stdout } = await run('sh', ['-c', command.replace(/\bcurl /g, 'curl -sS ')], {
    env: { ...process.env, ...Object.fromEntries(known) },
  });
  return stdout;
}
