import { Refused } from '../../load/refused.ts';
import { answer, startThread, type Thread } from '../../source/thread.ts';
import { type About, type Works, works } from './edited.ts';

/** What the thread of this file does. */
const tries = 'tries edits of a document';

type Work = keyof Works;

interface Asked {
  readonly work: Work;
  readonly about: Parameters<Works[Work]>[0];
}

type Found = { readonly found: ReturnType<Works[Work]> } | { readonly refused: string };

/**
 * Works out what edits come to in a thread of its own: the service and the console answer others meanwhile. It is
 * started once somebody may edit.
 */
export class Edits {
  #thread: Thread<Asked, Found> | null = null;

  /** Starts the thread, and has it read the document, so that the next edit need not wait for that. */
  async ready(about: () => About): Promise<void> {
    try {
      await this.ask('read', about());
    } catch {
      // Whoever asks next is told.
    }
  }

  /** @throws Refused if it cannot be */
  async ask<W extends Work>(work: W, about: Parameters<Works[W]>[0]): Promise<ReturnType<Works[W]>> {
    this.#thread ??= startThread(import.meta.url, tries);
    const answered = await this.#thread.ask({ work, about });
    if ('refused' in answered) throw new Refused(answered.refused);
    return answered.found as ReturnType<Works[W]>;
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}

answer(tries, ({ work, about }: Asked): Found => {
  try {
    return { found: works[work](about as never) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
});
