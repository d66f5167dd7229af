import type { Frame } from '../../expression/compile.ts';

/** What became of a request that a rate was asked about. */
export interface Taken {
  /** False: it was refused, and is not counted. */
  readonly isAllowed: boolean;
  /** How many more are allowed by now. */
  readonly remaining: number;
  /** How long until more are allowed than by now; 0 where none is counted. */
  readonly resetMs: number;
}

/** The time of one request. */
export interface Deadline {
  /** Whether a change is in time, so that it stands, whatever it takes from now on; if not, it is to be undone. */
  readonly settles: () => boolean;
  /** Whether its time has passed, so that nothing more is begun for it. */
  readonly isPast: () => boolean;
}

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
