import type { Frame } from '../../expression/compile.ts';
import type { RowItem } from '../resource/kept.ts';
import type { Doing } from '../transaction/doing.ts';
import { enqueue } from './deliveries.ts';
import type { Event } from './event.ts';

/** What is decided of a delivery in the transaction of the change (language §6.3). */
export interface Dispatch {
  readonly name: string;
  /** `all`: one lane for everything; else one for each item. */
  readonly order: 'item' | 'all';
  /** The addresses to which an event goes; `frame` names `event`. */
  readonly targets: (doing: Doing, frame: Frame) => readonly Recipient[];
  /** What is worked out of the event once and for all; undefined: nothing. */
  readonly note: (frame: Frame, item: RowItem | null) => unknown;
}

/** An address to which an event goes, and whose it is; undefined: nobody's. */
export interface Recipient {
  readonly target: string;
  readonly owner?: string | undefined;
}

/** What each way notes of an event, by its name; undefined: nothing. */
export function notesOf(
  ways: readonly Dispatch[],
  frame: Frame,
  item: RowItem | null,
): Record<string, unknown> | undefined {
  const notes = ways.map(({ name, note }) => [name, note(frame, item)] as const);
  const some = notes.filter(([, note]) => note !== undefined);
  return some.length === 0 ? undefined : Object.fromEntries(some);
}

/** Puts an event in line for each address that it goes to. */
export function dispatch(ways: readonly Dispatch[], doing: Doing, event: Event, frame: Frame): void {
  for (const { name, order, targets } of ways)
    for (const { target, owner } of targets(doing, frame))
      enqueue(
        doing.tx,
        [name, target, event.id, ''],
        order === 'all' ? '' : JSON.stringify(event.item),
        owner,
      );
}
