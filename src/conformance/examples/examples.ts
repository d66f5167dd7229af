import type { World } from '../../semantics/world/world.ts';
import { at } from '../../source/text.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import { operatorsOf } from '../access/given.ts';
import type { Exchange, Request } from '../http.ts';
import type { Target } from '../play/target.ts';
import { type Result, Unreached } from '../result.ts';
import { Following } from '../traffic/following.ts';
import type { Verdicts } from '../verdicts/verdicts.ts';
import { type Difference, differences } from './differences.ts';
import { requestOf } from './request.ts';
import { type Names, namesOf } from './values.ts';

/** An example, and what came of it. It judges no statement (language §4.6). */
export interface PlayedExample {
  /** `OPERATION.EXAMPLE`. */
  readonly name: string;
  readonly address: Address;
  readonly at: string;
  /** `otherwise`: the answer differs from what its author expects. */
  readonly outcome: 'as expected' | 'otherwise' | 'not played';
  /** If it was not played: why. */
  readonly reason?: string;
  /** If it was not played: the open points that it needs. */
  readonly points?: readonly Address[];
  readonly differences: readonly Difference[];
  readonly exchange: Exchange | null;
}

/** An example with its place. */
export interface Known extends Pick<PlayedExample, 'name' | 'address' | 'at'> {
  readonly operation: Operation;
  readonly example: Example;
}

/** Plays the examples of a document, each once, and after those that it names in `after`. */
export class Examples {
  readonly #target: Target;
  readonly #all: ReadonlyMap<string, Known>;
  readonly #played = new Map<string, Exchange | Unreached>();
  readonly #verdicts: Verdicts;
  /** What is known if others use the service, and if nobody does. */
  readonly #among: Following;
  readonly #alone: Following;
  #isAlone = true;
  /** The verdicts on answers that were not given out yet. */
  #results: Result[] = [];

  constructor(target: Target, verdicts: Verdicts) {
    const { specification, url, credentials } = target;
    const beginning = { specification, url, operators: operatorsOf(credentials) };
    this.#target = target;
    this.#verdicts = verdicts;
    this.#all = examplesOf(specification);
    this.#among = new Following({ ...beginning, isClosed: false });
    this.#alone = new Following({ ...beginning, isClosed: true });
  }

  /** What is known after them if nobody else uses the service; null: that is not known. */
  get world(): World | null {
    const [world, ...others] = this.#alone.worlds;
    return this.#isAlone && world && others.length === 0 && !world.isShared ? world : null;
  }

  /** Plays the next example, with the verdicts on its answer by the statements. */
  async *play(): AsyncIterable<{ readonly played: PlayedExample; readonly results: readonly Result[] }> {
    for (const known of this.#all.values()) {
      const found = await this.#exchangeOf(known);
      yield { played: this.#outcomeOf(known, found), results: this.#results };
      this.#results = [];
    }
  }

  async #exchangeOf(known: Known, under: readonly Known[] = []): Promise<Exchange | Unreached> {
    const before = this.#played.get(known.name);
    if (before) return before;
    const found = await this.#send(known, [...under, known]);
    this.#played.set(known.name, found);
    return found;
  }

  async #send(known: Known, under: readonly Known[]): Promise<Exchange | Unreached> {
    const { specification, url, credentials: given } = this.#target;
    try {
      for (const [, earlier] of earlierOf(known)) {
        const other = this.#all.get(earlier);
        const isPlayed = other && !under.includes(other) ? await this.#exchangeOf(other, under) : null;
        if (isPlayed === null || isPlayed instanceof Unreached)
          throw new Unreached(`${earlier}, which comes before, was not played`);
      }
      const sending = { specification, url, given };
      return await this.#exchanged(requestOf(sending, known.operation, known.example, this.#namesFor(known)));
    } catch (error) {
      if (error instanceof Unreached) return error;
      throw error;
    }
  }

  async #exchanged({ method, url: whole, headers, body }: Request): Promise<Exchange> {
    const { url, now, send } = this.#target;
    const sentMs = now();
    const path = whole.slice(url.length);
    const fields = Object.fromEntries(headers);
    const exchange = await send({ method, path, headers: fields, body: body ?? undefined });
    const recorded = { exchange, sentMs, tookMs: now() - sentMs };
    for (const { operation, settled } of this.#alone.note([recorded]))
      this.#isAlone &&= operation === null || settled?.differences.length === 0;
    for (const { operation, settled } of this.#among.note([recorded]))
      if (operation && settled) this.#results.push(...this.#verdicts.note(operation, exchange, settled));
    if (exchange.response === null) throw new Unreached(`no answer came: ${exchange.failure}`);
    return exchange;
  }

  /** The answers to the examples that come before, by their names. */
  #namesFor(known: Known): Names {
    const answers = earlierOf(known).flatMap(([name, earlier]) => {
      const found = this.#played.get(earlier);
      return found && !(found instanceof Unreached) ? [[name, found] as const] : [];
    });
    return namesOf(known.example, answers);
  }

  #outcomeOf(known: Known, found: Exchange | Unreached): PlayedExample {
    const { name, address, at: place, example } = known;
    const about = { name, address, at: place };
    if (found instanceof Unreached) {
      const { message: reason, points } = found;
      const none = { ...about, outcome: 'not played', reason, differences: [], exchange: null } as const;
      return points.length === 0 ? none : { ...none, points };
    }
    const { specification } = this.#target;
    const unlike = differences(example.response, found, this.#namesFor(known), specification);
    return {
      ...about,
      outcome: unlike.length === 0 ? 'as expected' : 'otherwise',
      differences: unlike,
      exchange: found,
    };
  }
}

/** The examples of a document, by name. */
export function examplesOf({ operations }: Specification): ReadonlyMap<string, Known> {
  const found = new Map<string, Known>();
  for (const operation of operations)
    for (const [own, said] of operation.endpoint.examples) {
      const example = stated(said);
      const name = `${operation.name}.${own}`;
      const address = step(step(operation.address, 'examples'), own);
      if (example) found.set(name, { name, address, at: at(said.at), operation, example });
    }
  return found;
}

/** The examples that come before, by the names of their answers. */
function earlierOf({ example }: Known): readonly (readonly [string, string])[] {
  return [...(stated(example.after) ?? [])].flatMap(([name, said]) => {
    const earlier = stated(said)?.text;
    return earlier === undefined ? [] : [[name, earlier] as const];
  });
}
