import { parts } from '../reading/address.ts';
import { headings } from '../reading/document.ts';
import type { About } from '../reading/form.ts';
import { type VocabularyKey, vocabularyKeys } from './keys.ts';

/** A table of the reference: its heading, and its rows as Markdown. */
export interface Table {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The columns that a table of keys may have. A column that no row fills is left out. */
const columns: readonly (readonly [heading: string, cell: (key: VocabularyKey) => string])[] = [
  ['key', ({ name, about }) => `\`${about.written ?? name}\``],
  ['goes with', ({ about }) => about.goesWith ?? ''],
  ['states', ({ about }) => states(about)],
  ['outcome', ({ about }) => about.outcome ?? ''],
  ['service must', ({ about }) => about.must ?? ''],
  ['tester can see', ({ about }) => about.see ?? ''],
  ['while open', ({ about }) => about.open ?? ''],
  ['since', ({ about }) => about.since ?? ''],
];

/** The sentence of a key without its period, with the rules that say more. */
function states({ states, rules }: About): string {
  const sentence = states.replace(/\.$/, '');
  return rules === undefined ? sentence : `${sentence}; ${rulesNamed(rules)}`;
}

/** `rule 6`, or `rules 7 to 9`. */
export function rulesNamed(rules: string): string {
  return /^\d+$/.test(rules) ? `rule ${rules}` : `rules ${rules}`;
}

/** The tables of keys in the reference, by the names of their markers, made of the vocabulary (language §A.2). */
export function keyTables(): ReadonlyMap<string, Table> {
  const listed = vocabularyKeys().filter(({ about }) => about.table !== null);
  const byTable = Map.groupBy(listed, ({ about }) => about.table as string);
  return new Map([
    ['parts', partTable],
    ...[...byTable].map(([name, keys]) => [name, tableOf(keys)] as const),
  ]);
}

const partTable: Table = {
  heading: ['part', 'key', 'heading'],
  rows: parts.map((part, at) => [String(at + 1), `\`${part}\``, headings[part]]),
};

function tableOf(keys: readonly VocabularyKey[]): Table {
  const used = columns.filter(([, cell]) => keys.some((key) => cell(key) !== ''));
  return {
    heading: used.map(([heading]) => heading),
    rows: keys.map((key) => used.map(([, cell]) => cell(key))),
  };
}
