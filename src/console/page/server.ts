import type { Edit } from '../../assist/answered.ts';
import type { Completion } from '../../assist/completion.ts';
import type { Hover } from '../../assist/hover.ts';
import type { Answer } from '../answers.ts';
import type { Differences } from '../differences.ts';
import type { Checked, Opening, Renameable } from '../editing/edited.ts';
import type { OperationDetail } from '../operations.ts';
import type { Overview } from '../overview.ts';
import type { PointList } from '../points.ts';
import type { RecordedDetail } from '../recorded.ts';
import type { Recorded } from '../requests.ts';
import type { Exchange } from '../send.ts';
import type { EventPage, EventView } from '../stored/events.ts';
import type { ItemDetail } from '../stored/item.ts';
import type { ItemPage, ResourceList } from '../stored/items.ts';
import type { MachineView } from '../stored/machines.ts';
import type { TimeView } from '../stored/time.ts';
import type {
  CauseDetail,
  ReplayView,
  StatementDetail,
  StatementList,
  TestView,
} from '../testing/verdicts.ts';
import type { Texts } from '../texts.ts';
import { pending } from './state/pending.svelte.ts';

/** What the server told why something cannot be done. */
export class Told extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What each path of the server answers. */
export interface Queries {
  readonly overview: Overview;
  readonly points: PointList;
  readonly operation: OperationDetail;
  readonly differences: Differences;
  readonly texts: Texts;
  readonly requests: readonly Recorded[];
  readonly request: RecordedDetail;
  readonly machine: MachineView;
  readonly resources: ResourceList;
  readonly items: ItemPage;
  readonly item: ItemDetail;
  readonly events: EventPage;
  readonly event: EventView;
  readonly time: TimeView;
  readonly test: { readonly test: TestView | null };
  readonly cause: CauseDetail;
  readonly statements: StatementList;
  readonly statement: StatementDetail;
}

interface Actions {
  readonly answer: Answer;
  readonly check: Checked;
  readonly complete: Completion | null;
  readonly hover: Hover | null;
  readonly renameable: Renameable;
  readonly rename: readonly Edit[];
  readonly 'mark-open': Opening;
  readonly save: Pick<Checked, 'faults'>;
  readonly send: Exchange;
  readonly resend: Exchange;
  readonly redeliver: { readonly deliveries: number };
  readonly pass: TimeView;
  readonly 'begin-test': TestView;
  readonly 'end-test': Record<string, never>;
  readonly replay: ReplayView;
}

/**
 * Reads something. Throws {@link Told} if the server refuses.
 *
 * @param isQuiet it is on the screen already, and is read anew
 */
export async function query<Q extends keyof Queries>(
  path: Q,
  parameters: Readonly<Record<string, string>> = {},
  isQuiet = false,
): Promise<Queries[Q]> {
  const search = new URLSearchParams(parameters).toString();
  const answer = reached(`/api/${path}${search === '' ? '' : `?${search}`}`).then(taken);
  return (isQuiet ? answer : pending(answer)) as Promise<Queries[Q]>;
}

/** Does something. Throws {@link Told} if the server refuses. */
export async function act<A extends keyof Actions>(path: A, content: unknown): Promise<Actions[A]> {
  return pending(reached(`/api/${path}`, content).then(taken)) as Promise<Actions[A]>;
}

/** Exchanges the token of the address for a session. */
export async function enter(token: string): Promise<void> {
  await taken(await reached('/session', { token }));
}

async function reached(path: string, content?: unknown): Promise<Response> {
  try {
    return await fetch(
      path,
      content === undefined
        ? {}
        : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(content) },
    );
  } catch {
    throw new Told(0, 'tacet does not answer: it was ended, or is starting');
  }
}

async function taken(response: Response): Promise<unknown> {
  const content = (await response.json()) as { readonly message?: string };
  if (!response.ok) throw new Told(response.status, content.message ?? response.statusText);
  return content;
}
