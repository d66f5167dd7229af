import { ratesOf } from '../../specification/counted.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Rate, RateHeaders } from '../../specification/parts/limits.ts';
import { type Said, stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import type { Watched } from '../answered.ts';
import { type Check, type Claim, type Scenario, type Seen, scenario, Unreached } from '../check.ts';
import { allReasons, answerFound, closed, succeeded } from '../guards.ts';
import { type Exchange, header } from '../http.ts';
import { identityOf } from '../item.ts';
import { namesFor } from '../names.ts';
import { hole, isHole, isItem, type Partly } from '../partly.ts';
import { acceptable, type Reason, statusesOf } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { sample } from '../sample.ts';
import { type Names, workOut } from '../solve.ts';
import { statedOnly } from '../stated.ts';
import { before } from '../success.ts';
import { type Done, heldUp, restsOf, send, type Trial } from '../trial.ts';
import { fits, fitsField } from '../unify.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';

/** The most requests that are sent to use a rate up. */
const mostSent = 500;

/** A rate, and the operation by which it is used up. */
interface Using {
  readonly name: string;
  readonly said: Said<Rate>;
  readonly rate: Rate;
  readonly allow: number;
  readonly everyMs: number;
  readonly operation: Operation;
}

/** Requests to use a rate up, one after the other. */
interface Series extends Seen {
  readonly first: Done;
  /** The last of them: refused, or one more than there may be. */
  readonly last: Done;
  readonly let: number;
}

/** Rates are used up, and recover; what tells of them is held against what is left (language §8.1). */
export function rates(trial: Trial): Scenario[] {
  const { of } = trial;
  const part = stated(of.limits);
  return [...((part && stated(part.rates)) ?? [])].flatMap(([name, said]) => {
    const rate = stated(said);
    const [allow, everyMs] = [stated(rate?.allow), stated(rate?.every)];
    const only = (reason: string): Scenario[] => [statedOnly(of, said.address, reason)];
    if (rate === undefined || allow === undefined || everyMs === undefined || rate.per.kind === 'open')
      return only('it is open how many, in what time, or whose are counted together');
    if (allow > mostSent) return only(`more than ${mostSent} requests are not sent to use it up`);
    if (everyMs > trial.patienceMs) return only(`it takes longer to recover than is waited for`);
    const operation = userOf(of, name);
    if (operation === null) return only('no operation that can be exercised is counted by it first');
    return usedUp(trial, { name, said, rate, allow, everyMs, operation });
  });
}

/** An operation by which a rate can be used up, since no other rate refuses it before; one that changes nothing before others. */
function userOf(of: Specification, name: string): Operation | null {
  const fitting = of.operations.filter((operation) => {
    const counting = ratesOf(of, operation);
    const allow = stated(counting.get(name)?.allow) ?? 0;
    const others = [...counting].filter(([other]) => other !== name);
    return (
      counting.has(name) &&
      heldUp(of, operation, true) === null &&
      others.every(([, other]) => (stated(other.allow) ?? 0) > allow * 4)
    );
  });
  return fitting.find(({ method }) => method === 'GET') ?? fitting[0] ?? null;
}

function usedUp(trial: Trial, using: Using): Scenario[] {
  const { of } = trial;
  const { name, said, allow, everyMs, operation } = using;
  const cites = { address: said.address, at: said.at };
  const reason: Reason = { name: 'rate exceeded', subject: name, failures: [] };
  const rests = [...restsOf(operation), said.address];
  let series: Promise<Series> | null = null;
  const used = (): Promise<Series> => {
    series ??= use(trial, using, reason);
    return series;
  };
  const isAlone = ratesOf(of, operation).size === 1 ? yes : unseen('another rate may be used up');
  const lets: Check<Series> = {
    name: 'rate.allows',
    says: `${operation.key} is let in ${allow} times`,
    cites,
    guard: ({ first }) => all(isAlone, letsIn(of, operation, before(first))),
    claim: ({ let: times, last }) => ({
      truth: known(times >= allow),
      expected: `${allow} that are let in`,
      found: `${times}, then ${answerFound(last.exchange)}`,
    }),
  };
  const recovers: Check<Done> = {
    name: 'rate.recovers',
    says: `${operation.key} is let in again after ${everyMs / 1000} s`,
    cites,
    guard: (done) =>
      all(isAlone ? yes : unseen('another rate may be used up'), letsIn(of, operation, before(done))),
    claim: ({ exchange }) => ({
      truth: known(succeeded(exchange, operation).value === true),
      expected: 'a success',
      found: answerFound(exchange),
    }),
  };
  return [
    scenario(of, rests, used, [
      lets,
      ...fields<Series>(trial, using, allow - 1, 'counted', ({ first }) => first.exchange),
    ]),
    refusing(trial, {
      says: `${operation.key} once ${name} is used up`,
      operation,
      cites,
      reasons: [reason],
      more: fields<Watched>(trial, using, 0, 'refused', ({ exchange }) => exchange),
      send: async () => {
        const { last } = await used();
        return { ...last, names: told(last.names, allow, 0) };
      },
    }),
    scenario(
      of,
      rests,
      async () => {
        await used();
        await trial.wait(everyMs);
        return sample(trial, operation);
      },
      [recovers],
    ),
  ];
}

/** Sends requests until one is refused, or more were let in than may be in so short a time. */
async function use(trial: Trial, using: Using, reason: Reason): Promise<Series> {
  const { of } = trial;
  const { rate, allow, everyMs, operation } = using;
  // So that nothing counts any more that was sent before.
  await trial.wait(everyMs);
  const begun = trial.now();
  const statuses = acceptable(of, operation, [reason]).flatMap((refusal) => statusesOf(of, refusal));
  // What changes nothing is asked again as it was, so that it is counted with it.
  const isSame = operation.method === 'GET';
  let first: Done | null = null;
  for (let times = 0; ; times += 1) {
    const done: Done = first && isSame ? await again(trial, first) : await sample(trial, operation);
    const passed = trial.now() - begun;
    first ??= done;
    if (!isCounted(using, done) || whose(using, done) !== whose(using, first))
      throw new Unreached('it cannot be told from outside whether it counts the request');
    if (passed >= everyMs)
      throw new Unreached('requests took longer than the time in which they are counted');
    const { exchange } = done;
    // From a bucket, what has come back meanwhile may be had besides.
    const window = stated(rate.window);
    const isBucket = window === undefined || window === 'bucket';
    const most = allow + (isBucket ? Math.floor((passed * allow) / everyMs) : 0);
    const isOver = succeeded(exchange, operation).value !== true;
    // What is refused too soon is refused for another reason, unless it says that it is for this one.
    if (isOver && times < allow && statuses.length > 0 && !statuses.includes(exchange.response?.status ?? 0))
      throw new Unreached(`${operation.key} gave ${answerFound(exchange)}`);
    if (isOver || times >= most) return { exchange, first, last: done, let: times };
  }
}

/** The same request once more. */
async function again(trial: Trial, first: Done): Promise<Done> {
  return { ...first, exchange: await send(trial, first.exchange.request) };
}

/** What tells whose a request is; null: nobody's, so that it is not counted; a hole: it cannot be told. */
function whose({ rate }: Using, { names }: Done): Partly {
  const per = stated(rate.per);
  if (per === undefined || per.kind === 'address') return 'all';
  const value =
    per.kind === 'expression' ? workOut(per.expression.template, names) : (names.get('actor') ?? null);
  if (isItem(value)) return identityOf(value) ?? hole();
  return ['string', 'number', 'boolean'].includes(typeof value) || value === null ? value : hole();
}

/** Whether a request is one that the rate counts. */
function isCounted(using: Using, done: Done): boolean {
  const when = stated(using.rate.when);
  if (when && workOut(when.template, done.names) !== true) return false;
  const value = whose(using, done);
  return !isHole(value) && value !== null;
}

/** Whether nothing but the rate may refuse. */
function letsIn(of: Specification, operation: Operation, names: Names): Truth {
  return all(allReasons(of, operation, names), closed(of, operation.address), closed(of, 'limits'));
}

/** The names with what a rate tells: `remaining` of it, and an unknown time. */
function told(names: Names, limit: number, remaining: number): Names {
  const rate: Partly = { limit, remaining, reset: hole({ picks: /^\d+$/ }) };
  return new Map(names).set('rate', rate);
}

/** What tells of a rate, with the first request that it counts, or with the one that it refuses. */
function fields<S extends Seen>(
  trial: Trial,
  { name, rate, allow, everyMs, operation }: Using,
  remaining: number,
  which: 'counted' | 'refused',
  exchangeOf: (seen: S) => Exchange,
): Check<S>[] {
  const headers: Said<RateHeaders> = rate.headers;
  const found = stated(headers);
  if (found === undefined) return [];
  const check = (field: string, claim: (exchange: Exchange, names: Names) => Claim): Check<S> => ({
    name: 'rate.headers',
    says: `${operation.key}, when ${which}, is answered with ${field} of ${name}`,
    cites: { address: headers.address, at: headers.at },
    guard: () => yes,
    claim: (seen) => {
      const exchange = exchangeOf(seen);
      const names = namesFor(trial, { operation, request: exchange.request });
      return claim(exchange, told(names, allow, remaining));
    },
  });
  if (found.kind === 'fields')
    return [...found.fields].flatMap(([field, said]) => {
      const template = stated(said)?.template;
      if (template === undefined) return [];
      return [
        check(field, ({ response }, names) => fitsField(workOut(template, names), header(response, field))),
      ];
    });
  const time = everyMs % 1000 === 0 ? `;w=${everyMs / 1000}` : '';
  const lists = (field: string, wanted: RegExp, expected: string): Check<S> =>
    check(field, ({ response }) => {
      const text = header(response, field) ?? '';
      return { ...fits(expected, text), truth: known(text.split(/\s*,\s*/).some((one) => wanted.test(one))) };
    });
  return [
    lists('RateLimit-Policy', new RegExp(`^"${name}";q=${allow}${time}$`), `"${name}";q=${allow}${time}`),
    lists('RateLimit', new RegExp(`^"${name}";r=${remaining};t=\\d+$`), `"${name}";r=${remaining};t=…`),
  ];
}
