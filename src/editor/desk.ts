import type { Known } from '../assist/known.ts';
import { type Shift, shift } from '../assist/place.ts';
import type { Source } from '../specification/read.ts';
import { nameOf } from './belonging.ts';
import { Pace } from './pace.ts';
import type { Asked } from './read.ts';
import type { DocumentReader } from './reader.ts';

/** Time, as the machine has it or as a test says. */
export interface Clock {
  /** Milliseconds, from whenever. */
  readonly now: () => number;
  /** Calls back after so many milliseconds, unless what it gives is called before. */
  readonly after: (ms: number, call: () => void) => () => void;
}

/** Who hears of what is read. */
interface Hearing {
  readonly onRead: (known: Known) => void;
  /** The reader has a fault; what was last read stays. */
  readonly onFault: (error: Error) => void;
}

/** What the texts of a document are at this moment. */
export type Texts = () => Pick<Asked, 'sources' | 'ledger'>;

/** One specification that is edited: what was last read of it, and when it is read again. */
export class Desk {
  readonly files: readonly string[];
  readonly #texts: Texts;
  readonly #reader: DocumentReader;
  readonly #clock: Clock;
  readonly #heard: Hearing;
  readonly #pace = new Pace();
  #known: Known | null = null;
  #reading: Promise<void> | null = null;
  #stop: (() => void) | null = null;
  #isStale = true;

  constructor(
    files: readonly string[],
    texts: Texts,
    { reader, clock }: { readonly reader: DocumentReader; readonly clock: Clock },
    heard: Hearing,
  ) {
    this.files = files;
    this.#texts = texts;
    this.#reader = reader;
    this.#clock = clock;
    this.#heard = heard;
  }

  /** Its texts are others now: it is read once the client rests. */
  edited(): void {
    this.#isStale = true;
    this.#stop?.();
    this.#stop = this.#clock.after(this.#pace.edited(this.#clock.now()), () => {
      this.current().catch(this.#heard.onFault);
    });
  }

  /** What was last read; null: nothing yet. */
  get known(): Known | null {
    return this.#known;
  }

  /** What was last read; waits only where nothing was read yet. */
  async last(): Promise<Known> {
    return this.#known ?? this.current();
  }

  /** What is read of the texts as they are now. */
  async current(): Promise<Known> {
    while (this.#isStale || this.#reading || this.#known === null) {
      this.#reading ??= this.#read();
      await this.#reading;
    }
    return this.#known;
  }

  /** What would be read with other texts. */
  async tried(texts: ReadonlyMap<string, string>): Promise<Known> {
    const { sources, ledger } = this.#texts();
    return this.#reader.read({
      name: nameOf(this.files),
      sources: sources.map((one) => ({ ...one, content: texts.get(one.file) ?? one.content })),
      ledger,
    });
  }

  close(): void {
    this.#stop?.();
  }

  async #read(): Promise<void> {
    this.#stop?.();
    this.#isStale = false;
    try {
      this.#known = await this.#reader.read({ name: nameOf(this.files), ...this.#texts() });
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#reading = null;
    }
    this.#heard.onRead(this.#known);
  }
}

const shifts = new WeakMap<Known, Map<string, { readonly content: string; readonly shift: Shift }>>();

/** How a text that was read became what it is now. */
export function shiftTo(known: Known, { file, content }: Source): Shift {
  const found = shifts.get(known) ?? new Map();
  shifts.set(known, found);
  const last = found.get(file);
  if (last?.content === content) return last.shift;
  const before = known.sources.find((one) => one.file === file)?.content ?? content;
  const made = shift(before, content);
  found.set(file, { content, shift: made });
  return made;
}
