import { type ConditionRow, conditionNames, conditions } from '../vocabulary/condition.ts';
import { rulesNamed, type Table } from './key-tables.ts';

interface Row {
  readonly place: number;
  readonly written: string;
  readonly holds: string;
  readonly section: string;
  readonly rules?: string | undefined;
  readonly floor: string;
}

/** The conditions as the reference lists them, in the order in which the service judges (language §H.4). */
export function conditionTable(): Table {
  return {
    heading: ['', 'condition', 'holds if', 'floor'],
    rows: conditionNames
      .flatMap(rowsOf)
      .sort((a, b) => a.place - b.place)
      .map((row) => [String(row.place), `\`${row.written}\``, holds(row), row.floor]),
  };
}

function rowsOf(name: (typeof conditionNames)[number]): Row[] {
  const row: ConditionRow = conditions[name];
  const { subject, rules, other } = row;
  const floor = row.floorSays ?? String(row.floor);
  const written = name === 'expression' ? '${ }' : name;
  const { place, holds, section } = row;
  const own: Row = {
    place,
    written: subject ? `${written} ${subject}` : written,
    holds,
    section,
    rules,
    floor,
  };
  return other ? [own, { ...other, written: `${written} ${other.subject}`, floor }] : [own];
}

/** The sentence with where more is said: a section, or rules of H.4. */
function holds({ holds, section, rules }: Row): string {
  const sentence = holds.replace(/\.$/, '');
  if (rules !== undefined) return `${sentence}; ${rulesNamed(rules)}`;
  return section === 'H.4' ? sentence : `${sentence} (${/^\d/.test(section) ? '§' : ''}${section})`;
}
