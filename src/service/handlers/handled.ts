import { type Expression, parseExpression } from '../../expression/expression.ts';
import { scalar } from '../../source/node.ts';
import type { Change, Permission } from '../../specification/change.ts';
import type { Operation } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import type { Shape } from '../../specification/shape.ts';
import type { Specification } from '../../specification/specification.ts';
import type { Changes } from '../change/changes.ts';
import { type Doing, isClear, itemOf, latest, naming, refuseIt } from '../change/doing.ts';
import type { Perform } from '../change/perform.ts';
import type { RequestView } from '../frame.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import { compileHeldTo } from '../shown-shape.ts';
import type { Key, Reads, Store } from '../store/store.ts';
import { compileViewer, type Seen, type Viewer } from './seen.ts';
import { type Handlers, plain } from './worked.ts';

/** What a handler came to: what it returned, what it asks to be changed, and what it saw. */
export interface Gave {
  readonly result: unknown;
  readonly wanted: readonly Wanted[];
  readonly seen: readonly Seen[];
}

/** A change that a handler asks for, as data: it is made once the handler has returned. */
interface Wanted {
  readonly may: May;
  readonly key: Key | null;
  readonly members: Members;
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
class TimedOut extends Error {}

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
interface Around {
  readonly given: Handlers;
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly changes: Changes;
  readonly store: Store;
  readonly limits: { readonly handlerTimeoutMs: number };
}

/** One change that `may` allows, compiled. */
interface May extends Permission {
  readonly kept: KeptResource;
  readonly perform: Perform;
  readonly viewer: ReturnType<typeof compileViewer>;
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
  const may = (stated(change.qualifiers.may) ?? []).flatMap((one): May[] => {
    const kept = around.resources.get(one.resource);
    if (kept === undefined) return [];
    const perform = around.changes.perform(changeOf(change, one), apart);
    return [{ ...one, kept, perform, viewer: compileViewer(kept, around.store) }];
  });
  const codes = [...(stated(stated(specification.errors)?.codes)?.keys() ?? [])];
  const resultOf = compileResult(specification, stated(change.qualifiers.gives), around.resources);
  const call: CompiledHandled['call'] = async (request, actor, now) => {
    const wanted: Wanted[] = [];
    const seen: Seen[] = [];
    let isOver = false;
    const tx = offered(may, (one) => {
      if (isOver) throw new TypeError('the operation is over');
      if ('seen' in one) seen.push(one.seen);
      else wanted.push(one.wanted);
    });
    const refuseBy = (code: string): never => {
      if (!codes.includes(code)) throw new TypeError(`there is no code ${code} in part 7`);
      throw new Refused(code);
    };
    const asked = {
      request: plainRequest(request),
      actor: plain(actor, around.resources),
      now,
      tx,
      refuse: refuseBy,
    } as never;
    try {
      const result = await within(around.limits.handlerTimeoutMs, async () => handler(asked));
      resultOf.check(result ?? null);
      return { result: result ?? null, wanted, seen };
    } finally {
      isOver = true;
    }
  };
  return {
    call,
    isStill: (reads, { seen }) => seen.every((one) => one(reads)),
    carryOut: (doing, { wanted }) => {
      for (const one of wanted) if (isClear(doing)) carryOut(doing, one);
    },
    result: (doing, { result }) => resultOf.value(doing, result),
  };
}

/** What it asks for stands apart from the request's body and path. */
const apart = { isFirst: false, bring: () => ({ given: {} }), bound: () => ({}), check: () => {} };
const membersAsked = parseExpression('asked') as Expression;

/** The change that a permission allows, as the document would write it; `asked` is what it sets. */
function changeOf(of: Change, { verb, resource, at }: Permission): Change {
  const { with: nothing, ...others } = of.qualifiers;
  const template = { kind: 'expression', expression: membersAsked, from: 0 } as const;
  const value = [{ template, node: scalar('asked', at) }];
  const said = { kind: 'stated', value, address: nothing.address, at, assumed: false } as const;
  return { verb, at, subject: { kind: 'one', name: resource, at }, qualifiers: { ...others, with: said } };
}

type Noted = { readonly wanted: Wanted } | { readonly seen: Seen };

/** `tx.VERB.RESOURCE(…)`: what `may` names, and nothing else. */
function offered(may: readonly May[], note: (one: Noted) => void): Record<string, Record<string, unknown>> {
  const tx: Record<string, Record<string, unknown>> = Object.create(null);
  for (const one of may) {
    const of: Record<string, unknown> = tx[one.verb] ?? Object.create(null);
    tx[one.verb] = of;
    const viewer = one.viewer((seen) => note({ seen }));
    of[one.resource] = offer(one, viewer, (key, members) => note({ wanted: { may: one, key, members } }));
  }
  return tx;
}

function offer(one: May, viewer: Viewer, ask: (key: Key | null, members: Members) => void): unknown {
  switch (one.verb) {
    case 'list':
      return viewer.list;
    case 'read':
      return async (key: unknown) => viewer.read(keyOf(one, key));
    case 'create':
      return (members: Members = {}) => ask(null, { ...members });
    default:
      return (key: unknown, members: Members = {}) => ask(keyOf(one, key), { ...members });
  }
}

function keyOf({ kept }: Pick<May, 'kept'>, key: unknown): Key {
  const values = (Array.isArray(key) ? key : [key]) as Key;
  const fits = values.every((one) => typeof one === 'string' || typeof one === 'number');
  if (fits && values.length === kept.keyFields.length) return values;
  throw new TypeError(`this is no key of ${kept.name}: ${JSON.stringify(key)}`);
}

function carryOut(doing: Doing, { may: { kept, perform, verb }, key, members }: Wanted): void {
  const at = naming(doing, { asked: members });
  if (key === null) {
    perform(at, kept, null);
    return;
  }
  const found = doing.tx.find(kept.table.name, key);
  const row = found && latest(doing, kept, found);
  if (row) perform(at, kept, row);
  else if (verb !== 'read') refuseIt(doing, refuse('unknown', kept.name));
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
async function within<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TimedOut()), milliseconds);
  try {
    return await Promise.race([run(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
