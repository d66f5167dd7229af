import type { Row } from '../../store.ts';
import type { Connection } from '../open.ts';
import type { Find, Finds } from '../statements.ts';
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

/**
 * Several needs as one statement: each is a column of its own, a list in JSON of the rows that it gives, and each of
 * these a list of its columns. What a list comes to as a text is asked beside them, since it is not to be written in
 * JSON once more. Null where that cannot be.
 */
export function together(
  needs: readonly Need[],
  finds: Finds,
  named: (text: string) => Sent,
): Together | null {
  const texts = needs.filter((need) => need.kind === 'ask' && need.asked.gives === 'texts');
  const [main] = texts;
  if (texts.length > 1) return null;
  const bound: unknown[] = [];
  const numbered = ({ sql, bound: own }: Part): string => {
    const first = bound.length;
    bound.push(...own);
    return sql.replace(/\$(\d+)/g, (_, number: string) => `$${first + Number(number)}`);
  };
  const from = main ? ` FROM (${numbered(partOf(main))}) AS q (c0, c1, c2)` : '';
  const columns = needs.flatMap((need) => {
    if (need === main) return [];
    const found = need.kind === 'find' ? finds.get(need.table) : undefined;
    const part = need.kind === 'ask' ? partOf(need) : found?.part?.(need.key);
    const width = need.kind === 'ask' ? need.asked.width : (found as Find).width;
    if (part === undefined || width > mostColumns) return [null];
    const names = Array.from({ length: width }, (_, index) => `c${index}`).join(', ');
    return [`(SELECT json_agg(json_build_array(${names}))::text FROM (${numbered(part)}) AS e (${names}))`];
  });
  if (columns.includes(null)) return null;
  const text = `SELECT ${[...(main ? ['c0', 'c1', 'c2'] : []), ...columns].join(', ')}${from}`;
  return {
    statement: named(text),
    bound,
    gave: (row) => {
      let next = main ? 3 : 0;
      return needs.map((need) => {
        if (need.kind === 'ask' && need === main) return need.asked.gave([row.slice(0, 3)]);
        const json = row[next++] as string | null;
        const rows = json === null ? [] : (JSON.parse(json) as unknown[][]);
        if (need.kind === 'ask') return need.asked.gave(rows);
        return rows[0] ? (finds.get(need.table) as Find).row(rows[0]) : null;
      });
    },
  };
}

function partOf(need: Need): Part {
  const { asked } = need as Need & { kind: 'ask' };
  return { sql: asked.statement.text, bound: asked.bound };
}

/** Asks it; undefined where it cannot be worked out, so that each need is to be asked by itself. */
export async function askTogether(
  connection: Connection,
  { statement, bound, gave }: Together,
): Promise<readonly (Row | null | Gave)[] | undefined> {
  let all: readonly (Row | null | Gave)[] | undefined;
  const failed = await answerOf(async () => {
    const { rows } = await connection.query<unknown[]>({
      ...statement,
      values: [...bound],
      rowMode: 'array',
    });
    all = gave(rows[0] ?? []);
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
