import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Known, PointKnown } from '../assist/known.ts';
import { type Asked, readAsked } from './read.ts';

/** Reads documents beside the thread that answers, so that nobody waits for a large one. */
export interface DocumentReader {
  /** Rejects if the reader is closed before, or has a fault. */
  readonly read: (asked: Asked) => Promise<Known>;
  readonly close: () => Promise<void>;
}

/** What the thread of this file is told that it is. */
const reads = 'tacet reads a document';

interface Answer {
  readonly id: number;
  /** What is known, as JSON: it is read in a tenth of the time that a copy of the objects takes. */
  readonly known?: string;
  readonly fault?: string;
}

function asText(known: Known): string {
  return JSON.stringify({ ...known, points: [...known.points] });
}

function ofText(text: string): Known {
  const known = JSON.parse(text) as Omit<Known, 'points'> & { points: [string, PointKnown][] };
  return { ...known, points: new Map(known.points) };
}

export function startReader(): DocumentReader {
  // The thread runs this very file, also where it is part of a bundle.
  const worker = new Worker(new URL(import.meta.url), { workerData: reads });
  const waiting = new Map<number, PromiseWithResolvers<Known>>();
  let last = 0;
  let over: Error | null = null;
  worker.on('message', ({ id, known, fault }: Answer) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (known !== undefined) one?.resolve(ofText(known));
    else one?.reject(new Error(fault));
  });
  const failed = (error: Error): void => {
    over ??= error;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  worker.on('error', failed);
  worker.on('exit', () => failed(new Error('the reader has ended')));
  return {
    read: (asked) => {
      if (over) return Promise.reject(over);
      const answer = Promise.withResolvers<Known>();
      last += 1;
      waiting.set(last, answer);
      worker.postMessage({ id: last, asked });
      return answer.promise;
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

if (!isMainThread && workerData === reads)
  parentPort?.on('message', ({ id, asked }: { readonly id: number; readonly asked: Asked }) => {
    try {
      parentPort?.postMessage({ id, known: asText(readAsked(asked)) } satisfies Answer);
    } catch (error) {
      parentPort?.postMessage({ id, fault: (error as Error).stack ?? String(error) } satisfies Answer);
    }
  });
