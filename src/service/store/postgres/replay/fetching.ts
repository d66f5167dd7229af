import type { Key, Row } from '../../store.ts';
import type { Connection } from '../open.ts';
import type { Find, Finds, Statements } from '../statements.ts';
import { ask, send } from '../statements.ts';
import { alike } from './alike.ts';
import type { Asked, Gave, Need } from './needs.ts';
import type { Overlay } from './overlay.ts';
import { rowName } from './replay.ts';

type Ask = Need & { readonly kind: 'ask' };

/** How what is lacked is fetched. */
export interface Fetching {
  readonly finds: Finds;
  readonly statements: Pick<Statements, 'named'>;
}

/**
 * Fetches what is lacked into what is known, in one message.
 *
 * @param after how many of the writes are sent by now
 * @param answers what queries give that are alike but for what is bound
 */
export function fetching(
  connection: Connection,
  { finds }: Pick<Fetching, 'finds'>,
  needs: readonly Need[],
  overlay: Overlay,
  after: number,
  answers: {
    readonly groups: (asks: readonly Ask[]) => readonly (readonly Ask[])[];
    readonly of: (asks: readonly Asked[]) => Promise<readonly Gave[]>;
  },
): Promise<void>[] {
  const keys = new Map<string, Map<string, Key>>();
  const asks = new Map<string, Ask>();
  for (const need of needs)
    if (need.kind === 'ask') asks.set(need.name, need);
    else {
      const wanted = keys.get(need.table) ?? new Map<string, Key>();
      keys.set(need.table, wanted.set(need.name, need.key));
    }
  const found = [...keys].map(async ([table, wanted]): Promise<void> => {
    const rows = await (finds.get(table) as Find).find(connection, [...wanted.values()]);
    const byName = new Map(rows.map((row): [string, Row] => [rowName(table, row.key), row]));
    for (const name of wanted.keys()) overlay.learnRow(name, byName.get(name) ?? null);
  });
  const answered = answers.groups([...asks.values()]).map(async (group): Promise<void> => {
    const gave = await answers.of(group.map(({ asked }) => asked));
    for (const [index, { name }] of group.entries()) overlay.learnAnswer(name, after, gave[index] as Gave);
  });
  return [...found, ...answered];
}

/** Those that are alike but for what is bound together. */
export function grouped(asks: readonly Ask[]): readonly (readonly Ask[])[] {
  return [...Map.groupBy(asks, ({ asked }) => `${asked.gives} ${asked.statement.name}`).values()];
}

/** What queries that are alike give: by one statement, if that can be. */
export async function answersOf(
  connection: Connection,
  { statements: { named } }: Pick<Fetching, 'statements'>,
  asks: readonly Asked[],
): Promise<readonly Gave[]> {
  const together = asks.length > 1 ? alike(asks, named) : null;
  if (together === null) return Promise.all(asks.map((one) => ask(connection, one)));
  const { statement, bound, gave } = together;
  return gave(await send(connection, statement, bound));
}
