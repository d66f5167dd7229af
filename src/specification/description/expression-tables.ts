import { functionNamed, functionNames } from '../../expression/functions.ts';
import { type FunctionLine, macroLines } from '../../expression/macros.ts';
import { operators } from '../../expression/operator-types.ts';
import type { Table } from './key-tables.ts';

const plainly = (sentence: string): string => sentence.replace(/\.$/, '');

/** The tables of functions in the reference, by the names of their markers (language §G.4). */
export function functionTables(): ReadonlyMap<FunctionLine['table'], Table> {
  const lines = [...macroLines, ...functionNames.flatMap((name) => functionNamed(name).lines)];
  return new Map(
    [...Map.groupBy(lines, ({ table }) => table)].map(([name, group]) => [
      name,
      {
        heading: ['function', 'gives'],
        rows: group.map(({ written, gives }) => [`\`${written}\``, plainly(gives)]),
      },
    ]),
  );
}

/** The table of operators in the reference (language §G.4). */
export function operatorTable(): Table {
  return {
    heading: ['operator', 'takes', 'gives'],
    rows: [...operators.values()].map(({ written, takes, gives }) => [
      `\`${written}\``,
      takes,
      plainly(gives),
    ]),
  };
}
