import { readdirSync, readFileSync } from 'node:fs';
import { conditionTable } from '../src/specification/description/condition-table.ts';
import { functionTables, operatorTable } from '../src/specification/description/expression-tables.ts';
import { keyTables, type Table } from '../src/specification/description/key-tables.ts';

const root = new URL('../', import.meta.url);

/** The tables of the documentation that are made of tables in the code, by their markers: `keys: resources.field`. */
export function tables(): ReadonlyMap<string, Table> {
  return new Map([
    ...[...keyTables()].map(([name, table]) => [`keys: ${name}`, table] as const),
    ...[...functionTables()].map(([name, table]) => [`functions: ${name}`, table] as const),
    ['operators', operatorTable()],
    ['conditions', conditionTable()],
  ]);
}

/** The pages that hold such tables, by their paths, each as it has to be. */
export function pages(): ReadonlyMap<string, string> {
  const known = tables();
  return new Map(
    paths().map((path) => [path, withTables(readFileSync(new URL(path, root), 'utf8'), known, path)]),
  );
}

function paths(): string[] {
  return [...readdirSync(new URL('docs/language/', root)).map((name) => `docs/language/${name}`)];
}

/** The table between `<!-- KIND: NAME -->` and `<!-- end KIND -->`. */
const marked = /^<!-- ((keys|functions|operators|conditions)(?:: \S+)?) -->\n[\s\S]*?^<!-- end \2 -->$/gm;

/** The names of the tables that a page has. */
export function tablesOn(page: string): string[] {
  return [...page.matchAll(marked)].map((match) => match[1] as string);
}

function withTables(page: string, known: ReadonlyMap<string, Table>, path: string): string {
  return page.replaceAll(marked, (_, name: string, kind: string) => {
    const table = known.get(name);
    if (table === undefined) throw new Error(`${path}: nothing in the code is the table "${name}"`);
    return `<!-- ${name} -->\n${markdown(table)}<!-- end ${kind} -->`;
  });
}

function markdown({ heading, rows }: Table): string {
  const line = (cells: readonly string[]): string =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell.replaceAll('|', '\\|')} `)).join('|')}|\n`;
  return [line(heading), `|${'---|'.repeat(heading.length)}\n`, ...rows.map(line)].join('');
}
