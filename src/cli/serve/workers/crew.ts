import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { KeyPair } from '../../../service/http/listener.ts';
import type { Terminal } from '../../command.ts';
import { wholeLines } from './lines.ts';
import { type Order, type Question, type Report, type Seat, seatVariable } from './seat.ts';

/** How long a worker that could not start is let be before it is tried again, in milliseconds. */
const restMs = 1000;

/** How long a worker may take to answer, in milliseconds: less than what asks for health usually waits. */
const answerMs = 2000;

/** How much longer than the grace period a worker may take to end, in milliseconds. */
const lateMs = 5000;

/** A process of the crew. */
interface Member {
  readonly seat: Seat;
  readonly worker: Worker;
  /** Resolved with its address once it takes requests, or with null when it ended before. */
  readonly started: Promise<Started | null>;
  /** Resolved once it has ended, and all that it printed is read. */
  readonly ended: Promise<unknown>;
  readonly ask: (what: Question) => Promise<unknown>;
}

export interface Started {
  readonly address: string;
  readonly url: string;
}

/** The processes of one service. */
export interface Crew {
  /** Resolved once all take requests; null: one could not start, and has said why. */
  readonly start: () => Promise<Started | null>;
  /** What each that takes requests answers; where one does not, why. */
  readonly ask: (what: Question) => Promise<readonly Answer[]>;
  /** Has all use another key and certificate from now on. */
  readonly secure: (pair: KeyPair) => void;
  /** How often a process was begun again. */
  readonly restarts: () => number;
  /** Ends all: first those that hand requests over, and then the one that they hand them to. */
  readonly end: () => Promise<void>;
}

export interface Answer {
  readonly seat: Seat;
  readonly answer: unknown;
  /** Whether there was no answer in time. */
  readonly isSilent: boolean;
}

/** Runs a process for each seat, and another one for each that dies. */
export function crewOf(
  seats: readonly Seat[],
  environment: Readonly<Record<string, string>>,
  graceMs: number,
  terminal: Pick<Terminal, 'out' | 'error'>,
  first: KeyPair | null,
): Crew {
  cluster.setupPrimary({ silent: true });
  const members = new Set<Member>();
  const ready = new Set<Member>();
  let isEnding = false;
  let pair = first;
  let restarts = 0;
  const begin = async (seat: Seat): Promise<Started | null> => {
    const member = fork(seat, environment, terminal);
    members.add(member);
    if (pair !== null) order(member.worker, { to: 'secure', pair });
    const started = await member.started;
    if (started !== null) ready.add(member);
    void member.ended.then(() => {
      members.delete(member);
      if (ready.delete(member) && !isEnding) void renew(member);
    });
    return started;
  };
  const renew = async (lost: Member): Promise<void> => {
    terminal.error(`${nameOf(lost)} ended ${reasonOf(lost.worker)}; another one takes its place\n`);
    restarts += 1;
    while (!isEnding && (await begin(lost.seat)) === null) await setTimeout(restMs);
  };
  const end = async (): Promise<void> => {
    isEnding = true;
    await ended(members, graceMs, terminal);
  };
  return {
    start: async () => {
      const [first, ...rest] = seats as [Seat, ...Seat[]];
      // It makes and migrates the tables that the others read.
      const started = await begin(first);
      const others = started === null ? [] : await Promise.all(rest.map(begin));
      if (started !== null && !others.includes(null)) return started;
      await end();
      return null;
    },
    ask: (what) =>
      Promise.all(
        [...ready].map(async ({ seat, ask }) => {
          const answer = await ask(what);
          return { seat, answer, isSilent: answer === undefined };
        }),
      ),
    secure: (other) => {
      pair = other;
      for (const { worker } of members) order(worker, { to: 'secure', pair });
    },
    restarts: () => restarts,
    end,
  };
}

/** Ends the processes: the one that writes last, since the others hand requests over to it. */
async function ended(
  members: ReadonlySet<Member>,
  graceMs: number,
  terminal: Pick<Terminal, 'error'>,
): Promise<void> {
  const all = [...members];
  const late = globalThis.setTimeout(() => {
    for (const member of members) {
      terminal.error(`${nameOf(member)} does not end; it is killed\n`);
      member.worker.process.kill('SIGKILL');
    }
  }, graceMs + lateMs);
  for (const { worker } of all) order(worker, { to: 'end' });
  const isWriter = ({ seat }: Member): boolean => seat.role === 'writer';
  await Promise.all(all.filter((one) => !isWriter(one)).map(({ ended }) => ended));
  for (const { worker } of all.filter(isWriter)) order(worker, { to: 'be alone' });
  await Promise.all(all.map(({ ended }) => ended));
  clearTimeout(late);
}

function fork(
  seat: Seat,
  environment: Readonly<Record<string, string>>,
  { out, error }: Pick<Terminal, 'out' | 'error'>,
): Member {
  const worker = cluster.fork({ ...environment, [seatVariable]: JSON.stringify(seat) });
  const { stdout, stderr } = worker.process;
  if (stdout) wholeLines(stdout, out);
  if (stderr) wholeLines(stderr, error);
  const started = Promise.withResolvers<Started | null>();
  const asked = new Map<number, (answer: unknown) => void>();
  worker.on('message', (report: Report) => {
    if (report.of === 'start') started.resolve(report);
    else if (report.of === 'question') asked.get(report.turn)?.(report.answer);
  });
  // What is sent to a process that has just died fails.
  worker.on('error', () => {});
  const ended = once(worker.process, 'close');
  void ended.then(() => {
    started.resolve(null);
    for (const answer of asked.values()) answer(undefined);
  });
  let turns = 0;
  const ask = async (what: Question): Promise<unknown> => {
    if (!worker.isConnected()) return undefined;
    const turn = ++turns;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    asked.set(turn, resolve);
    const late = globalThis.setTimeout(resolve, answerMs, undefined);
    order(worker, { to: 'tell', turn, what });
    const answer = await promise;
    clearTimeout(late);
    asked.delete(turn);
    return answer;
  };
  return { seat, worker, started: started.promise, ended, ask };
}

function order(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send(order);
}

/** `worker 2 (process 4711)` */
function nameOf({ seat, worker }: Member): string {
  const does = seat.role === 'equal' ? '' : seat.role === 'writer' ? 'writes, ' : 'reads, ';
  return `worker ${seat.number} (${does}process ${worker.process.pid})`;
}

function reasonOf({ process: { exitCode, signalCode } }: Worker): string {
  return signalCode ? `by ${signalCode}` : `with code ${exitCode}`;
}
