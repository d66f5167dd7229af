import { once } from '../../source/once.ts';
import { ratesOf } from '../../specification/model/counted.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Rate } from '../../specification/vocabulary/parts/limits.ts';
import type { Persona } from '../access/persona.ts';
import { asksAsItem } from '../access/schemes.ts';
import { Unreached } from '../check.ts';
import type { Exchange } from '../http.ts';
import { isAbsent, isHole, isItem, isReference } from '../partly.ts';
import { acceptable, type Refusal, statusesOf } from '../refusal.ts';
import { type Names, workOut } from '../solve.ts';
import { type Truth, unseen, yes } from '../verdict.ts';
import { bucketLog, type Log, windowLog } from './log.ts';

/** A request as rates see it (language §8.1). */
export interface Asked {
  readonly operation: Operation;
  /** Who asks; null: nobody. */
  readonly as: Persona | null;
  readonly names: Names;
  /** It is sent however much of a rate is used up. */
  readonly usesUp?: boolean;
  /** What it brings of credentials is to be judged, whether or not that is good. */
  readonly carries?: boolean;
}

/** What was counted of the tester's requests, by rate, and by whose are counted together. */
export type Pace = Map<string, Map<unknown, Log>>;

/** What it takes to keep to the rates that are stated. */
interface Keeping {
  readonly of: Specification;
  readonly pace: Pace;
  readonly now: () => number;
  readonly wait: (ms: number, what: string) => Promise<void>;
  readonly patienceMs: number;
}

/** Whose a request is, where that cannot be told: any's. */
const anyones = Symbol('anyones');
/** Whose all requests are that are not told apart. */
const all = Symbol('all');

/** A rate that may count a request, and the logs in which that would be noted. */
interface Counting {
  readonly name: string;
  readonly rate: Rate;
  readonly logs: readonly Log[];
}

/**
 * Lets time pass until no rate refuses a request for what was sent before. Throws `Unreached` where that would take
 * longer than the tester's patience.
 */
export async function admitted(trial: Keeping, asked: Asked): Promise<void> {
  for (const { name, rate, logs } of countingOf(trial, asked)) {
    const waitMs = Math.max(...logs.map((log) => log.opensAt())) - trial.now();
    if (waitMs <= 0) continue;
    if (waitMs > trial.patienceMs)
      throw new Unreached(
        `limits.rates.${name} is used up, and it is not waited until it lets in more: up to ${(stated(rate.every) ?? 0) / 1000} s`,
      );
    await trial.wait(waitMs, `the rate ${name}`);
  }
}

/** Notes a request that was answered. Tells whether a rate refused it that somebody else had used up. */
export function noteSent(trial: Keeping, asked: Asked, exchange: Exchange): boolean {
  let isUsedUp = false;
  for (const { name, logs } of countingOf(trial, asked)) {
    const isRefused = isRefusedBy(trial.of, asked.operation, name, exchange);
    isUsedUp ||= isRefused;
    for (const log of logs)
      if (isRefused) log.fill(trial.now());
      else log.add(trial.now());
  }
  return isUsedUp;
}

/** A rate that counts a request: whether that is sure, and how many it still lets in. */
export interface Counted {
  readonly isSure: boolean;
  readonly left: number;
}

/** The rates that count a request, or may. */
export function countedBy(trial: Keeping, asked: Asked): ReadonlyMap<string, Counted> {
  const found = countingOf(trial, asked).map(({ name, rate, logs }) => {
    const when = stated(rate.when);
    const whose = whoseOf(trial.of, rate, asked);
    const isSure = whose !== anyones && (!when || workOut(when.template, asked.names) === true);
    return [name, { isSure, left: Math.min(...logs.map((log) => log.left(trial.now()))) }] as const;
  });
  return new Map(found);
}

/** Whether two requests, of which a rate counts the first, are counted together; null: that cannot be told. */
export function areTogether({ of }: Keeping, rate: Rate, one: Asked, other: Asked): boolean | null {
  const [a, b] = [whoseOf(of, rate, one), whoseOf(of, rate, other)];
  return a === anyones || b === anyones ? null : a === b;
}

/** How many requests of somebody are let in now, of how many. */
export interface Left {
  readonly left: number;
  readonly of: number;
}

/** That of the rate which leaves least of those that count by who asks; null where nothing was counted. */
export function leftOf(trial: Keeping, persona: Persona): Left | null {
  let least: Left | null = null;
  for (const [name, said] of stated(stated(trial.of.limits)?.rates) ?? []) {
    const log = trial.pace.get(name)?.get(persona);
    const allow = stated(stated(said)?.allow);
    const left = log?.left(trial.now());
    if (left !== undefined && allow !== undefined && (least === null || left / allow < least.left / least.of))
      least = { left, of: allow };
  }
  return least;
}

