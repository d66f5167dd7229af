import { setTimeout } from 'node:timers/promises';
import { at } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { GivenCredentials } from './access/given.ts';
import type { Deviation } from './deviations/deviation.ts';
import { deviationsOf, operationOf } from './deviations/deviations.ts';
import { type ListeningOptions, listening } from './events/listening.ts';
import { Examples, type PlayedExample } from './examples/examples.ts';
import { type Client, client, type Exchange, usualMs, waiting } from './http.ts';
import { inventions } from './inventions/inventions.ts';
import { heard, judgedAnew, type Recorded } from './judged.ts';
import { walks } from './play/play.ts';
import { sent, type Target } from './play/target.ts';
import { seeded } from './random.ts';
import { gathering, type Report } from './report.ts';
import type { Result } from './result.ts';
import { schemas } from './schema.ts';
import type { Plan } from './search/plan.ts';
import { hidingFrom } from './sequences/hiding.ts';
import { journal } from './sequences/journal.ts';
import { foundOf, shortestOf } from './sequences/shortest.ts';
import { type Reporter, streamVersion, type Unnoticed } from './stream.ts';
import { countsOf, outcomeOf } from './summary.ts';
import { type Heeding, Unanswered, untilUnanswered } from './unanswered.ts';
import { besides, type Missed, notStated } from './verdicts/left-out.ts';
import { isSelected, type Selection } from './verdicts/selection.ts';
import { Verdicts } from './verdicts/verdicts.ts';

export type { Report };

export interface TestOptions extends ListeningOptions {
  /** Where the implementation is: the address that its operator makes it reachable at (language §F.1). */
  readonly url: string;
  /** Decides every value that is sent but identifiers: the same seed, the same requests. */
  readonly seed: number;
  /** Credentials that the tester cannot come by itself: by scheme, secrets by the names of who has them. Default: none */
  readonly credentials?: GivenCredentials;
  /** The time in milliseconds. Default: the machine's */
  readonly now?: () => number;
  /** How far the implementation's clock is ahead of that, in milliseconds. Default: 0 */
  readonly ahead?: () => number;
  /** Lets so many milliseconds pass, on a clock that can be set. Default: the machine's clock */
  readonly wait?: (ms: number, met?: AbortSignal) => Promise<void>;
  /** How long a time that is stated, as of a timer or a rate, is waited for, in milliseconds. Default: 5000 */
  readonly patienceMs?: number;
  /** How long an answer is waited for, in milliseconds. Default: 10 000 */
  readonly answerMs?: number;
  /** How long is waited for what is to come, and of which no time is stated, in milliseconds. Default: `patienceMs` */
  readonly graceMs?: number;
  /** Ends the run after the request under way; the reason of the signal is thrown. */
  readonly signal?: AbortSignal;
  /** How many requests are sent in walks, which follow from one another over the whole service. Default: see `usualWalks` */
  readonly walks?: number;
  /** What a search in memory found, whose requests are sent, too. It is asked for once, at the beginning. Default: nothing */
  readonly plan?: () => Promise<Plan>;
  /** For how many violations the fewest requests that lead there are looked for, after all was tested. Default: 0 */
  readonly sequences?: number;
  /** What alone is judged. Default: all */
  readonly selection?: Selection | undefined;
  /** Whether the run ends after the first violation that does not rest on an assumption. Default: false */
  readonly bail?: boolean;
  /** Hears what happens in the run, as it does. */
  readonly onEvent?: Reporter;
}

/** How long a time that is stated is waited for, in milliseconds, if nobody says otherwise. */
export const usualPatienceMs = 5000;

/**
 * How many requests walks have, if nobody says otherwise: 80 for each operation, and at least 960; beside those that a search
 * found, half as many.
 */
export function usualWalks({ operations }: Specification, isSearched: boolean): number {
  return Math.max(960, 80 * operations.length) / (isSearched ? 2 : 1);
}

/**
 * Tests an implementation, whoever wrote it, against what a specification states, and nothing more (language §F.2).
 *
 * @throws Unreachable if nothing answers at the address
 */
export async function testService(document: Specification, options: TestOptions): Promise<Report> {
  const run = new Run(document, options);
  return await run.report();
}

