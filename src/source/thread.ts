import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** A thread that works for this one, so that nobody waits for what takes long. */
export interface Thread<Q, A> {
  /** What is asked and answered is plain data. Rejects if the thread has a fault, or is closed before. */
  readonly ask: (asked: Q) => Promise<A>;
  readonly close: () => Promise<void>;
}

interface Answer<A> {
  readonly id: number;
  readonly answer?: A;
  readonly fault?: string;
}

/**
 * Starts a thread that runs a file, which calls {@link answer} for the same name.
 *
 * @param file a URL: the file that calls this, also where it is part of a bundle
 */
export function startThread<Q, A>(file: string, name: string): Thread<Q, A> {
  const worker = new Worker(new URL(file), { workerData: name });
  const waiting = new Map<number, PromiseWithResolvers<A>>();
  let last = 0;
  let over: Error | null = null;
  worker.on('message', ({ id, answer: found, fault }: Answer<A>) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (fault === undefined) one?.resolve(found as A);
    else one?.reject(new Error(fault));
  });
  const failed = (error: Error): void => {
    over ??= error;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  worker.on('error', failed);
  worker.on('exit', () => failed(new Error(`the thread has ended that ${name}`)));
  return {
    ask: (asked) => {
      if (over) return Promise.reject(over);
      const found = Promise.withResolvers<A>();
      last += 1;
      waiting.set(last, found);
      worker.postMessage({ id: last, asked });
      return found.promise;
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

/** Answers what a thread is asked, if this is the thread of that name. */
export function answer<Q, A>(name: string, work: (asked: Q) => A): void {
  if (isMainThread || workerData !== name) return;
  parentPort?.on('message', ({ id, asked }: { readonly id: number; readonly asked: Q }) => {
    try {
      parentPort?.postMessage({ id, answer: work(asked) } satisfies Answer<A>);
    } catch (error) {
      parentPort?.postMessage({ id, fault: (error as Error).stack ?? String(error) } satisfies Answer<A>);
    }
  });
}
