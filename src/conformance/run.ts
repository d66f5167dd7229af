import { setTimeout } from 'node:timers/promises';
import { at } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { enter, type GivenCredentials, renewed, usual } from './access/wallet.ts';
import type { Described, Planned, Result, Scenario, Unchecked } from './check.ts';
import type { Deviation } from './deviations/deviation.ts';
import { type ListeningOptions, listening } from './events/listening.ts';
import { examples, type PlayedExample } from './examples/examples.ts';
import { type Client, client, type Exchange, type Request, usualMs, waiting } from './http.ts';
import { inventions } from './inventions/inventions.ts';
import { relieved } from './limits/relief.ts';
import { noteDuration } from './limits/times.ts';
import { walks } from './play/play.ts';
import { sent, type Target } from './play/target.ts';
import { seeded } from './random.ts';
import { groups } from './refusals/groups.ts';
import { uncaused } from './refusals/uncaused.ts';
import { gathering, type Report } from './report.ts';
import { scenariosOf } from './scenarios.ts';
import { schemas } from './schema.ts';
import type { Plan } from './search/plan.ts';
import { hidingFrom } from './sequences/hiding.ts';
import { journal } from './sequences/journal.ts';
import { foundOf, violations } from './sequences/search.ts';
import { newestOf, speaking } from './spoken.ts';
import { cameByTimer } from './states/by-timer.ts';
import { forgottenInTime } from './states/timers.ts';
import { stocked, stockedAs, stockUp } from './stock.ts';
import { type Reporter, streamVersion, type Unnoticed } from './stream.ts';
import { countsOf, inOrderOfParts, outcomeOf } from './summary.ts';
import { apartMs, type Trial } from './trial.ts';
import { Unanswered, untilUnanswered } from './unanswered.ts';
import { values } from './values.ts';
import { operationAbout } from './verdicts/operation.ts';
import { isSelected, mayJudge, type Selection } from './verdicts/selection.ts';

export type { Report };

export interface TestOptions extends ListeningOptions {
  /** Where the implementation is: the address that its operator makes it reachable at (language §F.1). */
  readonly url: string;
  /** Decides every value that is sent but identifiers: the same seed, the same requests. */
  readonly seed: number;
  /** Credentials that the tester cannot come by itself: by scheme, secrets by the names of who has them. */
  readonly credentials?: GivenCredentials;
  /** The time in milliseconds, for `tookMs` and for identifiers; the machine's where it is left out. */
  readonly now?: () => number;
  /** How far the implementation's clock is ahead of that, in milliseconds; 0 where it is left out. */
  readonly ahead?: () => number;
  /** Lets so many milliseconds pass; the machine's clock where it is left out. */
  readonly wait?: (ms: number, met?: AbortSignal) => Promise<void>;
  /** How long a time that is stated, as of a timer or a rate, is waited for, in milliseconds; 5000 where it is left out. */
  readonly patienceMs?: number;
  /** How long an answer is waited for, in milliseconds; 10 000 where it is left out. */
  readonly answerMs?: number;
  /** How long is waited for what is to come, and of which no time is stated, in milliseconds; `patienceMs` where it is left out. */
  readonly graceMs?: number;
  /** Ends the run after the request under way; the reason of the signal is thrown. */
  readonly signal?: AbortSignal;
  /** How many requests are sent first in walks, which follow from one another over the whole service. Default: 0 */
  readonly walks?: number;
  /** What a search in memory found, whose requests are sent, too. It is asked for once, at the beginning. Default: nothing */
  readonly plan?: () => Promise<Plan>;
  /** For how many kinds of violations the fewest requests that lead there are looked for, after all was tested; 0 where it is left out. */
  readonly sequences?: number;
  /** What alone is judged; all where it is left out. */
  readonly selection?: Selection | undefined;
  /** Whether the run ends after the first violation that does not rest on an assumption. Default: false */
  readonly bail?: boolean;
  /** Of all checks these alone, with what is judged by the same requests; all where it is left out. */
  readonly only?: (check: Described) => boolean;
  /** Hears what happens in the run, as it does. */
  readonly onEvent?: Reporter;
}

/** How long a time that is stated is waited for, in milliseconds, where nobody says otherwise. */
export const usualPatienceMs = 5000;

/**
 * Tests an implementation, whoever wrote it, against what a specification states, and nothing more (language §F.2).
 * Requests are sent one after another; what one scenario relies on it has observed itself (language §F.3).
 *
 * Throws `Unreachable` where nothing answers at the address.
 */
