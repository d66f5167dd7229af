import type { Asked } from './asked.ts';
import { duration } from './items.ts';
import type { Statements } from './kinds.ts';

interface Counted {
  readonly isRefused: boolean;
  readonly rate?: { readonly remaining: number; readonly reset: number };
}

/** Counts requests: no more than so many in any stretch of so long (part 8). */
export class Rates {
  readonly #table: Statements;
  readonly #times = new Map<string, number[]>();
  constructor(table: Statements) {
    this.#table = table;
  }

  count({ endpoint, actor, now }: Asked): Counted {
    const { desk } = this.#table.limits.rates;
    if (!desk?.operations.includes(endpoint.operation)) return { isRefused: false };
    if (actor === null && desk.per === 'actor') return { isRefused: false };
    const time = Date.parse(now);
    const everyMs = duration(desk.every);
    const key = desk.per === 'actor' ? (actor?.id ?? 'office') : '';
    const all = this.#times.get(key) ?? [];
    // A fixed window starts with its first request, a sliding one is however long ago it was.
    const first = all[0] ?? time;
    const recent =
      desk.window === 'fixed'
        ? time >= first + everyMs
          ? []
          : all
        : all.filter((one) => one > time - everyMs);
    const isRefused = recent.length >= desk.allow;
    if (!isRefused) recent.push(time);
    this.#times.set(key, recent);
    const reset = Math.max(1, Math.ceil(((recent[0] ?? time) + everyMs - time) / 1000));
    return { isRefused, rate: { remaining: Math.max(0, desk.allow - recent.length), reset } };
  }
}
