import { readFound, readText } from '../load/files.ts';
import { Refused } from '../load/refused.ts';
import { type Command, documentOf, type Given, text } from './command.ts';
import { Follower } from './dev/follow.ts';
import { watch } from './dev/watch.ts';
import { ended, handlersOf, serveHelp, serveOptions } from './serve.ts';

/** `tacet dev`: serves a document, and follows each edit of it. */
export const command: Command = {
  name: 'dev',
  summary: 'serve a document, and follow each edit of it',
  help: `usage: tacet dev DOCUMENT [--port N] [--host HOST] [--data FILE] [--url URL] [--assume LEDGER]
                          [--handlers FILE]

Runs the service as tacet serve does, and watches the document (or folder) and the ledger.
After an edit it goes on with what is stated then, on the same port and data, and says what
changed. While the document has errors, or its data cannot be served as it states, the last
good one goes on. The functions of --handlers are loaded once.

${serveHelp}
Ends on SIGINT or SIGTERM, after the requests under way.
exit code: 0 ended as asked, 2 wrong use, or it could not start
`,
  options: serveOptions,
  run: async (given, terminal) => {
    const ledger = text(given, 'assume');
    const follower = new Follower(given, terminal, await handlersOf(given));
    let seen = contents(given);
    const failed = Promise.withResolvers<never>();
    let turn = follower.start();
    const update = async (): Promise<void> => {
      const found = contents(given);
      if (found === seen) return;
      seen = found;
      await follower.update();
    };
    const changed = (): void => {
      turn = turn.then(update).catch(failed.reject);
    };
    const watcher = watch([documentOf(given), ...(ledger === undefined ? [] : [ledger])], changed);
    try {
      await turn;
      await Promise.race([ended(terminal.ended), failed.promise]);
      watcher.close();
      await turn;
    } finally {
      watcher.close();
      await follower.close();
    }
    terminal.leave?.(0);
    return 0 as const;
  },
};

/** All that is read, so that an event after which it is the same is no edit. */
function contents(given: Given): string {
  try {
    const ledger = text(given, 'assume');
    return JSON.stringify([readFound(documentOf(given)), ledger === undefined ? null : readText(ledger)]);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
