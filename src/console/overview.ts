import { Refused } from '../load/refused.ts';
import { questions } from '../report/questions.ts';
import { type Queued, queue } from '../report/queue.ts';
import {
  type PartStatus,
  type PointStatus,
  statusInSteps,
  summary,
  type Tally,
  tally,
} from '../report/status.ts';
import { once } from '../source/once.ts';
import { inTurns, type Steps } from '../source/turns.ts';
import type { Reader } from '../specification/read.ts';
import { type Part, step, steps } from '../specification/reading/address.ts';
import { headings } from '../specification/reading/document.ts';
import { stated } from '../specification/reading/said.ts';
import type { Context } from './context.ts';
import { type Fault, faultsIn } from './editing/faults.ts';

/** What the frame and the map show. */
export interface Overview {
  /** Counts how often the document was read. */
  readonly version: number;
  readonly name: string;
  readonly purpose: string | null;
  readonly document: string;
  /** Whether it is a description in another format, of which answers go to the ledger. */
  readonly isImported: boolean;
  /** Whether the service does not follow the document, so that nothing is edited or tested here. */
  readonly isFixed: boolean;
  /** Where the service listens, and keeps its items; null: it does not run. */
  readonly service: {
    readonly address: string;
    readonly data: string;
    /** How far its clock is ahead of the machine's, in milliseconds. */
    readonly aheadMs: number;
  } | null;
  /** What it comes to, in one line. */
  readonly summary: string;
  readonly tally: Tally;
  readonly parts: readonly PartOverview[];
  readonly operations: readonly OperationOverview[];
  /** What to answer first, and how many points are left beyond these. */
  readonly queue: readonly Queued[];
  readonly queueLeft: number;
  /** How many different questions the document asks. */
  readonly questions: number;
  readonly faults: readonly Fault[];
  readonly requests: number;
}

export interface PartOverview {
  readonly part: Part;
  readonly title: string;
  readonly state: PartStatus['state'];
  readonly tally: Tally;
  readonly cells: readonly Cell[];
}

/** A cell of the map: a point, or where there are many, all those of a field, a resource or an endpoint. */
export interface Cell {
  readonly address: string;
  /** `waited`: an operation waits for it, or for one of several; `partly`: of several, some are open. */
  readonly kind: 'stated' | 'assumed' | 'open' | 'waited' | 'partly';
  /** How many points it stands for. */
  readonly points: number;
}

export interface OperationOverview {
  readonly name: string;
  readonly method: string;
  readonly key: string;
  /** The resource that it is about; null: none, or that is open. */
  readonly subject: string | null;
  readonly state: 'runs' | 'waits' | 'not run';
  readonly waitsFor: number;
}

/** With more points than this, a cell of a part stands for several. */
const mostCells = 400;

/** So many points are listed to be answered. */
const mostQueued = 60;

/** What follows from the document alone. */
type OfDocument = Omit<Overview, 'version' | 'isFixed' | 'service' | 'requests'>;

const ofReader = once(
  (reader: Reader, document: string): Promise<OfDocument> => inTurns(ofDocument(reader, document)),
);

/** The overview; what follows from the document alone is worked out once. */
export async function overview(
  _given: unknown,
  { desk, version, requests }: Pick<Context, 'desk' | 'version' | 'requests'>,
): Promise<Overview> {
  const known = await ofReader(desk.read(), desk.document);
  const running = desk.running();
  return {
    ...known,
    version: version(),
    isFixed: desk.isFixed,
    service: running && { address: running.address, data: running.data, aheadMs: desk.clock?.aheadMs ?? 0 },
    requests: requests.count,
  };
}

/** Works out beforehand what follows from the document alone. */
export function prepare({ desk }: Pick<Context, 'desk'>): void {
  try {
    // What goes wrong is told to whoever asks.
    ofReader(desk.read(), desk.document).catch(() => {});
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

function* ofDocument(
  { specification, diagnostics, isImported = false }: Reader,
  document: string,
): Steps<OfDocument> {
  const report = yield* statusInSteps(specification);
  yield;
  const queued = queue(specification);
  yield;
  const states = new Map(report.operations.map((one) => [one.name, one]));
  const parts: PartOverview[] = [];
  for (const { part, state, points } of report.parts) {
    parts.push({ part, title: headings[part], state, tally: tally(points), cells: cellsOf(points) });
    yield;
  }
  return {
    name: specification.name || document,
    purpose: stated(stated(specification.service)?.purpose) ?? null,
    document,
    isImported,
    summary: summary(report),
    tally: tally(report.parts.flatMap(({ points }) => points)),
    parts,
    operations: specification.operations.map(({ name, method, key, subject }) => ({
      name,
      method,
      key,
      subject: subject?.name ?? null,
      state: states.get(name)?.state ?? 'waits',
      waitsFor: states.get(name)?.waitsFor.length ?? 0,
    })),
    queue: queued.slice(0, mostQueued),
    queueLeft: Math.max(0, queued.length - mostQueued),
    questions: questions(report).length,
    faults: faultsIn(diagnostics),
  };
}

function cellsOf(points: readonly PointStatus[]): readonly Cell[] {
  if (points.length <= mostCells)
    return points.map((point) => ({ address: point.address, kind: kindOf(point), points: 1 }));
  const placed = points.map((point) => ({ point, path: steps(point.address) ?? [] }));
  let groups = new Map<string, typeof placed>();
  for (const depth of depths) {
    groups = Map.groupBy(placed, ({ point, path }) => above(point.address, path, depth));
    if (groups.size <= mostCells) break;
  }
  return [...groups].map(([address, group]) => ({
    address,
    kind: kindOfAll(group.map(({ point }) => kindOf(point))),
    points: group.length,
  }));
}

/** How many steps of their addresses points have in common that one cell stands for: a field, else a resource or endpoint. */
const depths = [4, 2] as const;

function above(address: string, path: readonly (string | number)[], depth: number): string {
  const [part, ...names] = path;
  if (part === undefined) return address;
  return names
    .slice(0, depth - 1)
    .filter((name) => name !== '*')
    .reduce<string>(step, String(part));
}

function kindOfAll(kinds: readonly Cell['kind'][]): Cell['kind'] {
  const [first = 'open'] = kinds;
  if (kinds.includes('waited')) return 'waited';
  return kinds.every((kind) => kind === first) ? first : 'partly';
}

function kindOf({ state, holds }: PointStatus): Cell['kind'] {
  return state === 'open' && holds.length > 0 ? 'waited' : state;
}
