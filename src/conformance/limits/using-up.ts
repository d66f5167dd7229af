import type { Operation } from '../../specification/model/operation.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Rate } from '../../specification/vocabulary/parts/limits.ts';
import { admits, hasItemRule } from '../access/admits.ts';
import type { Persona } from '../access/persona.ts';
import { entrances } from '../access/schemes.ts';
import { enterAs } from '../access/wallet.ts';
import { bodyOf } from '../body.ts';
import { ifReached, type Seen, Unreached } from '../check.ts';
import { answerFound, succeeded } from '../guards.ts';
import type { Members } from '../item.ts';
import { list } from '../items.ts';
import { toJson } from '../partly.ts';
import { askedOf } from '../perform.ts';
import { acceptable, type Reason, statusesOf } from '../refusal.ts';
import { isAboutOne } from '../request.ts';
import { sample } from '../sample.ts';
import { type Attempt, type Done, heldUp, send, type Trial } from '../trial.ts';
import { type Asked, areTogether, countedBy } from './pace.ts';

/** A rate that can be used up. Times in milliseconds. */
export interface Using {
  readonly name: string;
  readonly said: Said<Rate>;
  readonly rate: Rate;
  readonly allow: number;
  readonly everyMs: number;
}

/** Who asks an operation for requests that a rate counts. */
export interface User {
  readonly operation: Operation;
  readonly as: Persona | null;
  /** Nobody has asked as this one before. */
  readonly isNew: boolean;
}

