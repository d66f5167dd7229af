import type { Frame } from '../../expression/compile.ts';
import type { Deadline } from './time.ts';
import type { Taken } from './window.ts';

/** What a rate came to for one request. */
interface Counted {
  /** Null: the rate does not count it. */
  readonly taken: Taken | null;
  /** The header fields that tell of it. */
  fields: readonly string[];
}

/** What limits come to for one request, however often it is judged. */
export interface Tally {
  /** What became of it, by rate. */
  readonly rates: Map<string, Counted>;
  /** What ends its place among those that run at once, by bound; or why it has none. Null: it was not looked for. */
  entered: Map<string, (() => void) | 'refused' | 'uncounted'> | null;
  /** Whether it is answered, so that nothing of it runs that counts. */
  isOver: boolean;
  /** Set where its time is stated. */
  deadline: Deadline | null;
  /** What expressions find of it, once it is read. */
  frame: ((names: Readonly<Record<string, unknown>>) => Frame) | null;
}

export function tally(): Tally {
  return {
    rates: new Map(),
    entered: null,
    isOver: false,
    deadline: null,
    frame: null,
  };
}
