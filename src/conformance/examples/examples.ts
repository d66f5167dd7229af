import { at } from '../../source/text.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import type { GivenCredentials } from '../access/wallet.ts';
import { type Planned, type Result, scenario, Unreached } from '../check.ts';
import { touchedBy } from '../foresee/also.ts';
import { succeeded } from '../guards.ts';
import type { Exchange } from '../http.ts';
import { look } from '../look.ts';
import { askedOf } from '../perform.ts';
import type { Names } from '../solve.ts';
import { looksAsStated } from '../success.ts';
import { type Done, heldUp, restsOf, send, type Trial } from '../trial.ts';
import { namesOf } from './answers.ts';
import { type Difference, differences } from './differences.ts';
import { requestOf } from './request.ts';

/** An example, and what came of it. It judges no statement (language §4.6). */
export interface PlayedExample {
  /** `OPERATION.EXAMPLE`. */
  readonly name: string;
  readonly address: Address;
  readonly at: string;
  /** `otherwise`: the answer differs from what its author expects. */
  readonly outcome: 'as expected' | 'otherwise' | 'not played';
  /** Where it was not played: why. */
  readonly reason?: string;
  /** Where it was not played: the open points that it needs. */
  readonly points?: readonly Address[];
  readonly differences: readonly Difference[];
  readonly exchange: Exchange | null;
}

interface Known extends Pick<PlayedExample, 'name' | 'address' | 'at'> {
  readonly operation: Operation;
  readonly example: Example;
}

/** What an example came to: its answer, or why there is none. */
type Played = { readonly done: Done } | { readonly unreached: Unreached };

/**
 * The examples of a document as scenarios, each after those that it names in `after`. A scenario judges the answer by
 * the statements. In what it differs from the one that the example shows is told apart.
 *
 * @param given the operator's credentials
 * @param tell hears what came of each example, once
 */
export function* examples(
  trial: Trial,
  given: GivenCredentials,
  tell: (played: PlayedExample) => void,
): Iterable<Planned> {
  const all = examplesOf(trial.of);
  const played = new Map<string, Played>();
  const told = new Set<string>();
  for (const known of inOrder(all)) {
    const { name, operation } = known;
    const isJudged = heldUp(trial.of, operation) === null;
    const checks = isJudged ? looksAsStated(trial, operation) : [];
    const run = async (): Promise<Result[]> => {
      // Asked for again, it begins anew.
      if (played.has(name)) played.clear();
      const result = await play(trial, all, played, known, given);
      if (!told.has(name)) tell(outcomeOf(known, result, answersTo(known, played)));
      told.add(name);
      if (!('done' in result)) return [];
      const judging = scenario(trial.of, restsOf(operation), () => Promise.resolve(result.done), checks);
      // What the answer does not show is judged elsewhere.
      return (await judging.run()).filter(({ verdict }) => ['conforms', 'violates'].includes(verdict));
    };
    yield { part: 'endpoints', scenario: { run, checks }, once: true };
  }
}

function examplesOf({ operations }: Specification): ReadonlyMap<string, Known> {
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

/** Each after those that it names; in a circle, none comes twice. */
function inOrder(all: ReadonlyMap<string, Known>): Iterable<Known> {
  const found = new Set<Known>();
  const under = new Set<string>();
  const add = (name: string): void => {
    const known = all.get(name);
    if (!known || under.has(name)) return;
    under.add(name);
    for (const [, earlier] of earlierOf(known)) add(earlier);
    found.add(known);
  };
  for (const name of all.keys()) add(name);
  return found;
}

/** The examples that come before, by the names of their answers. */
function earlierOf({ example }: Known): readonly (readonly [string, string])[] {
  return [...(stated(example.after) ?? [])].flatMap(([name, said]) => {
    const earlier = stated(said)?.text;
    return earlier === undefined ? [] : [[name, earlier] as const];
  });
}

/** Plays an example, and before it those of the earlier ones that were not played yet. */
async function play(
  trial: Trial,
  all: ReadonlyMap<string, Known>,
  played: Map<string, Played>,
  known: Known,
  given: GivenCredentials,
): Promise<Played> {
  const before = played.get(known.name);
  if (before) return before;
  let result: Played;
  try {
    for (const [, earlier] of earlierOf(known)) {
      const other = all.get(earlier);
      const found = other && (await play(trial, all, played, other, given));
      if (!found || !('done' in found)) throw new Unreached(`${earlier}, which comes before, was not played`);
    }
    result = { done: await sent(trial, known, answersTo(known, played), given) };
  } catch (error) {
    if (!(error instanceof Unreached)) throw error;
    result = { unreached: error };
  }
  played.set(known.name, result);
  return result;
}

async function sent(
  trial: Trial,
  { operation, example }: Known,
  names: Names,
  given: GivenCredentials,
): Promise<Done> {
  const { request, attempt } = requestOf(trial, operation, example, names, given);
  const exchange = await send(trial, request, askedOf(trial, operation, attempt, request));
  if (exchange.response === null) throw new Unreached(`no answer came: ${exchange.failure}`);
  if (mayChange(operation) && succeeded(exchange, operation).value !== false)
    for (const name of [operation.subject?.name ?? '', ...touchedBy(trial.of, operation)])
      trial.exampled.add(name);
  return look(trial, operation, attempt, exchange);
}

/** Whether an operation may change an item that was there before. */
function mayChange({ method, does, endpoint }: Operation): boolean {
  const change = stated(does);
  const isNew = change?.verb === 'create' && change.qualifiers.present.kind !== 'stated';
  return method !== 'GET' && !(isNew && endpoint.also.kind !== 'stated');
}

/** The answers to the examples that come before, by their names. */
function answersTo(known: Known, played: ReadonlyMap<string, Played>): Names {
  const answers = earlierOf(known).flatMap(([name, earlier]) => {
    const found = played.get(earlier);
    return found && 'done' in found ? [[name, found.done.exchange] as const] : [];
  });
  return namesOf(known.example, answers);
}

function outcomeOf(known: Known, result: Played, names: Names): PlayedExample {
  const { name, address, at: place, example } = known;
  const about = { name, address, at: place };
  if (!('done' in result)) {
    const { message: reason, points } = result.unreached;
    const none = { ...about, outcome: 'not played', reason, differences: [], exchange: null } as const;
    return points.length === 0 ? none : { ...none, points };
  }
  const { exchange } = result.done;
  const found = differences(example.response, exchange, names);
  return {
    ...about,
    outcome: found.length === 0 ? 'as expected' : 'otherwise',
    differences: found,
    exchange,
  };
}
