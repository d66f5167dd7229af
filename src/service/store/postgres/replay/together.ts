import type { Row } from '../../store.ts';
import type { Connection } from '../open.ts';
import { type Find, type Finds, send } from '../statements.ts';
import { answerOf } from './look.ts';
import type { Gave, Need, Part, Sent } from './needs.ts';

/** What is asked of one moment by one statement, and how its one row is read. */
export interface Together {
  readonly statement: Sent;
  readonly bound: readonly unknown[];
  readonly gave: (columns: readonly unknown[]) => readonly (Row | null | Gave)[];
}

/** PostgreSQL's functions take a hundred arguments. */
const mostColumns = 100;

/** How many combinations keep their statement. */
const mostKnown = 1000;

/**
 * Several needs as one statement: each is a column of its own, a list in JSON of the rows that it gives, and each of
 * these a list of its columns. What a list comes to as a text is asked beside them, since it is not to be written in
 * JSON once more. Gives null where that cannot be.
 */
export function together(
  finds: Finds,
  named: (text: string) => Sent,
): (needs: readonly Need[]) => Together | null {
  const known = new Map<string, Sent>();
  return (needs) => {
    const texts = needs.filter(isText);
    if (texts.length > 1) return null;
    const [main] = texts;
    const others = needs.filter((need) => need !== main);
    const parts: Part[] = [];
    for (const need of [...texts, ...others]) {
      const part = need.kind === 'ask' ? partOf(need) : finds.get(need.table)?.part(need.key);
      if (part === undefined || widthOf(need, finds) > mostColumns) return null;
      parts.push(part);
    }
    const name = needs.map((need) => (need.kind === 'ask' ? need.asked.statement.name : need.table)).join();
    const statement = known.get(name) ?? named(textOf(main, others, parts, finds));
    if (known.size < mostKnown) known.set(name, statement);
    return {
      statement,
      bound: parts.flatMap(({ bound }) => bound),
      gave: (row) => {
        let next = main ? textColumns : 0;
        return needs.map((need) => {
          if (need === main) return main.asked.gave([row.slice(0, textColumns)]);
          const json = row[next++] as string | null;
          const rows = json === null ? [] : (JSON.parse(json) as unknown[][]);
          if (need.kind === 'ask') return need.asked.gave(rows);
          return rows[0] ? (finds.get(need.table) as Find).row(rows[0]) : null;
        });
      },
    };
  };
}

type Ask = Need & { readonly kind: 'ask' };

/** How many columns a list as a text has. */
const textColumns = 3;

function textOf(
  main: Need | undefined,
  others: readonly Need[],
  parts: readonly Part[],
  finds: Finds,
): string {
  let first = 0;
  const [own, ...rest] = parts.map(({ sql, bound }) => {
    const before = first;
    first += bound.length;
    return sql.replace(/\$(\d+)/g, (_, number: string) => `$${before + Number(number)}`);
  });
  const columns = others.map((need, index) => {
    const names = Array.from({ length: widthOf(need, finds) }, (_, column) => `c${column}`).join(', ');
    const sql = main ? rest[index] : [own, ...rest][index];
    return `(SELECT json_agg(json_build_array(${names}))::text FROM (${sql}) AS e (${names}))`;
  });
  return main
    ? `SELECT ${['c0', 'c1', 'c2', ...columns].join(', ')} FROM (${own}) AS q (c0, c1, c2)`
    : `SELECT ${columns.join(', ')}`;
}

function isText(need: Need): need is Ask {
  return need.kind === 'ask' && need.asked.gives === 'texts';
}

function partOf({ asked: { statement, bound } }: Ask): Part {
  return { sql: statement.text, bound };
}

function widthOf(need: Need, finds: Finds): number {
  return need.kind === 'ask' ? need.asked.width : (finds.get(need.table)?.width ?? 0);
}

/** Asks it; undefined where it cannot be worked out, so that each need is to be asked by itself. */
export async function askTogether(
  connection: Connection,
  { statement, bound, gave }: Together,
): Promise<readonly (Row | null | Gave)[] | undefined> {
  let all: readonly (Row | null | Gave)[] | undefined;
  const failed = await answerOf(async () => {
    const [row = []] = await send(connection, statement, bound);
    all = gave(row);
    return { value: null };
  });
  return 'error' in failed ? undefined : all;
}

/** How much is remembered of answers that others hang on: so many, each of at most so many characters. */
const mostAnswers = 10_000;
const longestText = 2000;

/**
 * What needs were answered last that further ones hung on, such as the account that has a credential. It is what they
 * are most likely answered again, so that all is asked at once; whether they are is seen by the answers.
 */
export class Remembered {
  readonly #answers = new Map<string, Row | null | Gave>();

  get(need: Need): Row | null | Gave | undefined {
    const answer = this.#answers.get(need.name);
    if (answer === undefined) return undefined;
    this.#answers.delete(need.name);
    this.#answers.set(need.name, answer);
    return answer;
  }
  note(need: Need, answer: Row | null | Gave): void {
    this.#answers.delete(need.name);
    if (!isShort(answer)) return;
    this.#answers.set(need.name, answer);
    if (this.#answers.size > mostAnswers) this.#answers.delete(this.#answers.keys().next().value as string);
  }
}

function isShort(answer: Row | null | Gave): boolean {
  if (answer === null) return true;
  if ('text' in answer) return answer.text.length <= longestText && answer.bytes === undefined;
  if (!('rows' in answer)) return false;
  const [first, second] = answer.rows;
  return (
    second === undefined && (first === undefined || (first.text.length <= longestText && !first.besides))
  );
}
