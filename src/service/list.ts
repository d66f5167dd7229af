import type { Frame, Item } from '../expression/compile.ts';
import type { AnswerTo } from './answers.ts';
import type { KeptResource } from './parts/resources.ts';
import type { Row } from './plan.ts';
import type { Held } from './refusal.ts';
import { pieces, piecesMark } from './render.ts';
import type { Reply } from './reply.ts';
import type { Scan, Store } from './store/store.ts';

/** A list as it stands at one moment: at once where it is short, else piece by piece (principles, "list without stated paging"). */
export async function listed(
  kept: KeptResource,
  store: Store,
  answer: AnswerTo,
  frame: (names: Readonly<Record<string, unknown>>) => Frame,
): Promise<Reply | Held> {
  const plain = frame({});
  const item = (row: Row): Item => kept.item(row, () => plain);
  // Nothing can have been made of a resource whose identifier is open.
  const scan: Scan = kept.keyFields.length === 0 ? none : store.scan(kept.name);
  const whole = (rows: readonly Row[]): Reply | Held => answer(null, frame({ page: pageOf(rows.map(item)) }));
  if (scan.few) return whole(scan.few);
  const outline = answer(null, frame({ page: { items: pieces } }));
  if ('held' in outline) return outline;
  const [before, after, ...others] = typeof outline.body === 'string' ? outline.body.split(piecesMark) : [];
  if (before === undefined || after === undefined || others.length > 0) {
    const rows: Row[] = [];
    for await (const piece of scan.pieces()) rows.push(...piece);
    return whole(rows);
  }
  const chunks = async function* (): AsyncIterable<string> {
    yield `${before}[`;
    let separator = '';
    for await (const piece of scan.pieces()) {
      yield separator + piece.map((row) => kept.write(item(row), plain)).join(',');
      separator = ',';
    }
    yield `]${after}`;
  };
  return { ...outline, body: { chunks } };
}

const none: Scan = { few: [], pieces: async function* () {} };

function pageOf(items: readonly Item[]): Readonly<Record<string, unknown>> {
  const total = items.length;
  return { items, total, size: total, offset: 0, number: 1, next: null, previous: null, links: null };
}
