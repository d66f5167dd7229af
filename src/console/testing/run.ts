import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gathering, type Report } from '../../conformance/report.ts';
import type { Result } from '../../conformance/result.ts';
import type { RunEvent } from '../../conformance/stream.ts';
import { carried } from '../../load/carried.ts';
import type { Tester } from '../desk.ts';

/** What is tested: a service of its own, with data of its own, or the one that runs here. */
export type Target = 'own' | 'running';

export interface RunOptions {
  readonly target: Target;
  /** Without the search for requests that show each deviation, and with few requests. */
  readonly isQuick: boolean;
}

/** Few requests, and no search. */
const quick = ['--search', 'PT0S', '--walks', '160'];

/** How often a run tells that it went on, in milliseconds. */
const togetherMs = 250;

/** So much of what a run says beside its events is kept, in characters. */
const mostSaid = 4000;

/** A run of the tester, in a process of its own, so that the service goes on answering. */
export class Run {
  readonly options: RunOptions;
  /** Milliseconds since 1970. */
  readonly begunMs: number;
  readonly results: Result[] = [];
  report: Report | null = null;
  requests = 0;
  part = 0;
  /** How long it waits for time to pass at the most, in milliseconds; 0: it does not wait. */
  waitingMs = 0;
  /** Null: it goes on. */
  end: { readonly atMs: number; readonly code: number | null; readonly isAsked: boolean } | null = null;
  readonly #child: ChildProcess;
  readonly #gather = gathering((report) => {
    this.report = report;
  });
  readonly #told: () => void;
  readonly #now: () => number;
  #said = '';
  #isAsked = false;
  #telling: NodeJS.Timeout | undefined;

  /** @param told hears whenever the run went on */
  constructor(tester: Tester, options: RunOptions, now: () => number, told: () => void) {
    this.options = options;
    this.#now = now;
    this.#told = told;
    this.begunMs = now();
    const words = [...tester.words(options.target), '--report', 'ndjson', ...(options.isQuick ? quick : [])];
    this.#child = tacet(tester, words);
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#said = `${this.#said}${chunk}`.slice(-mostSaid);
    });
    const lines = this.#child.stdout && createInterface({ input: this.#child.stdout });
    lines?.on('line', (line) => {
      if (line.startsWith('{')) this.#hear(JSON.parse(line) as RunEvent);
    });
    const heard = new Promise<void>((resolve) => lines?.once('close', resolve));
    // What it said last may still be on its way when it has ended.
    this.#child.once('close', (code) => void heard.then(() => this.#over(code)));
  }

  /** What the process said beside its events: why there is no report. */
  get said(): string {
    return this.#said.trim();
  }

  get tookMs(): number {
    return (this.end?.atMs ?? this.#now()) - this.begunMs;
  }

  /** Asks it to end. */
  stop(): void {
    this.#isAsked = true;
    this.#child.kill('SIGINT');
  }

  #over(code: number | null): void {
    this.end = { atMs: this.#now(), code, isAsked: this.#isAsked };
    clearTimeout(this.#telling);
    this.#told();
  }

  #hear(event: RunEvent): void {
    this.#gather(event);
    this.waitingMs = event.kind === 'waiting' ? event.mostMs : 0;
    if (event.kind === 'exchange') this.requests += 1;
    if (event.kind === 'part begins') this.part = event.part;
    if (event.kind === 'result') this.results.push(event.result);
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#told();
    }, togetherMs);
  }
}

/** The results of a run by now: of one that has ended, with the requests that lead to each violation. */
export function resultsOf({ report, results }: Run): readonly Result[] {
  return report?.results ?? results;
}

/** `tacet test` in a process of its own. What it searches in memory is less urgent than the service by itself. */
export function tacet({ environment }: Tester, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(carried('bin/tacet.js')), 'test', ...words], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