export async function testService(document: Specification, options: TestOptions): Promise<Report> {
  const { url, seed, now = Date.now, wait = pause, patienceMs = usualPatienceMs, signal } = options;
  const { credentials = {}, answerMs = usualMs, graceMs = patienceMs, ahead = () => 0, onEvent } = options;
  const { selection, bail = false } = options;
  const of = { ...document, credentials: new Set(Object.keys(credentials)) };
  const begun = now();
  const time = (): number => now() + ahead();
  const address = url.replace(/\/+$/, '');
  const specification = { file: of.file, name: of.name };
  const gathered = Promise.withResolvers<Report>();
  const gather = gathering(gathered.resolve);
  const report: Reporter = (event) => {
    signal?.throwIfAborted();
    gather(event);
    onEvent?.(event);
  };
  let scenarios = 0;
  let exchanges: Exchange[] = [];
  let isSearching = false;
  let isBailed = false;
  const heeding = untilUnanswered(client(waiting(answerMs)), 6 * answerMs, now);
  const kept = journal(heeding, (options.sequences ?? 0) > 0);
  const connection = heard(kept.client, now, (exchange, sentAt) => {
    signal?.throwIfAborted();
    const tookMs = now() - sentAt;
    noteDuration(exchange, tookMs);
    if (isSearching) return;
    exchanges.push(exchange);
    report({ kind: 'exchange', scenario: scenarios, exchange, sentMs: sentAt - begun, tookMs });
  });
  const random = seeded(seed);
  const unused = seeded(begun ^ seed);
  const schemaTools = schemas(of);
  const seen = inventions(of, address, schemaTools.resolve);
  const trial: Trial = {
    persona: null,
    cast: [],
    personas: [],
    enter: (like) => enter(trial, like),
    renew: (persona) => renewed(trial, persona),
    of,
    url: address,
    witnesses: new Set(),
    listening: listening(options, time),
    client: looking(speaking(connection, of, address, newestOf(of)), newestOf(of), (exchange, asked) => {
      if (isSearching) return;
      for (const invention of seen.note(exchange, asked))
        if (isSelected(selection, { ...invention, address: '' }))
          report({ kind: 'invention', scenario: scenarios, invention });
    }),
    tools: { ...schemaTools, ...values(schemaTools, random) },
    random,
    fresh: { values: values(schemaTools, unused), random: unused, used: new Set() },
    now: time,
    clock: () => [rfc3339(begun - apartMs), rfc3339(time() + apartMs)],
    wait: async (ms, what, met) => {
      if (ms > soonMs && !isSearching) report({ kind: 'waiting', scenario: scenarios, what, mostMs: ms });
      await wait(ms, met);
    },
    patienceMs,
    graceMs,
    waits: { now: false },
    come: (resource) => cameByTimer(trial, resource),
    seenLists: new Map(),
    groups: groups(),
    spares: new Map(),
    stock: new Map(),
    stocked: (resource, isFit) => (isFit ? stockedAs(trial, resource, isFit) : stocked(trial, resource)),
    around: new Map(),
    makers: new Map(),
    pace: new Map(),
    exampled: new Set(),
    seen: new Map(),
  };
  const results: Result[] = [];
  const unchecked: Unchecked[] = [];
  const began = new Date(begun).toISOString();
  const violated = violations(options.sequences ?? 0);
  const afresh = async (): Promise<void> => {
    const { seenLists, spares, stock, around, makers, seen } = trial;
    for (const known of [seenLists, spares, stock, around, makers, seen]) known.clear();
    for (const asked of [trial.cast, trial.personas]) asked.length = 0;
    trial.persona = null;
    if (of.authentication.kind === 'stated') trial.persona = await usual(trial, credentials);
    if (of.operations.length > 0) await stockUp(trial);
  };
  const again: Planned[] = [];
  const judge = async (planned: Planned): Promise<void> => {
    const { part, scenario, once, run = scenario.run } = planned;
    if (options.only && scenario.checks?.some(options.only) !== true) return;
    if (!mayJudge(of, selection, scenario.checks)) return;
    heeding.goOn();
    if (forgottenInTime(trial)) await stockUp(trial);
    await relieved(trial);
    for (const each of scenario.unchecked ?? [])
      if (isSelected(selection, { ...each, operation: null })) unchecked.push(each);
    scenarios += 1;
    exchanges = [];
    const from = kept.entries.length;
    report({ kind: 'scenario begins', scenario: scenarios, part });
    const since = now();
    const all = await run();
    if (!once && isUnexercised(all)) {
      again.push({ ...planned, once: true });
      return;
    }
    for (const [index, judged] of all.entries()) {
      const operation = operationAbout(of, address, judged);
      if (!isSelected(selection, { operation, address: judged.statement.address })) continue;
      const tookMs = index === 0 ? now() - since : 0;
      const about = { ...withSequence(judged, exchanges), ...(operation !== undefined && { operation }) };
      const result = { ...about, tookMs };
      results.push(result);
      violated.note(judged, scenario, from);
      report({ kind: 'result', scenario: scenarios, result });
      isBailed ||= bail && result.verdict === 'violates' && !result.assumed;
    }
  };
  const judgeAll = async (all: Iterable<Planned> | AsyncIterable<Planned>): Promise<void> => {
    for await (const planned of all) {
      if (isBailed) return;
      await judge(planned);
    }
  };
  const searched = options.plan?.();
  // Whoever asks for it hears of it.
  searched?.catch(() => undefined);
  const told = new Set<Deviation>();
  const played: PlayedExample[] = [];
  const noteExample = (example: PlayedExample): void => {
    played.push(example);
    report({ kind: 'example', scenario: scenarios, example });
  };
  let requests: number | null = null;
  let cutShort: string | null = null;
  report({ kind: 'run begins', version: streamVersion, specification, url: address, seed, began });
  try {
    const target: Target = {
      specification: of,
      url: address,
      send: (message) => sent(trial.client, address, message),
      now: time,
      credentials,
      wait,
      patienceMs,
      isClockSet: options.wait !== undefined,
      listening: trial.listening,
      graceMs,
    };
    // They come first: they know all that is stored, as long as nobody else stored anything.
    const onTold = (deviation: Deviation): void => void told.add(deviation);
    const planned = searched && { walks: async () => (await searched).walks, onTold };
    const walking = { requests: options.walks ?? 0, random: seeded(seed), ...(planned && { planned }) };
    await judgeAll(plannedWalks(walks(target, walking)));
    if (!isBailed) await judgeAll(examples(trial, credentials, noteExample));
    if (!isBailed) await afresh();
    await judgeAll(scenariosOf(trial, again));
    await judgeAll(uncaused(of, results));
    if (isBailed) cutShort = 'ended after the first violation, and what is left was not tested';
    heeding.goOn();
    requests = connection.sent();
    isSearching = true;
    const evidence = { of, url: address, entries: kept.entries, fresh: trial.fresh.used };
    const search = { ...evidence, client: connection, random: unused, afresh };
    for await (const [result, found] of violated.search(search, now)) {
      const violation = foundOf(result, found.sequence, hidingFrom(of, credentials, address));
      report({ kind: 'sequence', violation, exchanges: found.exchanges });
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    if (!isSearching) cutShort = error.message;
  } finally {
    await trial.listening.close();
    connection.close();
  }
  const counts = countsOf(results);
  const inOrder = outcomeOf({ counts, cutShort }) === 'in order';
  const apart = inOrderOfParts(unchecked, ({ address }) => address);
  const ending = {
    tookMs: now() - begun,
    counts,
    unchecked: apart,
    unnoticed: searched && !cutShort ? unnoticedOf(of, await searched, told, selection) : [],
    repeated: [],
    inventions: seen.all().filter((each) => isSelected(selection, { ...each, address: '' })),
    examples: played,
    cutShort,
    inOrder,
  };
  report({ kind: 'run ends', requests: requests ?? connection.sent(), ...ending });
  return await gathered.promise;
}

/** The deviations that this run would not notice: those that no walk tells, and those whose request was not sent. */
function unnoticedOf(
  of: Specification,
  plan: Plan,
  told: ReadonlySet<Deviation>,
  selection: Selection | undefined,
): Unnoticed[] {
  const unsent = [...plan.told.keys()].filter((deviation) => !told.has(deviation));
  const all = [...plan.untold, ...unsent.map((deviation) => ({ deviation, reason: 'not reached' as const }))];
  return all.flatMap(({ deviation: { said, says, operation }, reason }) => {
    const { address } = said;
    const key = of.operations.find(
      (each) => address.startsWith(`${each.address}.`) || each.address === operation,
    )?.key;
    const isAsked = isSelected(selection, { operation: key, address });
    return isAsked ? [{ address, at: at(said.at), says, reason }] : [];
  });
}

async function* plannedWalks(walks: AsyncIterable<Scenario>): AsyncIterable<Planned> {
  for await (const scenario of walks) yield { part: 'endpoints', scenario, once: true };
}

function isUnexercised(results: readonly Result[]): boolean {
  return results.length > 0 && results.every(({ verdict }) => verdict === 'not exercised');
}

/** The client, with somebody who hears of every exchange, and of when its request was sent. */
function heard(
  client: Client,
  now: () => number,
  hear: (exchange: Exchange, sentAt: number) => void,
): Client {
  return {
    ...client,
    send: async (request) => {
      const sentAt = now();
      const exchange = await client.send(request);
      const { version: _, ...sent } = exchange.request;
      hear({ ...exchange, request: sent }, sentAt);
      return exchange;
    },
  };
}

/** The client, with somebody who looks at what is answered to requests of the newest version: those that it describes. */
function looking(
  client: Client,
  newest: string | undefined,
  look: (exchange: Exchange, asked: Request) => void,
): Client {
  return {
    ...client,
    send: async (request) => {
      const exchange = await client.send(request);
      if (request.version === undefined || request.version === newest) look(exchange, request);
      return exchange;
    },
  };
}

function rfc3339(ms: number): string {
  return new Date(ms).toISOString();
}

/** A wait that is no longer is not told of, in milliseconds. */
const soonMs = 500;

/** Lets time pass by the machine's clock. */
export async function pause(ms: number, met?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, met && { signal: met }).catch(() => undefined);
}

/** A violation with what led to it in its scenario, the exchange that decides last, where it does not say itself. */
function withSequence(result: Result, exchanges: readonly Exchange[]): Result {
  if (result.verdict !== 'violates' || result.sequence) return result;
  const last = exchanges.findLastIndex(({ response }) => response === result.response);
  return { ...result, sequence: last === -1 ? [...exchanges] : exchanges.slice(0, last + 1) };
}
