import type { Frame } from '../../expression/compile.ts';
import type { Deadline } from './time.ts';
import type { Taken } from './window.ts';

/** What limits come to for one request, however often it is judged. */
export interface Tally {
  /** What became of it, by rate; null: the rate does not count it. */
  readonly taken: Map<string, Taken | null>;
  /** What ends its place among those that run at once, by bound; or why it has none. */
  readonly entered: Map<string, (() => void) | 'refused' | 'uncounted'>;
  /** Whether it is answered, so that nothing of it runs that counts. */
  isOver: boolean;
  /** The header fields that tell of rates, by rate. */
  readonly fields: Map<string, readonly string[]>;
  /** Set where its time is stated. */
  deadline: Deadline | null;
  /** What expressions find of it, once it is read. */
  frame: ((names: Readonly<Record<string, unknown>>) => Frame) | null;
}

export function tally(): Tally {
  return {
    taken: new Map(),
    entered: new Map(),
    fields: new Map(),
    isOver: false,
    deadline: null,
    frame: null,
  };
}
