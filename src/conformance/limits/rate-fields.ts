import { stated } from '../../specification/reading/said.ts';
import type { Check, Claim, Seen } from '../check.ts';
import { type Exchange, header } from '../http.ts';
import { namesFor } from '../names.ts';
import { hole, type Partly } from '../partly.ts';
import { type Names, workOut } from '../solve.ts';
import type { Trial } from '../trial.ts';
import { fits, fitsField } from '../unify.ts';
import { known, type Truth, unseen } from '../verdict.ts';
import { resetOf } from './reset.ts';
import type { Series, Timed, Using } from './using-up.ts';

/** The names with what a rate tells: `remaining` of it, and within what bounds the time is. */
export function told(names: Names, using: Using, remaining: Partly, series: Series, at?: Timed): Names {
  const reset = hole({ picks: new RegExp(`^${resetOf(using, series, at)}$`) });
  return new Map(names).set('rate', { limit: using.allow, remaining, reset });
}

/** What tells of a rate, by what answers a request that it counts or refuses (language §8.1, `headers`). */
export function rateFields<S extends Seen>(
  trial: Trial,
  using: Using,
  series: Series,
  which: string,
  remaining: number,
  at: Timed | undefined,
  exchangeOf: (seen: S) => Exchange | undefined,
): Check<S>[] {
  const { name, rate, allow, everyMs } = using;
  const found = stated(rate.headers);
  if (found === undefined) return [];
  const check = (
    field: string,
    claim: (exchange: Exchange, names: Names) => Pick<Claim, 'truth' | 'expected' | 'found'>,
  ): Check<S> => ({
    name: 'rate.headers',
    says: `${series.user.operation.key}, ${which}, is answered with ${field} of ${name}`,
    cites: { address: rate.headers.address, at: rate.headers.at },
    guard: (seen): Truth =>
      exchangeOf(seen) === undefined || !series.isClean
        ? unseen('it is not known how many it has counted')
        : known(true),
    claim: (seen) => {
      const exchange = exchangeOf(seen) ?? seen.exchange;
      const { operation } = series.user;
      const names = namesFor(trial, { operation, request: exchange.request });
      return claim(exchange, told(names, using, remaining, series, at));
    },
    exchange: (seen) => exchangeOf(seen) ?? seen.exchange,
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
    lists(
      'RateLimit',
      new RegExp(`^"${name}";r=${remaining};t=${resetOf(using, series, at)}$`),
      `"${name}";r=${remaining};t=…`,
    ),
  ];
}
