import type { Known, PointKnown } from '../assist/known.ts';
import { answer, startThread, type Thread } from '../source/thread.ts';
import { type Asked, readAsked } from './read.ts';

/** Reads documents beside the thread that answers, so that nobody waits for a large one. */
export interface DocumentReader {
  /** Rejects if the reader is closed before, or has a fault. */
  readonly read: (asked: Asked) => Promise<Known>;
  readonly close: () => Promise<void>;
}

/** What the thread of this file does. */
const reads = 'reads documents for an editor';

/** As JSON: it is read in a tenth of the time that a copy of the objects takes. */
function asText(known: Known): string {
  return JSON.stringify({ ...known, points: [...known.points] });
}

function ofText(text: string): Known {
  const known = JSON.parse(text) as Omit<Known, 'points'> & { points: [string, PointKnown][] };
  return { ...known, points: new Map(known.points) };
}

export function startReader(): DocumentReader {
  const thread: Thread<Asked, string> = startThread(import.meta.url, reads);
  return { read: async (asked) => ofText(await thread.ask(asked)), close: thread.close };
}

answer(reads, (asked: Asked) => asText(readAsked(asked)));
