import { type Code, codes } from '../source/codes.ts';
import type { Paint } from '../source/diagnostic.ts';
import { nearest } from '../specification/reading/nearest.ts';
import { type Command, paintFor } from './command.ts';
import { markdownPage, sentence, terminalPage } from './page.ts';
import { UsageError } from './usage.ts';

const known = (Object.keys(codes) as Code[]).sort();
const widest = Math.max(...known.map((code) => code.length));

/** `tacet explain`: the page of a code, for reading in a terminal; without a code, the list of them. */
export const command: Command = {
  name: 'explain',
  summary: 'tell what a code of a message means, and how to mend it',
  help: `usage: tacet explain [CODE]

Prints the page of a code, such as key-twice: what it means, how to mend it, a wrong
document and a right one. Without a code: every code there is, each in a sentence,
with the section of docs/language.md that it rests on.

  --list   every code, as without a code

exit code: 0; 2 wrong use
`,
  options: { list: { type: 'boolean' } },
  run: (given, terminal) => {
    const [name, second] = given.positionals;
    if (second !== undefined) throw new UsageError(`one code at a time, and ${second} is a second one`);
    const paint = paintFor(terminal);
    if (name === undefined || given.values['list'] === true)
      for (const code of known) terminal.out(listed(code, paint));
    else {
      const code = known.find((one) => one === name);
      if (code === undefined) throw new UsageError(unknown(name));
      terminal.out(terminalPage(code, markdownPage(code), paint));
    }
    return 0;
  },
};

function unknown(name: string): string {
  const close = nearest(name, known);
  return `there is no code ${name}; ${close ? `did you mean ${close}?` : 'tacet explain lists them'}`;
}

/** A code, its section and its sentence, in 100 columns. */
function listed(code: Code, paint: Paint): string {
  const begin = `${paint.bold(code.padEnd(widest))}  ${`§${codes[code].section}`.padEnd(4)}  `;
  const width = widest + 8;
  return `${begin}${wrapped(sentence(markdownPage(code)), 100 - width).join(`\n${' '.repeat(width)}`)}\n`;
}

/** A text in lines of at most so many characters, broken between words. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
