import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { RequestView } from '../message/frame.ts';
import { type Refusal, refuse } from '../message/refusal.ts';
import type { Reads } from '../store/store.ts';
import type { Doing } from '../transaction/doing.ts';
import { type Asked, compileMay, type Means } from './may.ts';
import { compileResult } from './result.ts';
import { type Handlers, plain } from './worked.ts';

/** What a handler came to: what it returned, what it asks to be changed, and what it saw. */
export interface Gave extends Asked {
  readonly result: unknown;
}

/** A handler ended by `refuse(code)`. */
class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`refused by ${code}`);
    this.code = code;
  }
}

/** A handler took longer than the host waits. */
class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`a function took longer than ${milliseconds} ms`);
  }
}

/** Why a handler refused the request; any other error is a fault of its own. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return { ...refuse('expression'), code: error.code };
  if (error instanceof TimedOut) return refuse('timed out');
  throw error;
}

export interface CompiledHandled {
  /** Calls it. Rejects with what `refusalOf` tells, or with what the handler threw. */
  readonly call: (request: RequestView, actor: unknown, now: string) => Promise<Gave>;
  /** Whether all that it saw is still so. */
  readonly isStill: (reads: Reads, gave: Gave) => boolean;
  /** Makes the changes that it asks for; what stands against them is in `doing`. */
  readonly carryOut: (doing: Doing, gave: Gave) => void;
  /** What expressions find as `result`. */
  readonly result: (doing: Doing, gave: Gave) => unknown;
}

/** What a handler is compiled with. */
interface Around extends Means {
  readonly given: Handlers;
  readonly limits: { readonly handlerTimeoutMs: number };
}

/** Compiles an operation that a function of the operator's carries out (language §I); null where it is none. */
export function compileHandled(
  specification: Specification,
  operation: Operation,
  around: Around,
): CompiledHandled | null {
  const change = stated(operation.does);
  if (change?.verb !== 'handled' || change.subject.name === null) return null;
  const handler = around.given[change.subject.name];
  if (handler === undefined) return null;
  const may = compileMay(stated(change.qualifiers.may) ?? [], around);
  const codes = [...(stated(stated(specification.errors)?.codes)?.keys() ?? [])];
  const resultOf = compileResult(specification, stated(change.qualifiers.gives), around.resources);
  const call: CompiledHandled['call'] = async (request, actor, now) => {
    const { tx, asked, over } = may.offer();
    const refuseBy = (code: string): never => {
      if (!codes.includes(code)) throw new TypeError(`there is no code ${code} in part 7`);
      throw new Refused(code);
    };
    const given = {
      request: plainRequest(request),
      actor: plain(actor, around.resources),
      now,
      tx,
      refuse: refuseBy,
    } as never;
    try {
      const result = await within(around.limits.handlerTimeoutMs, async () => handler(given));
      resultOf.check(result ?? null);
      return { result: result ?? null, ...asked };
    } finally {
      over();
    }
  };
  return {
    call,
    isStill: (reads, { seen }) => seen.every((one) => one(reads)),
    carryOut: may.carryOut,
    result: (doing, { result }) => resultOf.value(doing, result),
  };
}

function plainRequest({ path, query, headers, body, method, url }: RequestView) {
  return {
    path: { ...path },
    query: { ...query },
    headers: { ...headers },
    body: structuredClone(body),
    method,
    url,
  };
}

/** What it comes to, if that is in time. */
export async function within<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TimedOut(milliseconds)), milliseconds);
  try {
    return await Promise.race([run(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