/** One test of an implementation. */
class Run {
  readonly #specification: Specification;
  readonly #options: TestOptions;
  readonly #url: string;
  readonly #begunMs: number;
  readonly #heeding: Heeding;
  readonly #journal: ReturnType<typeof journal>;
  readonly #client: Client & { readonly sent: () => number };
  readonly #target: Target;
  readonly #inventions: ReturnType<typeof inventions>;
  readonly #verdicts: Verdicts;
  readonly #results: Result[] = [];
  readonly #examples: PlayedExample[] = [];
  readonly #told = new Set<Deviation>();
  /** The texts that were made up. */
  readonly #fresh = new Set<string>();
  #report: Reporter = () => undefined;
  #part = 0;
  #isOver = false;

  constructor(document: Specification, options: TestOptions) {
    const { credentials = {}, now = Date.now, ahead = () => 0, answerMs = usualMs } = options;
    const { wait = pause, patienceMs = usualPatienceMs, graceMs = patienceMs, signal } = options;
    this.#specification = { ...document, credentials: new Set(Object.keys(credentials)) };
    this.#verdicts = new Verdicts(this.#specification);
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, '');
    this.#begunMs = now();
    this.#heeding = untilUnanswered(client(waiting(answerMs)), 6 * answerMs, now);
    this.#journal = journal(this.#heeding, (options.sequences ?? 0) > 0);
    this.#client = heard(this.#journal.client, now, (exchange, sentMs) => {
      signal?.throwIfAborted();
      if (this.#isOver) return;
      const tookMs = now() - sentMs;
      this.#tell({ kind: 'exchange', part: this.#part, exchange, sentMs: sentMs - this.#begunMs, tookMs });
    });
    this.#inventions = inventions(this.#specification, this.#url, schemas(this.#specification).resolve);
    const time = (): number => now() + ahead();
    this.#target = {
      specification: this.#specification,
      url: this.#url,
      send: (message) => sent(this.#client, this.#url, message),
      now: time,
      credentials,
      wait: async (ms, met) => {
        if (ms > soonMs && !this.#isOver) this.#tell({ kind: 'waiting', part: this.#part, mostMs: ms });
        await wait(ms, met);
      },
      patienceMs,
      isClockSet: options.wait !== undefined,
      listening: listening(options, time),
      graceMs,
    };
  }

  /** Runs the test, once. Whatever happens, nothing listens any more after it. */
  async report(): Promise<Report> {
    try {
      return await this.#whole();
    } finally {
      await this.#target.listening?.close();
      this.#client.close();
    }
  }

  async #whole(): Promise<Report> {
    const { onEvent, signal, seed, plan, now = Date.now } = this.#options;
    const gathered = Promise.withResolvers<Report>();
    const gather = gathering(gathered.resolve);
    this.#report = (event) => {
      signal?.throwIfAborted();
      gather(event);
      onEvent?.(event);
    };
    const { file, name } = this.#specification;
    const specification = { file, name };
    const began = new Date(this.#begunMs).toISOString();
    this.#tell({ kind: 'run begins', version: streamVersion, specification, url: this.#url, seed, began });
    const searched = plan?.();
    // Whoever asks for it hears of it.
    searched?.catch(() => undefined);
    let cutShort: string | null = null;
    try {
      await this.#play(searched);
      this.#heeding.goOn();
      if (this.#hasBailed()) cutShort = 'ended after the first violation, and what is left was not tested';
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      cutShort = error.message;
    }
    const requests = this.#client.sent();
    const missed = searched && cutShort ? [] : this.#missed(await searched);
    if (cutShort === null) {
      this.#note(besides(this.#specification, this.#results, missed, this.#told));
      this.#note(notStated(this.#specification));
    }
    this.#isOver = true;
    try {
      await this.#findSequences();
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
    }
    const counts = countsOf(this.#results);
    this.#tell({
      kind: 'run ends',
      requests,
      tookMs: now() - this.#begunMs,
      counts,
      unnoticed: searched && !cutShort ? this.#unnoticed(missed) : [],
      repeated: this.#verdicts.repeated,
      inventions: this.#inventions.all().filter((each) => this.#isSelected({ ...each, address: '' })),
      examples: this.#examples,
      cutShort,
      inOrder: outcomeOf({ counts, cutShort }) === 'in order',
    });
    return await gathered.promise;
  }

  /** Examples, and then walks. */
  async #play(searched: Promise<Plan> | undefined): Promise<void> {
    const verdicts = this.#verdicts;
    const examples = new Examples(this.#target, verdicts);
    this.#begin();
    for await (const { played, results } of examples.play()) {
      this.#examples.push(played);
      this.#tell({ kind: 'example', part: this.#part, example: played });
      this.#note(results);
      if (this.#hasBailed()) return;
    }
    const planned = searched && {
      plan: () => searched,
      onTold: (deviation: Deviation) => void this.#told.add(deviation),
    };
    const { walks: requests = usualWalks(this.#specification, searched !== undefined), seed } = this.#options;
    const all = walks(this.#target, {
      requests,
      random: seeded(seed),
      texts: seeded(this.#begunMs ^ seed),
      verdicts,
      ...(examples.world && { begun: examples.world }),
      ...(planned && { planned }),
      fresh: this.#fresh,
      onJudged: ({ exchange }) => this.#look(exchange),
      onExchange: (exchange) => this.#look(exchange),
    });
    for await (const walk of all) {
      this.#heeding.goOn();
      this.#begin();
      this.#note(await walk());
      if (this.#hasBailed()) return;
    }
  }

  /** Looks for what nobody stated. */
  #look(exchange: Exchange): void {
    for (const invention of this.#inventions.note(exchange))
      if (this.#isSelected({ ...invention, address: '' }))
        this.#tell({ kind: 'invention', part: this.#part, invention });
  }

  #begin(): void {
    this.#part += 1;
    this.#tell({ kind: 'part begins', part: this.#part });
  }

  #note(results: readonly Result[]): void {
    for (const result of results) {
      if (!this.#isSelected({ operation: result.operation, address: result.statement.address })) continue;
      this.#results.push(result);
      this.#tell({ kind: 'result', part: this.#part, result });
    }
  }

  #hasBailed(): boolean {
    return (
      this.#options.bail === true &&
      this.#results.some(({ verdict, assumed }) => verdict === 'violates' && !assumed)
    );
  }

  #isSelected(about: Parameters<typeof isSelected>[1]): boolean {
    return isSelected(this.#options.selection, about);
  }

  #tell(event: Parameters<Reporter>[0]): void {
    this.#report(event);
  }

  /** The deviations that this run would not notice: those that no walk tells, and those whose request was not sent. */
  #missed(plan: Plan | undefined): readonly Missed[] {
    if (plan === undefined)
      return deviationsOf(this.#specification).map((deviation) => ({ deviation, reason: undefined }));
    const unsent = [...plan.told.keys()].filter((deviation) => !this.#told.has(deviation));
    return [...plan.untold, ...unsent.map((deviation) => ({ deviation, reason: 'not reached' as const }))];
  }

  #unnoticed(missed: readonly Missed[]): Unnoticed[] {
    return missed.flatMap(({ deviation, reason }) => {
      const { said, says } = deviation;
      const operation = operationOf(deviation, this.#specification);
      const isAsked = reason !== undefined && this.#isSelected({ operation, address: said.address });
      return isAsked ? [{ address: said.address, at: at(said.at), says, reason }] : [];
    });
  }

  /** Looks for the fewest requests that lead to each violation. */
  async #findSequences(): Promise<void> {
    const { sequences = 0, credentials = {}, seed, now = Date.now } = this.#options;
    const violations = this.#results.filter(({ verdict }) => verdict === 'violates');
    const search = {
      specification: this.#specification,
      url: this.#url,
      entries: this.#journal.entries,
      fresh: this.#fresh,
      client: this.#client,
      random: seeded(this.#begunMs ^ seed),
      now,
      judge: (isMeant: (result: Result) => boolean, groups: readonly (readonly Recorded[])[]) =>
        judgedAnew(this.#specification, isMeant, groups, { credentials, url: this.#url }),
    };
    const hide = hidingFrom(this.#specification, credentials, this.#url);
    for await (const [result, found] of shortestOf(violations, search, sequences)) {
      const violation = foundOf(result, found.sequence, hide);
      this.#tell({ kind: 'sequence', violation, exchanges: found.exchanges });
    }
  }
}

/** A wait that is no longer is not told of, in milliseconds. */
const soonMs = 500;

/** Lets time pass by the machine's clock. */
export async function pause(ms: number, met?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, met && { signal: met }).catch(() => undefined);
}
