import { ratesOf } from '../../specification/model/counted.ts';
import { stated } from '../../specification/reading/said.ts';
import { entrances } from '../access/schemes.ts';
import type { Watched } from '../answered.ts';
import {
  type Check,
  type Described,
  type Result,
  type Scenario,
  scenario,
  Unreached,
  unreached,
} from '../check.ts';
import { answerFound, isAnswered, succeeded } from '../guards.ts';
import { askedOf } from '../perform.ts';
import { beside } from '../refusals/pairs.ts';
import { refusing } from '../refusing.ts';
import { statedOnly } from '../stated.ts';
import { before } from '../success.ts';
import { type Done, heldUp, restsOf, type Trial } from '../trial.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';
import { letsIn, success } from './lets-in.ts';
import { areTogether, countedBy, isRefusedBy } from './pace.ts';
import { rateFields, told } from './rate-fields.ts';
import { uncounted } from './uncounted.ts';
import {
  askOnce,
  reasonOf,
  repeated,
  type Series,
  type Timed,
  type User,
  type Using,
  usableRates,
  userOf,
  useUp,
} from './using-up.ts';
import { edges } from './windows.ts';

/** Rates are used up, and recover; what tells of them is held against what is left (language §8.1). */
export function rates(trial: Trial): Scenario[] {
  return usableRates(trial).map((one) =>
    'why' in one ? statedOnly(trial.of, one.said.address, one.why) : usedUp(trial, one),
  );
}

/** One rate: who uses it up is found when it is come to. */
function usedUp(trial: Trial, using: Using): Scenario {
  const { said, allow, name, everyMs } = using;
  const cites = { address: said.address, at: said.at };
  const described: readonly Described[] = [
    { name: 'rate.allows', says: `${allow} requests that ${name} counts are let in`, cites },
    { name: 'refused', says: `a request once ${name} is used up is refused`, cites },
    { name: 'rate.recovers', says: `a request is let in again ${everyMs / 1000} s later`, cites },
  ];
  return {
    run: async () => {
      let user: User;
      let series: Series;
      try {
        user = await userOf(trial, using);
        series = await useUp(trial, using, user);
      } catch (error) {
        if (!(error instanceof Unreached)) throw error;
        return await unreached(trial.of, described, error.message, error.points).run();
      }
      const results: Result[] = [];
      for (const one of planned(trial, using, user, series)) results.push(...(await one.run()));
      return results;
    },
  };
}

function planned(trial: Trial, using: Using, user: User, series: Series): Scenario[] {
  const { of } = trial;
  const { name, said, rate, allow, everyMs } = using;
  const { operation } = user;
  const cites = { address: said.address, at: said.at };
  const rests = [...restsOf(operation), said.address];
  const isAlone = series.isAlone ? yes : unseen('another rate may be used up');
  const lets: Check<Series> = {
    name: 'rate.allows',
    says: `${operation.key} is let in ${allow} times`,
    cites,
    guard: ({ isClean, let: [first], last }) =>
      all(
        isAlone,
        isClean ? yes : unseen('what was sent before may count as well, and is not waited for'),
        letsIn(of, operation, before(first ?? last)),
      ),
    claim: ({ let: done, last }) => ({
      truth: known(done.length >= allow),
      expected: `${allow} that are let in`,
      found: `${done.length}, then ${answerFound(last.exchange)}`,
    }),
  };
  // From a bucket, one may have come back meanwhile.
  const counted = ['fixed', 'sliding'].includes(stated(rate.window) ?? '') ? [1, 2, allow] : [1];
  const fields = [...new Set(counted)].flatMap((nth) =>
    rateFields<Series>(
      trial,
      using,
      series,
      nth === allow ? 'the last that is let in' : `let in as number ${nth}`,
      allow - nth,
      series.times[nth - 1],
      ({ let: done }) => done[nth - 1]?.exchange,
    ),
  );
  const recovers: Check<Done> = {
    name: 'rate.recovers',
    says: `${operation.key} is let in again after ${everyMs / 1000} s`,
    cites,
    guard: (done) => all(isAlone, letsIn(of, operation, before(done))),
    claim: success(operation),
  };
  const later = async (): Promise<Done> => {
    if (everyMs > trial.patienceMs)
      throw new Unreached(`it takes ${everyMs / 1000} s to recover, which is not waited for`);
    await trial.wait(everyMs, `the rate ${name}`);
    return await askOnce(trial, user);
  };
  return [
    scenario(of, rests, () => Promise.resolve(series), [lets, ...fields]),
    refusing(trial, {
      says: `${operation.key} once ${name} is used up`,
      operation,
      cites,
      reasons: [reasonOf(using)],
      more: rateFields<Watched>(
        trial,
        using,
        series,
        'when refused',
        0,
        undefined,
        ({ exchange }) => exchange,
      ),
      send: async () => {
        const { done, at } = await oneMore(trial, using, series);
        return { ...done, names: told(done.names, using, 0, series, at) };
      },
    }),
    ...ordered(trial, using, series),
    ...apart(trial, using, series, isAlone),
    ...byNobody(trial, using),
    ...uncounted(trial, using, series, isAlone),
    scenario(of, rests, later, [recovers]),
    ...edges(trial, using, user, isAlone),
  ];
}

