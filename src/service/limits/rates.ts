import type { Environment } from '../../expression/compile.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { RateHeaders } from '../../specification/vocabulary/parts/limits.ts';
import { Awaited } from '../access/proofs.ts';
import { compileFields } from '../content/content.ts';
import type { Judge, Slot } from '../judge/judge.ts';
import type { FrameOf } from '../message/frame.ts';
import { type Refusal, refuse } from '../message/refusal.ts';
import type { Taken, Tally } from '../message/tally.ts';
import type { Counted, Counter } from './counter.ts';
import { type Asked, type CompiledShare, compileShare, readsKept } from './share.ts';
import type { Rate } from './window.ts';

/** What a client is told of a rate (language §8.1). */
interface Told {
  readonly limit: number;
  readonly remaining: number;
  /** In whole seconds. */
  readonly reset: number;
}

/** A rate, compiled for one operation. */
interface CompiledRate extends CompiledShare {
  readonly rate: Rate;
  readonly fields: (frame: FrameOf, told: Told) => readonly string[];
}

/** The rates that count an operation's requests. */
export interface CompiledRates {
  readonly judges: readonly Judge<Asked>[];
  /** To be told of the order in which they are judged: those that stand together are asked of the counter at once. */
  readonly arranged: (slots: readonly Slot<never>[]) => void;
}

const no: readonly Refusal[] = [];

/** @param isAsked whether it is looked who asks, before anything else of what is kept */
export function compileRates(
  specification: Specification,
  operation: Operation,
  { counter, fault }: { readonly counter: Counter; readonly fault: (error: unknown) => void },
  environment: Environment,
  isAsked: boolean,
): CompiledRates {
  const limits = stated(specification.limits);
  const rates = [...((limits && stated(limits.rates)) ?? [])].flatMap(([name, said]): CompiledRate[] => {
    const rate = stated(said);
    const allow = rate && stated(rate.allow);
    const everyMs = rate && stated(rate.every);
    if (rate === undefined || allow === undefined || everyMs === undefined) return [];
    const share = compileShare(rate, operation, environment);
    if (share === null) return [];
    // Which window, where none is stated, is a choice (language §F.1).
    const counted: Rate = { name, allow, everyMs, window: stated(rate.window) ?? 'fixed' };
    const fields = compileHeaders(counted, rate.headers, environment, fault);
    return [{ ...share, rate: counted, ...fields, readsKept: share.readsKept || fields.readsKept }];
  });
  /** Each with those that are judged right after it. */
  const together = new Map(rates.map((one) => [one, [one]]));
  const judges = rates.map((one): Judge<Asked> & { readonly rate: CompiledRate } => ({
    rate: one,
    condition: 'rate exceeded',
    subject: one.rate.name,
    code: null,
    kept: isAsked || one.readsKept,
    byChange: false,
    counts: true,
    refuses: (asked) => {
      const { rates: all } = asked.incoming.tally as Tally;
      const { name } = one.rate;
      if (!all.has(name)) count(together.get(one) as CompiledRate[], asked, counter);
      const counted = all.get(name);
      if (!counted?.taken) return no;
      const { remaining, resetMs, isAllowed } = counted.taken;
      const told = { limit: one.rate.allow, remaining, reset: seconds(resetMs) };
      counted.fields = one.fields(asked.frame, told);
      return isAllowed ? no : [{ ...refuse('rate exceeded', name), names: { rate: told } }];
    },
  }));
  const arranged = (slots: readonly Slot<never>[]): void => {
    if (!counter.isShared) return;
    let after: CompiledRate[] = [];
    for (const { judge } of [...slots].reverse()) {
      const found = judges.find((one) => (one as unknown) === judge)?.rate;
      after = found ? [found, ...after] : [];
      if (found) together.set(found, after);
    }
  };
  return { judges, arranged };
}

/** @throws Awaited where it has to be asked elsewhere */
function count(rates: readonly CompiledRate[], asked: Asked, counter: Counter): void {
  const { rates: all } = asked.incoming.tally as Tally;
  const counted: Counted[] = [];
  for (const { rate, whose } of rates) {
    const found = whose(asked);
    if (found === null) all.set(rate.name, { taken: null, fields: [] });
    else counted.push({ rate, whose: found });
  }
  if (counted.length === 0) return;
  if (counter.isShared) throw new Awaited(async () => note(all, counted, await counter.take(counted)));
  note(all, counted, counter.take(counted) as readonly Taken[]);
}

function note(all: Tally['rates'], counted: readonly Counted[], told: readonly Taken[]): void {
  for (let index = 0; index < told.length; index += 1)
    all.set((counted[index] as Counted).rate.name, { taken: told[index] as Taken, fields: [] });
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

/** The header fields that tell of a rate. */
function compileHeaders(
  { name, allow, everyMs }: Rate,
  said: Said<RateHeaders>,
  environment: Environment,
  fault: (error: unknown) => void,
): Pick<CompiledRate, 'fields' | 'readsKept'> {
  const headers = stated(said);
  if (headers === undefined) return { fields: () => [], readsKept: false };
  if (headers.kind === 'fields') {
    const fields = compileFields(headers.fields, environment);
    const templates = [...headers.fields.values()].map(stated);
    return {
      fields: (frame, rate) => fields(frame({ rate }), fault),
      readsKept: templates.some((one) => one !== undefined && readsKept(one)),
    };
  }
  // Its `w` is whole seconds, and need not be there (draft-ietf-httpapi-ratelimit-headers-10 §3.1).
  const time = everyMs % 1000 === 0 ? `;w=${everyMs / 1000}` : '';
  const policy = `"${name}";q=${allow}${time}`;
  return {
    fields: (_frame, { remaining, reset }) => [
      'RateLimit-Policy',
      policy,
      'RateLimit',
      `"${name}";r=${remaining};t=${reset}`,
    ],
    readsKept: false,
  };
}