/** When a request was sent, and when its answer was there, in milliseconds. */
export interface Timed {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** Requests to use a rate up, one after the other. */
export interface Series extends Seen {
  readonly user: User;
  /** When the first of them was sent. */
  readonly begunMs: number;
  /** Those that were let in, in their order. */
  readonly let: readonly Done[];
  /** The last of all: refused, or one more than there may be. */
  readonly last: Done;
  /** When each of them was under way, the last one too. */
  readonly times: readonly Timed[];
  /** Nothing that was sent before may have counted as well. */
  readonly isClean: boolean;
  /** No other rate may have refused one. */
  readonly isAlone: boolean;
}

/** The rates that can be used up, or why one cannot. */
export function usableRates({
  of,
}: Trial): readonly (Using | { readonly said: Said<Rate>; readonly why: string })[] {
  const part = stated(of.limits);
  return [...((part && stated(part.rates)) ?? [])].map(([name, said]) => {
    const rate = stated(said);
    const [allow, everyMs] = [stated(rate?.allow), stated(rate?.every)];
    if (rate === undefined || allow === undefined || everyMs === undefined || rate.per.kind === 'open')
      return { said, why: 'it is open how many, in what time, or whose are counted together' };
    return allow > mostSent
      ? { said, why: `more than ${mostSent} requests are not sent to use it up` }
      : { name, said, rate, allow, everyMs };
  });
}

/** The most requests that are sent to use a rate up. */
const mostSent = 1000;

export function reasonOf({ name }: Using): Reason {
  return { name: 'rate exceeded', subject: name, failures: [] };
}

/** How many are tried until there is somebody whose requests the rate counts. */
const most = 6;

/** Somebody whose requests a rate counts, for an operation that changes as little as can be. Throws `Unreached`. */
export async function userOf(trial: Trial, using: Using): Promise<User> {
  const operations = operationsOf(trial, using);
  if (operations.length === 0) throw new Unreached('no operation that can be exercised is counted by it');
  let perhaps: User | undefined;
  const surely = (as: Persona | null, isNew: boolean): User | undefined => {
    for (const operation of operations) {
      const asked = askedOf(trial, operation, { as }, null);
      const isLet = admits(trial.of, operation, asked.names).value === true;
      const counted = isLet ? countedBy(trial, asked).get(using.name) : undefined;
      const user = { operation, as, isNew };
      if (counted?.isSure) return user;
      // What the request itself tells is known once it is made.
      if (counted) perhaps ??= user;
    }
    return undefined;
  };
  for (let tries = 0; tries < most; tries++) {
    const fresh = trial.persona?.item ? await trial.enter() : null;
    const others = tries === 0 ? [trial.persona, null] : [];
    for (const as of [...(fresh ? [fresh] : []), ...others]) {
      const user = surely(as, as === fresh && as !== null);
      if (user) return user;
    }
    if (!fresh || perhaps) break;
  }
  for (const kind of perhaps || !stated(using.rate.when) ? [] : await kindsByReference(trial)) {
    const fresh = await ifReached(() => enterAs(trial, kind));
    const user = fresh && surely(fresh, true);
    if (user) return user;
  }
  if (perhaps) return perhaps;
  throw new Unreached('nobody was found whose requests it counts for sure');
}

/** The kinds of those who ask, by what they may refer to: who pays for another plan may ask more often. */
async function kindsByReference(trial: Trial): Promise<readonly Members[]> {
  const kinds: Members[] = [];
  for (const { operation } of entrances(trial.of))
    for (const { name, refers } of bodyOf(trial.of, operation)?.fields.values() ?? []) {
      const to = stated(refers);
      const target = to && trial.of.resourcesByName.get(to.resource);
      const listed = target && (await ifReached(() => list(trial, target)));
      const keys = (listed?.entries ?? []).flatMap(({ item }) => item.known.get(to?.field ?? '') ?? []);
      kinds.push(...keys.slice(0, most).map((key) => ({ [name]: toJson(key) })));
    }
  return kinds;
}

/** Those that it counts: what changes nothing, and is about no item, first. */
function operationsOf({ of }: Trial, { rate }: Using): readonly Operation[] {
  const named = stated(rate.operations);
  const found = of.operations.filter(
    (one) =>
      heldUp(of, one) === null &&
      (named?.some(({ text }) => text === one.name) ?? true) &&
      !(isAboutOne(one) && hasItemRule(of, one)),
  );
  const cost = (one: Operation): number => (one.method === 'GET' ? 0 : 2) + (one.bindings.size > 0 ? 1 : 0);
  return [...found].sort((a, b) => cost(a) - cost(b));
}

/** Asks once as the user of a rate, however much of it is used up. */
export async function askOnce(trial: Trial, { operation, as }: User, attempt: Attempt = {}): Promise<Done> {
  return await sample(trial, operation, { as, usesUp: true, ...attempt });
}

/** The same request once more. */
async function again(trial: Trial, user: User, { exchange, ...first }: Done): Promise<Done> {
  const asked: Asked = { operation: user.operation, as: user.as, names: first.names, usesUp: true };
  return { ...first, exchange: await send(trial, exchange.request, asked) };
}

/**
 * Sends requests until one is refused, or more were let in than may be in so short a time.
 *
 * @param most no more than so many are sent
 */
export async function useUp(
  trial: Trial,
  using: Using,
  user: User,
  most = Number.POSITIVE_INFINITY,
): Promise<Series> {
  const { of } = trial;
  const { rate, allow, everyMs, name } = using;
  const { operation, as } = user;
  const isOwn = user.isNew && stated(rate.per)?.kind === 'actor';
  const isClean = isOwn || everyMs <= trial.patienceMs;
  const partner = await partnerOf(trial, using, user);
  // So that nothing counts any more that was sent before.
  if (!isOwn && isClean) await trial.wait(everyMs, `the rate ${name}`);
  const counting = countedBy(trial, askedOf(trial, operation, { as }, null));
  const isAlone = [...counting].every(
    ([other, { left }]) => other === name || (left > 2 * allow + 1 && isOwn),
  );
  const begunMs = trial.now();
  const statuses = acceptable(of, operation, [reasonOf(using)]).flatMap((one) => statusesOf(of, one));
  const letIn: Done[] = [];
  const times: Timed[] = [];
  for (;;) {
    const [first, second] = letIn;
    const isPartners = partner !== null && letIn.length % 2 === 1;
    const sentMs = trial.now();
    const done = await repeated(trial, isPartners ? partner : user, isPartners ? second : first);
    times.push({ sentMs, answeredMs: trial.now() });
    const passed = trial.now() - begunMs;
    const asked = { operation, as: isPartners ? partner.as : as, names: done.names };
    const isCounted = countedBy(trial, asked).get(name)?.isSure === true;
    if (!isCounted || !areTogether(trial, rate, { operation, as, names: (first ?? done).names }, asked))
      throw new Unreached('it cannot be told from outside whether it counts the request');
    if (passed >= everyMs)
      throw new Unreached('requests took longer than the time in which they are counted');
    const series = {
      user,
      begunMs,
      isClean,
      isAlone,
      exchange: done.exchange,
      let: letIn,
      last: done,
      times,
    };
    if (succeeded(done.exchange, operation).value !== true) {
      const isListed = statuses.length === 0 || statuses.includes(done.exchange.response?.status ?? 0);
      // What is refused too soon is refused for another reason, unless it says that it is for this one.
      if (letIn.length < allow && !isListed)
        throw new Unreached(`${operation.key} gave ${answerFound(done.exchange)}`);
      return series;
    }
    if (letIn.length >= allow + comesBack(using, passed)) return series;
    letIn.push(done);
    if (letIn.length >= most) return series;
  }
}

/** One more request: what changes nothing is asked again as it was, so that it is counted with it. */
export async function repeated(trial: Trial, user: User, before: Done | undefined): Promise<Done> {
  return before && user.operation.method === 'GET'
    ? await again(trial, user, before)
    : await askOnce(trial, user);
}

/** Somebody else whose requests are counted with the user's, where all are counted together; null: nobody is. */
async function partnerOf(trial: Trial, using: Using, user: User): Promise<User | null> {
  if (stated(using.rate.per)?.kind === 'actor' || !user.as?.item) return null;
  const as = await ifReached(() => trial.enter());
  if (!as) return null;
  const [one, other] = [user.as, as].map((who) => askedOf(trial, user.operation, { as: who }, null));
  if (one === undefined || other === undefined) return null;
  const isCounted = countedBy(trial, other).get(using.name)?.isSure === true;
  return isCounted && areTogether(trial, using.rate, one, other) ? { ...user, as } : null;
}

/** How many come back in so long a time; where the window is not stated, it may be a bucket. */
export function comesBack({ rate, allow, everyMs }: Using, passedMs: number): number {
  const window = stated(rate.window);
  return window === undefined || window === 'bucket' ? Math.floor((passedMs * allow) / everyMs) : 0;
}
