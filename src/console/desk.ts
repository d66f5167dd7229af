import type { Specification } from '../specification/model/specification.ts';
import type { Reader } from '../specification/read.ts';

/** What the console works on: a document, and the service that follows it. The command that opens the console gives it. */
export interface Desk {
  /** The document, or the folder of documents, as it was named. */
  readonly document: string;
  /** The ledger that is used, if one is. */
  readonly ledger: string | undefined;
  /** Whether the service does not follow the document, so that nothing is edited here. */
  readonly isFixed: boolean;
  /** What the document says now, with its faults. */
  readonly read: () => Reader;
  /** What runs; null: nothing does, for the document has errors. */
  readonly running: () => Running | null;
  /** Tests the document; null: nobody can here. */
  readonly tester: Tester | null;
  /** Null: it goes by a clock that nobody can move. */
  readonly clock: DeskClock | null;
  /** Reads the files again, with this ledger if it is given, and has the service follow; resolved once it does. */
  readonly follow: (ledger?: string) => Promise<void>;
}

/** How `tacet test` is called for the document. */
export interface Tester {
  /** The document and the options: to test a service of its own, or the one that runs. */
  readonly words: (target: 'own' | 'running') => readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The clock of the service, which can be moved on, so that nobody has to wait for what takes days. */
export interface DeskClock {
  /** How far it is ahead of the machine's, in milliseconds. */
  readonly aheadMs: number;
  /** Moves it on by so many milliseconds; resolved once what was due by then is done. */
  readonly pass: (ms: number) => Promise<void>;
}

/** The service that runs. */
export interface Running {
  /** What it was started with: the last statements without an error. */
  readonly specification: Specification;
  /** Where it listens. */
  readonly address: string;
  /** Where it keeps its items. */
  readonly data: string;
  /** The credentials that the operator gives: by scheme, secrets by the names of who has them. */
  readonly credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
