import type { Console } from '../console/console.ts';
import { readFound, readText } from '../load/files.ts';
import { ledgerBeside } from '../load/ledger.ts';
import { Refused } from '../load/refused.ts';
import type { ServiceOptions } from '../service/service.ts';
import { type Command, documentOf, type Given, text } from './command.ts';
import { asksConsole, consoleOf } from './dev/console.ts';
import { Follower } from './dev/follow.ts';
import { watch } from './dev/watch.ts';
import { ended, handlersOf } from './serve/start.ts';
import { serveHelp, serveOptions } from './serve.ts';

/** `tacet dev`: serves a document, and follows each edit of it. */
export const command: Command = {
  name: 'dev',
  summary: 'serve a document, and follow each edit of it',
  help: `usage: tacet dev DOCUMENT [--port N] [--host HOST] [--data FILE] [--url URL] [--assume LEDGER]
                          [--handlers FILE] [--console PORT | --console no]

Runs the service as tacet serve does, and watches the document (or folder) and the ledger.
After an edit it goes on with what is stated then, on the same port and data, and says what
changed. While the document has errors, or its data cannot be served as it states, the last
good one goes on. The functions of --handlers are loaded once.

It prints an address besides: a page on which you see what the document leaves open, answer
it, edit the document, and send requests. The page can be used on this machine alone, by
whoever opens the address.

  --console PORT    the port of that page (default: one that is free); no: without it
${serveHelp}
Ends on SIGINT or SIGTERM, after the requests under way.
exit code: 0 ended as asked, 2 wrong use, or it could not start
`,
  options: { ...serveOptions, console: { type: 'string' } },
  run: async (given, terminal) => {
    const handlers = await handlersOf(given);
    const onAnswered: ServiceOptions['onAnswered'] = (answered, _, received) =>
      page?.note(answered, received);
    const follower = new Follower(given, terminal, handlers, asksConsole(given) ? { onAnswered } : {});
    let page: Console | null = null;
    let seen = contents(given, follower);
    const failed = Promise.withResolvers<never>();
    let turn = follower.start();
    const update = async (): Promise<void> => {
      const found = contents(given, follower);
      if (found === seen) return;
      seen = found;
      await follower.update();
      page?.changed();
    };
    const changed = (): Promise<void> => {
      turn = turn.then(update);
      turn.catch(failed.reject);
      return turn;
    };
    const watcher = watch([documentOf(given), ledgerOf(given)], () => void changed());
    try {
      await turn;
      page = await consoleOf(given, terminal, follower, changed);
      await Promise.race([ended(terminal.ended), failed.promise]);
      watcher.close();
      await turn;
    } finally {
      watcher.close();
      await page?.close();
      await follower.close();
    }
    terminal.leave?.(0);
    return 0 as const;
  },
};

/** The ledger that is read, or that an answer of the console would make. */
function ledgerOf(given: Given): string {
  return text(given, 'assume') ?? ledgerBeside(documentOf(given));
}

/** All that is read, so that an event after which it is the same is no edit. */
function contents(given: Given, { ledger }: Follower): string {
  try {
    return JSON.stringify([readFound(documentOf(given)), ledger === undefined ? null : readText(ledger)]);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
