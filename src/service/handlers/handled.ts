import type { Operation } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import type { Shape } from '../../specification/shape.ts';
import type { Specification } from '../../specification/specification.ts';
import { type Doing, itemOf } from '../change/doing.ts';
import type { RequestView } from '../frame.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import { compileHeldTo } from '../shown-shape.ts';
import type { Key, Reads } from '../store/store.ts';
import { type Asked, compileMay, keyOf, type Means } from './may.ts';
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

interface Result {
  /** Throws where it is not what the handler is to give. */
  readonly check: (result: unknown) => void;
  readonly value: (doing: Doing, result: unknown) => unknown;
}

/** Where items are to be given, each is one that is kept, given by its key or with its identifier. */
function compileResult(
  specification: Specification,
  gives: Shape | undefined,
  resources: ReadonlyMap<string, KeptResource>,
): Result {
  const nothing: Result = { check: () => {}, value: (_doing, result) => result };
  if (gives === undefined) return nothing;
  const items = stated(gives.keywords.get('items')) as { readonly $ref?: string } | undefined;
  const kept = resources.get(gives.name ?? items?.$ref?.slice('#/$defs/'.length) ?? '');
  if (kept === undefined) {
    const hold = compileHeldTo(specification, gives);
    return { ...nothing, check: (result) => hold(JSON.stringify(result)) };
  }
  const key = (one: unknown): Key => {
    const isPlain = typeof one === 'object' && one !== null && !Array.isArray(one);
    return keyOf({ kept }, isPlain ? kept.keyFields.map((name) => (one as Members)[name]) : one);
  };
  const isList = gives.name === null;
  return {
    check: (result) => {
      if (isList && !Array.isArray(result)) throw new TypeError(`a list of ${kept.name} is to be given`);
      for (const one of isList ? (result as unknown[]) : [result]) if (one !== null) key(one);
    },
    value: (doing, result) => {
      const item = (one: unknown) => {
        const row = one === null ? null : doing.tx.find(kept.table.name, key(one));
        return row && itemOf(doing, kept, row);
      };
      return isList ? (result as unknown[]).map(item).filter((one) => one !== null) : item(result);
    },
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
