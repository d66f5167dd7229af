import type { Console, ConsoleOptions } from '../../console/console.ts';
import type { Desk } from '../../console/desk.ts';
import { Refused } from '../../load/refused.ts';
import { documentOf, type Given, type Terminal, text, UsageError } from '../command.ts';
import { told } from '../serve/faults.ts';
import type { Follower } from './follow.ts';

/** Whether a console is asked for: it is, unless somebody says no. */
export function asksConsole(given: Given): boolean {
  return text(given, 'console') !== 'no';
}

/** The service that runs now; null: none does. */
function runningOf({ running }: Follower): ReturnType<Desk['running']> {
  return (
    running && {
      specification: running.specification,
      address: running.service.address,
      data: running.options.data,
      credentials: running.options.credentials ?? {},
    }
  );
}

/**
 * Opens the console for a document that is followed, and prints its address. Null: none is asked for, or its page is not
 * built, which is told.
 *
 * @param changed reads the files again, and has the service follow
 * @param files those of the page. Default: those that were built
 */
export async function consoleOf(
  given: Given,
  terminal: Terminal,
  follower: Follower,
  changed: () => Promise<void>,
  files: Pick<ConsoleOptions, 'files'> = {},
): Promise<Console | null> {
  if (!asksConsole(given)) return null;
  const port = portOf(text(given, 'console') ?? '0');
  // Loaded only where it is asked for.
  const { openConsole } = await import('../../console/console.ts');
  const print = (address: string): void => terminal.out(`console    ${address}\n`);
  try {
    const opened = await openConsole(
      {
        document: documentOf(given),
        get ledger() {
          return follower.ledger;
        },
        isFixed: false,
        read: () => follower.reader,
        running: () => runningOf(follower),
        tester: {
          words: (target) => testWords(given, follower.ledger, target === 'own' ? null : addressOf(follower)),
          environment: terminal.environment,
        },
        get clock() {
          return follower.clock;
        },
        follow: (ledger) => {
          if (ledger !== undefined && ledger !== follower.ledger) {
            follower.ledger = ledger;
            terminal.out(`answers are kept in ${ledger}; --assume ${ledger} takes them the next time\n`);
          }
          return changed();
        },
      },
      {
        port,
        ...files,
        ...(terminal.now && { now: terminal.now }),
        onUsed: print,
        onFault: (fault) => terminal.error(`console: ${told(fault)}\n`),
      },
    );
    print(opened.address);
    return opened;
  } catch (error) {
    if (!(error instanceof Refused) || text(given, 'console') !== undefined) throw error;
    terminal.error(`${error.message}; the service runs without it\n`);
    return null;
  }
}

function addressOf({ running }: Follower): string {
  if (running === null) throw new Refused('the service does not run: the document has errors');
  return running.service.address;
}

/** The options that a tester of the document takes: all, for a service of its own; else those that are about the tester. */
const ofTester = ['credentials', 'after', 'deliver', 'handlers'] as const;
const ofItsService: readonly string[] = ['after', 'deliver', 'handlers'];

/** @param url the service to test; null: one of its own */
function testWords(given: Given, ledger: string | undefined, url: string | null): readonly string[] {
  const options = ofTester
    .filter((name) => url === null || !ofItsService.includes(name))
    .flatMap((name) => [given.values[name] ?? []].flat().flatMap((value) => [`--${name}`, String(value)]));
  return [
    documentOf(given),
    ...(url === null ? [] : ['--url', url]),
    ...(ledger === undefined ? [] : ['--assume', ledger]),
    ...(given.values['no-guesses'] === true ? ['--no-guesses'] : []),
    ...options,
  ];
}

function portOf(written: string): number {
  const port = Number(written);
  if (/^\d+$/.test(written) && port <= 65535) return port;
  throw new UsageError(`--console ${written}: a port is wanted, from 0 to 65535, or no`);
}