/** Whether an answer may be the refusal of any rate, whatever of it is open, or of a bound on what runs at once. */
export function mayBeLimited(of: Specification, operation: Operation, exchange: Exchange): boolean {
  const part = stated(of.limits);
  const all = (['rates', 'concurrency'] as const).flatMap((list) => [
    ...((part && stated<ReadonlyMap<string, Said<Pick<Rate, 'operations'>>>>(part[list])) ?? []),
  ]);
  return all.some(
    ([name, said]) =>
      stated(stated(said)?.operations)?.some(({ text }) => text === operation.name) !== false &&
      mayBeRefusedBy(of, operation, name, exchange),
  );
}

/** Whether no rate kept what is there from being shown. */
export function isShownAtAll(of: Specification, operation: Operation, exchange: Exchange): Truth {
  return mayBeLimited(of, operation, exchange) ? unseen('a rate may have refused to show it') : yes;
}

/** Whether an answer may be the refusal of a rate: an error with a status that this may have, or of which none is known. */
export function mayBeRefusedBy(
  of: Specification,
  operation: Operation,
  name: string,
  exchange: Exchange,
): boolean {
  return mayBeOneOf(of, refusalsBy(of, operation, name), exchange);
}

/** Whether an answer may be one of these refusals, by its status. */
export function mayBeOneOf(of: Specification, refusals: readonly Refusal[], { response }: Exchange): boolean {
  if (response === null || response.status < 400) return false;
  const known = refusals.map((refusal) => statusesOf(of, refusal));
  return known.some((statuses) => statuses.length === 0 || statuses.includes(response.status));
}

/** Whether a rate surely refused a request: by a status that a row lists for it, and no other row. */
export function isRefusedBy(
  of: Specification,
  operation: Operation,
  name: string,
  exchange: Exchange,
): boolean {
  const [first, ...others] = refusalsBy(of, operation, name);
  const status = exchange.response?.status ?? 0;
  if (!first?.row || others.length > 0 || !statusesOf(of, first).includes(status)) return false;
  return [...(stated(stated(of.errors)?.codes) ?? [])].every(([code, said]) => {
    const row = stated(said);
    const isRates =
      stated(row?.when)?.every(({ names }) => names.every((one) => one === 'rate exceeded')) === true;
    return code === first.row?.code || isRates || stated(row?.status)?.includes(status) !== true;
  });
}

const refusalsBy = once((of: Specification, operation: Operation, name: string): readonly Refusal[] =>
  acceptable(of, operation, [{ name: 'rate exceeded', subject: name, failures: [] }]),
);

function countingOf(trial: Keeping, asked: Asked): readonly Counting[] {
  return [...ratesOf(trial.of, asked.operation)].flatMap(([name, rate]) => {
    const when = stated(rate.when);
    const counts = when ? workOut(when.template, asked.names) : true;
    if (counts === false || counts === null || isAbsent(counts)) return [];
    const whose = whoseOf(trial.of, rate, asked);
    return whose === null ? [] : [{ name, rate, logs: logsOf(trial.pace, name, rate, whose) }];
  });
}

/** With whose others a request is counted; null: it is not counted. */
function whoseOf(of: Specification, { per }: Rate, { operation, as, names }: Asked): unknown {
  const by = stated(per);
  if (by === undefined) return all;
  // Who comes with credentials from outside may be one actor with all who do.
  const isItself = as?.item && asksAsItem(of, operation, as);
  if (by.kind === 'actor') return as === null ? null : isItself ? as : all;
  if (by.kind !== 'expression') return all;
  const value = workOut(by.expression.template, names);
  if (isItem(value)) return isItself && value === names.get('actor') ? as : anyones;
  if (isReference(value)) return JSON.stringify(value.key);
  if (value === null || isAbsent(value)) return null;
  if (isHole(value) || typeof value === 'object') return anyones;
  return JSON.stringify(value);
}

function logsOf(pace: Pace, name: string, rate: Rate, whose: unknown): readonly Log[] {
  const logs = pace.get(name) ?? new Map<unknown, Log>();
  pace.set(name, logs);
  const [allow, everyMs] = [stated(rate.allow) as number, stated(rate.every) as number];
  const fresh = (): Log =>
    stated(rate.window) === 'bucket' ? bucketLog(allow, everyMs) : windowLog(allow, everyMs);
  if (!logs.has(anyones)) logs.set(anyones, fresh());
  const shared = logs.get(anyones) as Log;
  if (whose === anyones) return [...logs.values()];
  // What cannot be told whose it is may be this one's.
  if (!logs.has(whose)) logs.set(whose, shared.copy());
  return [logs.get(whose) as Log];
}
