import { codes } from '../../source/codes.ts';
import { parts } from '../../specification/reading/address.ts';
import type { Command } from '../command.ts';
import { exampleNames } from '../init/examples.ts';

/** What may stand at a place of a command line: certain words, a document, any file, or nothing that is known. */
export type Values = readonly string[] | 'document' | 'file' | 'anything';

/** A command as its completions tell of it. */
export interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly positionals: Values;
}

export interface CompletedOption {
  /** Without its dashes. */
  readonly name: string;
  /** What the command's help says of it, in a few words. */
  readonly description: string;
  /** Null: it takes no value. */
  readonly values: Values | null;
  readonly isRepeatable: boolean;
}

/** The shells for which there are completions. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** The values of options, which mean the same in every command; others may be anything. */
const ofOptions: Readonly<Record<string, Values>> = {
  assume: 'file',
  credentials: 'file',
  handlers: 'file',
  with: 'file',
  data: 'file',
  from: 'file',
  to: 'file',
  ledger: 'file',
  format: ['pretty', 'concise', 'json', 'github', 'sarif'],
  part: parts,
  'fail-on': ['breaking', 'change', 'never'],
};

/** What a command is about, where that is no document. */
const ofCommands: Readonly<Record<string, Values>> = {
  explain: Object.keys(codes).sort(),
  init: 'file',
  judge: 'file',
  lsp: [],
  mcp: [],
  completions: shells,
};

/** What completions need to know, read off the commands' own tables of options and their help. */
export function completed(commands: readonly Command[]): Completed[] {
  const known = commands.map(
    ({ name, summary, help, options }): Completed => ({
      name,
      summary,
      options: Object.entries({ ...options, help: { type: 'boolean' as const } }).map(([option, config]) => ({
        name: option,
        description: option === 'help' ? 'how it is used' : described(help, option),
        values: config.type === 'boolean' ? null : valuesOf(option),
        isRepeatable: 'multiple' in config && config.multiple === true,
      })),
      positionals: ofCommands[name] ?? 'document',
    }),
  );
  const help = {
    name: 'help',
    summary: 'tell how a command is used',
    options: [],
    positionals: commands.map(({ name }) => name),
  };
  return [...known, help];
}

function valuesOf(option: string): Values {
  return option === 'example' ? exampleNames() : (ofOptions[option] ?? 'anything');
}

/** What the help says of an option, up to the end of the first clause on its line. */
function described(help: string, option: string): string {
  const line = new RegExp(`^ {2}--${option}\\b(?: [A-Z]+)?\\s+(\\S.*)$`, 'm').exec(help)?.[1] ?? '';
  const clause = line.replace(/( {2}|[;:,] | \(|,$).*$/, '');
  return clause === '' || ofOptions[option]?.includes(clause) ? option : clause;
}
