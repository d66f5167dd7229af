import type { DeskClock } from '../../console/desk.ts';
import { type Effect, effectInSteps } from '../../console/editing/effect.ts';
import type { Class } from '../../diff/diff.ts';
import { titles } from '../../diff/words.ts';
import { readWithLedgerInSteps } from '../../load/document.ts';
import { Refused } from '../../load/refused.ts';
import type { Handlers } from '../../service/handlers/worked.ts';
import type { Service, ServiceOptions } from '../../service/service.ts';
import { isPostgres } from '../../service/store/open.ts';
import { atOnce, inTurns, type Steps } from '../../source/turns.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Reader } from '../../specification/read.ts';
import {
  count,
  documentOf,
  type Given,
  hasErrors,
  printDiagnostics,
  type Terminal,
  text,
} from '../command.ts';
import { greeting } from '../serve/greeting.ts';
import { movedClock } from '../serve/moved-clock.ts';
import { optionsOf } from '../serve/options.ts';
import { heardBy } from '../serve/run.ts';
import { start, withHandlers } from '../serve/start.ts';
import { UsageError } from '../usage.ts';

/** What runs, and what it was made from. */
interface Running {
  readonly specification: Specification;
  readonly service: Service;
  readonly options: ServiceOptions & { readonly data: string };
}

/** A service that follows its document: the last good statements are what runs. */
export class Follower {
  readonly #given: Given;
  readonly #terminal: Terminal;
  readonly #document: string;
  readonly #handlers: Handlers;
  readonly #hears: Pick<ServiceOptions, 'onAnswered'>;
  /** All services go by it, one after the other, so that an edit does not set the time back. */
  readonly #clock = movedClock();
  #ledger: string | undefined;
  #reader: Reader | undefined;
  #running: Running | undefined;

  /** @param hears told of what the service answers, beside the log */
  constructor(
    given: Given,
    terminal: Terminal,
    handlers: Handlers,
    hears: Pick<ServiceOptions, 'onAnswered'> = {},
  ) {
    this.#given = given;
    this.#handlers = handlers;
    this.#terminal = terminal;
    this.#document = documentOf(given);
    this.#ledger = text(given, 'assume');
    this.#hears = hears;
  }

  /** The ledger of assumptions, if one is used. */
  get ledger(): string | undefined {
    return this.#ledger;
  }

  set ledger(file: string) {
    this.#ledger = file;
  }

  /** What was read last, with its faults. Throws {@link Refused} where nothing could be read. */
  get reader(): Reader {
    return this.#reader ?? atOnce(this.#read());
  }

  /** What runs, and where; null: nothing does. */
  get running(): Running | null {
    return this.#running ?? null;
  }

  /** The clock of the service that runs. Null: none runs, nobody asks to move it, or the time is PostgreSQL's. */
  get clock(): DeskClock | null {
    const running = this.#running;
    if (running === undefined || !this.#isMoved(running.options)) return null;
    const { aheadMs, move } = this.#clock;
    return { aheadMs: aheadMs(), pass: async (ms) => void (await move(aheadMs() + ms, running.service)) };
  }

  #isMoved({ data }: Pick<Running['options'], 'data'>): boolean {
    return this.#hears.onAnswered !== undefined && !isPostgres(data);
  }

  *#read(): Steps<Reader> {
    const guesses = this.#given.values['no-guesses'] === true ? 'none' : 'all';
    const reader = yield* readWithLedgerInSteps(this.#document, this.#ledger, guesses);
    this.#reader = { ...reader, specification: withHandlers(reader.specification, this.#handlers) };
    return this.#reader;
  }

  /** Starts with what the document states; one with errors is waited for. Throws {@link UsageError} where it cannot start. */
  async start(): Promise<void> {
    const specification = this.#accepted(atOnce(this.#read()));
    if (specification) await this.#begin(specification);
  }

  /**
   * Goes on with what the document states now, or where that cannot be, with what it stated last. What was read before
   * is served and shown until the new text is read.
   */
  async update(): Promise<void> {
    try {
      const specification = this.#accepted(await inTurns(this.#read()));
      if (specification === undefined) return;
      if (this.#running) await this.#replace(this.#running, specification);
      else await this.#begin(specification);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#terminal.error(`${error.message}; ${this.#meanwhile()}\n`);
    }
  }

  async close(): Promise<void> {
    await this.#running?.service.close();
    this.#running = undefined;
  }

  #accepted({ specification, diagnostics }: Reader): Specification | undefined {
    printDiagnostics(diagnostics, this.#terminal);
    if (!hasErrors(diagnostics)) return specification;
    const errors = diagnostics.filter((one) => one.severity === 'error').length;
    this.#terminal.error(`${this.#document}: ${count(errors, 'error')}; ${this.#meanwhile()}\n`);
    return undefined;
  }

  #meanwhile(): string {
    return this.#running ? 'what it stated before is still served' : 'nothing is served until it is mended';
  }

  async #begin(specification: Specification): Promise<void> {
    const options = this.#optionsOf(specification);
    const service = await start(specification, options);
    this.#running = { specification, service, options };
    this.#terminal.out(greeting(specification, service, options.data, this.#terminal));
    this.#terminal.out(`\nfollowing ${this.#document}\n`);
  }

  #optionsOf(specification: Specification): Running['options'] {
    const options = optionsOf(this.#given, specification, this.#terminal);
    const { onAnswered } = this.#hears;
    const { milliseconds, wake } = this.#clock.options;
    return {
      ...options,
      ...(onAnswered && {
        ...heardBy(options, { hears: { onAnswered } }),
        tellsItems: true,
        keepsContent: true,
      }),
      ...(this.#isMoved(options) && { milliseconds, wake }),
      handlers: this.#handlers,
    };
  }

  /** One service after the other on the same port and data, which only one can have. */
  async #replace(before: Running, specification: Specification): Promise<void> {
    const port = Number(new URL(before.service.address).port);
    const options = { ...this.#optionsOf(specification), port };
    await before.service.close();
    this.#running = undefined;
    try {
      this.#running = { specification, options, service: await start(specification, options) };
    } catch (error) {
      const former = { ...before.options, port };
      this.#running = { ...before, options: former, service: await start(before.specification, former) };
      throw error;
    }
    const effect = await inTurns(effectInSteps(before.specification, specification));
    this.#terminal.out(told(this.#document, effect));
  }
}

/** What an edit came to, in a line or three. */
function told(document: string, { counts, runs, operations, nowRuns, runsNoLonger }: Effect): string {
  const what = Object.entries(counts).map(([one, of]) => `${of} ${titles[one as Class].counted}`);
  const line = (title: string, names: readonly string[]): string =>
    names.length === 0 ? '' : `  ${title}: ${names.join(', ')}\n`;
  return [
    `${document}: ${what.join(', ') || 'states the same'}; runs ${runs} of ${count(operations, 'operation')}\n`,
    line('now runs', nowRuns),
    line('runs no longer', runsNoLonger),
  ].join('');
}
