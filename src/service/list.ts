import type { Frame, Item } from '../expression/compile.ts';
import { CannotWorkOut } from '../expression/functions.ts';
import type { AnswerTo } from './answers.ts';
import type { KeptResource } from './parts/resources.ts';
import type { Failing, Held } from './refusal.ts';
import { pieces, piecesMark } from './render.ts';
import type { Reply } from './reply.ts';
import type { Reads, Row, Scan, Store } from './store/store.ts';

/** One frame of a request: the names that every expression of it finds, and those given. */
export type FrameOf = (names: Readonly<Record<string, unknown>>) => Frame;

/** What an operation needs of its list (language §4.2, §H.2). */
export interface CompiledList {
  /** Whether `check` looks at what is kept. */
  readonly readsKept: boolean;
  /** What is wrong with what the request asks of the list: a cursor of another list, an item that is not there. */
  readonly check: (reads: Reads, frame: FrameOf) => readonly Failing[];
  /** The answer; asked where `check` found nothing. */
  readonly run: (reads: Reads, frame: FrameOf) => Reply | Held | Promise<Reply | Held>;
}

/** Compiles the list that an operation pages through. */
export function compileList(kept: KeptResource, store: Store, answer: AnswerTo): CompiledList {
  return {
    readsKept: false,
    check: () => [],
    run: (_reads, frame) => listed(kept, store, answer, frame),
  };
}

/** A list as it stands at one moment: at once where it is short, else piece by piece (principles, "list without stated paging"). */
async function listed(
  kept: KeptResource,
  store: Store,
  answer: AnswerTo,
  frame: FrameOf,
): Promise<Reply | Held> {
  const plain = frame({});
  const item = (row: Row): Item => kept.item(row, () => plain);
  // Nothing can have been made of a resource whose identifier is open.
  const scan: Scan = kept.keyFields.length === 0 ? none : store.scan(kept.name);
  const whole = (rows: readonly Row[]): Reply | Held => answer(null, frame({ page: pageOf(rows.map(item)) }));
  if (scan.few) return whole(scan.few);
  const outline = outlined(answer, frame);
  if (outline === null) {
    const rows: Row[] = [];
    for await (const piece of scan.pieces()) rows.push(...piece);
    return whole(rows);
  }
  if (!('before' in outline)) return outline;
  const { reply, before, after } = outline;
  const chunks = async function* (): AsyncIterable<string> {
    yield `${before}[`;
    let separator = '';
    for await (const piece of scan.pieces()) {
      yield separator + piece.map((row) => kept.write(item(row), plain)).join(',');
      separator = ',';
    }
    yield `]${after}`;
  };
  return { ...reply, body: { chunks } };
}

/** An answer with a gap in its body, where the list belongs. */
interface Outline {
  readonly reply: Reply;
  readonly before: string;
  readonly after: string;
}

/** The answer but for the items, or all of it where it shows none; null where it takes more than to show them once. */
function outlined(answer: AnswerTo, frame: FrameOf): Outline | Reply | Held | null {
  let read = 0;
  const unknown = (): never => {
    read += 2;
    throw new CannotWorkOut('this takes the whole list');
  };
  const page = {
    ...pageOf([]),
    get items() {
      read += 1;
      return pieces;
    },
    get total() {
      return unknown();
    },
    get size() {
      return unknown();
    },
  };
  try {
    const reply = answer(null, frame({ page }));
    if (read === 0) return reply;
    if (read > 1 || 'held' in reply) return null;
    const [before, after, ...others] = typeof reply.body === 'string' ? reply.body.split(piecesMark) : [];
    if (before === undefined || after === undefined || others.length > 0) return null;
    return { reply, before, after };
  } catch (error) {
    if (error instanceof CannotWorkOut) return null;
    throw error;
  }
}

const none: Scan = { few: [], pieces: async function* () {} };

function pageOf(items: readonly Item[]): Readonly<Record<string, unknown>> {
  const total = items.length;
  return { items, total, size: total, offset: 0, number: 1, next: null, previous: null, links: null };
}