/** What was refused, and then one more, so that what is kept can be looked at before: from a bucket one may come back. */
async function oneMore(
  trial: Trial,
  { rate, everyMs }: Using,
  series: Series,
): Promise<{ readonly done: Done; readonly at: Timed | undefined }> {
  const { user, last, begunMs, times } = series;
  const before = { done: last, at: times.at(-1) };
  const isSteady = ['fixed', 'sliding'].includes(stated(rate.window) ?? '');
  if (!isSteady || succeeded(last.exchange, user.operation).value === true) return before;
  const sentMs = trial.now();
  const done = await repeated(trial, user, last);
  const answeredMs = trial.now();
  return answeredMs - begunMs < everyMs ? { done, at: { sentMs, answeredMs } } : before;
}

/** What is refused for the rate, and for something else as well: `order` chooses (language §7). */
function ordered(trial: Trial, using: Using, { user, last, begunMs, isAlone }: Series): Scenario[] {
  const { operation, as } = user;
  const isSteady = ['fixed', 'sliding'].includes(stated(using.rate.window) ?? '');
  if (!isSteady || !isAlone || succeeded(last.exchange, operation).value === true) return [];
  return beside(trial, operation, {
    says: `${using.name} used up`,
    reasons: [reasonOf(using)],
    attempt: () => ({ as, usesUp: true }),
    still: () => {
      if (trial.now() - begunMs >= using.everyMs)
        throw new Unreached('requests took longer than the time in which they are counted');
    },
  });
}

/** Somebody else, whose requests are counted apart, is let in still. */
function apart(trial: Trial, using: Using, series: Series, isAlone: Truth): Scenario[] {
  const { of } = trial;
  const { rate, said } = using;
  const { operation } = series.user;
  const per = stated(rate.per);
  if (per === undefined) return [];
  const cites = { address: rate.per.address, at: rate.per.at };
  if (per.kind === 'address')
    return [statedOnly(of, rate.per.address, 'requests are sent from one network address')];
  const check: Check<Done> = {
    name: 'rate.apart',
    says: `${operation.key}, when asked by others than have used it up, is let in`,
    cites,
    guard: (done) => all(isAlone, letsIn(of, operation, before(done))),
    claim: success(operation),
  };
  const observe = async (): Promise<Done> => {
    const used = { operation, as: series.user.as, names: series.last.names };
    for (const as of [per.kind === 'actor' ? await trial.enter() : series.user.as, series.user.as]) {
      const done = await askOnce(trial, { operation, as, isNew: false });
      if (areTogether(trial, rate, used, { operation, as, names: done.names }) === false) return done;
    }
    throw new Unreached('nobody was found whose requests are counted apart');
  };
  return [scenario(of, [...restsOf(operation), said.address], observe, [check])];
}

/** What is counted by who asks is not counted where nobody does: whoever comes to be somebody is let in. */
function byNobody(trial: Trial, { name, rate, said }: Using): Scenario[] {
  const { of } = trial;
  if (stated(rate.per)?.kind !== 'actor') return [];
  const entrance = entrances(of).find(
    ({ operation }) => ratesOf(of, operation).has(name) && heldUp(of, operation) === null,
  );
  if (entrance === undefined) return [];
  const { operation } = entrance;
  const check: Check<Done> = {
    name: 'rate.apart',
    says: `${operation.key}, when nobody asks whom ${name} could count, is not refused by it`,
    cites: { address: rate.per.address, at: rate.per.at },
    guard: ({ exchange }) =>
      all(
        isAnswered(exchange),
        known(
          countedBy(trial, askedOf(trial, operation, { as: null }, null)).size === 0,
          'another rate may count it',
        ),
      ),
    claim: ({ exchange }) => ({
      truth: known(!isRefusedBy(of, operation, name, exchange)),
      expected: 'any other answer',
      found: answerFound(exchange),
    }),
  };
  const observe = (): Promise<Done> => askOnce(trial, { operation, as: null, isNew: false });
  return [scenario(of, [...restsOf(operation), said.address], observe, [check])];
}
