import { classes, diff } from '../../diff/diff.ts';
import { Refused } from '../../load/refused.ts';
import { status } from '../../report/status.ts';
import type { Handlers } from '../../service/handlers/worked.ts';
import type { Service, ServiceOptions } from '../../service/service.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Reader } from '../../specification/read.ts';
import {
  count,
  documentOf,
  type Given,
  hasErrors,
  printDiagnostics,
  readDocument,
  type Terminal,
} from '../command.ts';
import { titles } from '../diff/pretty.ts';
import { greeting } from '../serve/greeting.ts';
import { optionsOf, start, withHandlers } from '../serve.ts';
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
  #running: Running | undefined;

  constructor(given: Given, terminal: Terminal, handlers: Handlers) {
    this.#given = given;
    this.#handlers = handlers;
    this.#terminal = terminal;
    this.#document = documentOf(given);
  }

  /** Starts with what the document states; one with errors is waited for. Throws {@link UsageError} where it cannot start. */
  async start(): Promise<void> {
    const specification = this.#accepted(readDocument(this.#given));
    if (specification) await this.#begin(specification);
  }

  /** Goes on with what the document states now, or where that cannot be, with what it stated last. */
  async update(): Promise<void> {
    try {
      const specification = this.#accepted(readDocument(this.#given));
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
    if (!hasErrors(diagnostics)) return withHandlers(specification, this.#handlers);
    const errors = diagnostics.filter((one) => one.severity === 'error').length;
    this.#terminal.error(`${this.#document}: ${count(errors, 'error')}; ${this.#meanwhile()}\n`);
    return undefined;
  }

  #meanwhile(): string {
    return this.#running ? 'what it stated before is still served' : 'nothing is served until it is mended';
  }

  async #begin(specification: Specification): Promise<void> {
    const options = { ...optionsOf(this.#given, specification, this.#terminal), handlers: this.#handlers };
    const service = await start(specification, options);
    this.#running = { specification, service, options };
    this.#terminal.out(greeting(specification, service, options.data, this.#terminal));
    this.#terminal.out(`\nfollowing ${this.#document}\n`);
  }

  /** One service after the other on the same port and data, which only one can have. */
  async #replace(before: Running, specification: Specification): Promise<void> {
    const port = Number(new URL(before.service.address).port);
    const asked = optionsOf(this.#given, specification, this.#terminal);
    const options = { ...asked, port, handlers: this.#handlers };
    await before.service.close();
    this.#running = undefined;
    try {
      this.#running = { specification, options, service: await start(specification, options) };
    } catch (error) {
      const former = { ...before.options, port };
      this.#running = { ...before, options: former, service: await start(before.specification, former) };
      throw error;
    }
    this.#terminal.out(told(this.#document, before.specification, specification));
  }
}

/** What an edit came to, in a line or three. */
function told(document: string, before: Specification, after: Specification): string {
  const { counts } = diff(before, after);
  const changed = classes.filter((one) => counts[one] > 0);
  const what = changed.map((one) => `${counts[one]} ${titles[one].counted}`).join(', ');
  const [old, now] = [runs(before), runs(after)];
  const line = (title: string, names: readonly string[]): string =>
    names.length === 0 ? '' : `  ${title}: ${names.join(', ')}\n`;
  return [
    `${document}: ${what || 'states the same'}; runs ${now.length} of ${count(after.operations.length, 'operation')}\n`,
    line(
      'now runs',
      now.filter((name) => !old.includes(name)),
    ),
    line(
      'runs no longer',
      old.filter((name) => !now.includes(name)),
    ),
  ].join('');
}

/** The operations that can be carried out. */
function runs(specification: Specification): string[] {
  const points = status(specification).parts.flatMap((part) => part.points);
  const held = new Set(points.flatMap((point) => [...point.holds, ...(point.notRun ?? [])]));
  return specification.operations.map(({ name }) => name).filter((name) => !held.has(name));
}
