import type { Frame } from '../../expression/compile.ts';
import { worked } from '../../expression/values.ts';
import { type Operation, queryFields } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { compileAccess } from '../access/access.ts';
import { compileAuthenticating } from '../access/authenticating.ts';
import { Awaited, type Proofs, proofs, unproven } from '../access/proofs.ts';
import type { Who } from '../access/who.ts';
import { compileBody, type ReadBody } from '../body/body.ts';
import type { Gone } from '../change/gone.ts';
import { compileAnswers } from '../content/answers.ts';
import { bringing } from '../content/bringing.ts';
import { environmentOf } from '../content/render.ts';
import { type CompiledHandled, compileHandled, type Gave, refusalOf } from '../handlers/handled.ts';
import { floor } from '../http/floor.ts';
import { firstRefusal, inOrder } from '../judge/judge.ts';
import { compileRefusals, type Refusals } from '../judge/refusals.ts';
import { compileLimits } from '../limits/limits.ts';
import { mostBytes, sizeJudges } from '../limits/sizes.ts';
import { timeOf } from '../limits/time.ts';
import { type CompiledList, compileList } from '../list/list.ts';
import { compileFindShown } from '../list/showing.ts';
import type { Presented } from '../message/frame.ts';
import { type FrameOf, frame as frameOf, type RequestView, type Surroundings } from '../message/frame.ts';
import { type Incoming, mediaOf, single, Unreceived } from '../message/incoming.ts';
import {
  type Again,
  type Held,
  isAgain,
  isHeld,
  type Judged,
  notUnique,
  type Refusal,
  refuse,
} from '../message/refusal.ts';
import { bare, busy, HostBusy, type Reply } from '../message/reply.ts';
import { compileParameters, isReadable } from '../parameters/parameters.ts';
import { type Ask, type CompiledRun, compileRun } from '../run/run.ts';
import { type Renamings, renamingsOf, toldIn } from '../shape/renaming.ts';
import type { Decision } from '../store/plan.ts';
import { type Asker, NotRead, type Reads, type Store, type Transaction } from '../store/store.ts';
import { type Doing, isClear, naming, nothingFound } from '../transaction/doing.ts';
import { type Found, itemsFound, unsought } from '../transaction/found.ts';
import { versionJudges } from '../versions/versioning.ts';
import { type Act, type Acted, compileAct } from './act.ts';
import type { Around } from './around.ts';
import { type Asked, compileConditional } from './conditional.ts';
import { compileFinding, type Finding } from './finding.ts';
import { judgesOf, type Trial, type Within } from './judges.ts';
import { type Attempt, compileRepeats } from './repeats.ts';

/** Answers a request; null: the connection is to be closed without an answer. */
export type Handle = (incoming: Incoming) => Reply | null | Promise<Reply | null>;

type Names = Readonly<Record<string, unknown>>;

/** A request against which nothing stands. */
interface Begun {
  readonly within: Within;
}

/** Where nobody is asked who they are. */
const unasked: Who = { actor: null, credential: 'none', grants: true };
const nothing: Presented = new Map();
const oversized: ReadBody = { kind: 'oversized' };

/** Before a function of the operator's is called, nothing is changed. */
const idle: Acted = { outcome: null, names: {} };

/** What a function saw is no longer so. */
class Moved extends Error {}

/** How often a request is begun anew, where what was seen moves each time. */
const mostTries = 10;

/** How many secrets a request may bring, each of which is waited for. */
const mostAwaited = 100;

/** The resources of which a path names an item that is gone, where a row answers that. */
function goneBy({ keys }: Finding, gone: Gone, { rowOf }: Refusals) {
  return (doing: Doing): readonly string[] => {
    const { path } = doing.frame({}).names['request'] as RequestView;
    return keys(path).flatMap(({ kept, key }) =>
      rowOf(refuse('gone', kept.name)) !== null && gone.is(doing.tx, kept, key) ? [kept.name] : [],
    );
  };
}

/**
 * Compiles an operation that nothing holds up: what it judges, changes and answers (language §4, §H).
 *
 * @param send asks for another operation, for a client of this one
 */
export function compileOperation(
  specification: Specification,
  operation: Operation,
  all: Around,
  send: Ask,
): Handle {
  const timeMs = timeOf(specification, operation);
  const around = {
    ...forOperation(all, timeMs),
    writers: bringing(specification, operation, all.writers),
  };
  const change = stated(operation.does);
  const kept = operation.subject ? around.resources.get(operation.subject.name) : undefined;
  const refusals = compileRefusals(specification, operation, around.writers);
  const answer = compileAnswers(specification, operation, around.writers);
  const json = { depth: around.limits.jsonDepth, nodes: around.limits.jsonNodes };
  const body = compileBody(specification, operation, json);
  const most = mostBytes(specification, operation);
  const readParameters = compileParameters(specification, operation, json);
  const environment = environmentOf(around.writers);
  const authenticating = compileAuthenticating(operation, kept, around.model, environment);
  const told = compileFindShown(operation, kept, around, environment);
  const finding = compileFinding(
    operation,
    around.resources,
    around.select,
    environment,
    authenticating,
    told,
  );
  const access = compileAccess(specification, operation, around);
  const limits = compileLimits(specification, operation, around, environment, access !== null);
  const items = access?.items ?? [];
  const act = compileAct(operation, kept, body, around, items);
  const handled = compileHandled(specification, operation, around);
  const run = compileRun(specification, operation, around, send);
  const list = change?.verb === 'list' && kept ? compileList(operation, kept, around, answer, items) : null;
  const { seeks, names } = finding;
  const byQuery = queryFields(operation).size > 0;
  const { gone } = around;
  const kind = {
    seeks,
    gone: gone && finding.seeks && refusals.lists('gone') ? goneBy(finding, gone, refusals) : null,
    names,
    writes: act.writes,
    list: list?.checks === true,
    takesBody: body !== undefined,
  };
  const conditional = compileConditional(specification, operation, around);
  const isSeveral = change?.verb === 'list' || change?.subject.kind === 'every';
  /** Whether something is to be worked out beside the service's own work before a request can be judged. */
  const judgesWait = authenticating !== null || access?.mayWait === true || limits?.mayWait === true;
  /** Whether a refusal is looked for before a change is begun, so that nothing waits in vain. */
  const looks = act.writes && judgesWait;
  const hashes = act.writes && [...around.resources.values()].some(({ hasSecrets }) => hasSecrets);
  const waits = judgesWait || hashes;
  const repeats = compileRepeats(operation, around, environment);
  const renamings = renamingsOf(specification);
  const slots = inOrder<Trial>(
    [
      ...judgesOf(operation, refusals, kind),
      ...(limits?.judges ?? []),
      ...(specification.versioning.kind === 'stated' ? versionJudges : []),
      ...sizeJudges(specification, operation),
      ...(conditional?.judges ?? []),
      ...(repeats?.judges ?? []),
      ...(access?.judges ?? []),
      ...(authenticating?.judges ?? []),
    ],
    refusals,
  );
  limits?.arranged(slots);
  const firstKept = slots.findIndex(({ judge }) => judge.kept);
  const early = firstKept === -1 ? slots : slots.slice(0, firstKept);
  const late = firstKept === -1 ? [] : slots.slice(firstKept);
  const firstByChange = late.findIndex(({ judge }) => judge.byChange);
  const beforeChange = firstByChange === -1 ? late : late.slice(0, firstByChange);

  /** Where nothing of the request is known. */
  const alone = (more: Names): Frame => frameOf(around, null, { now: around.now(), ...more });
  const internal = (error: unknown): Reply => {
    const reply = refusals.reply(refuse('internal'), (more) => alone({ this: null, ...more }));
    return { ...reply, faults: [error, ...(reply.faults ?? [])] };
  };
  const unlessHeld = (found: Reply | Held): Reply =>
    'held' in found ? around.hold(operation, found.held) : found;
  const settle = (found: Refusal | Held | Again, frame: (more: Names) => Frame): Reply => {
    if (isAgain(found)) return found.again;
    if (isHeld(found)) return around.hold(operation, found.held);
    return refusals.reply(toldBy(renamings, found), frame);
  };

  const answered = (
    incoming: Incoming,
    read: ReadBody | null,
    proven: Proofs,
  ): Reply | null | Promise<Reply | null> => {
    const given = readParameters(incoming);
    const parameters = isReadable(given) ? given : null;
    const value = read?.kind === 'value' ? read : null;
    const presented = access?.present(incoming) ?? nothing;
    const [credential = null] = presented.values();
    const seen: RequestView = {
      path: parameters?.path ?? incoming.path,
      query: parameters?.query ?? {},
      headers: parameters?.headers ?? incoming.headers,
      body: value?.value ?? null,
      patch: value?.patch ?? null,
      parts: value?.parts ?? {},
      credential,
      presented,
      media: mediaOf(incoming),
      accept: single(incoming.headers['accept']),
      method: incoming.method,
      url: incoming.url,
      version: incoming.version?.name ?? null,
    };
    const takenIn = parameters?.takenIn;
    const frameOfTaken = (more: Names): Frame => frameOf(around, seen, { now: around.now(), ...more });
    const view = takenIn ? lazily(seen, () => takenIn(frameOfTaken)) : seen;
    /** Who asks, once that is known. */
    let actor: unknown = null;
    const inRequest = (more: Names): Frame =>
      frameOf(around, view, actor === null ? more : { actor, ...more });
    const ask = (reads: Reads, now: string): Who => {
      if (access === null) return unasked;
      // Nothing of a parameter is taken in before it is known who asks.
      const frame = (more: Names): Frame => frameOf(around, seen, { now, ...more }, reads);
      const who = access.who({ presented, reads, now, proofs: proven, frame });
      actor = who.actor;
      return who;
    };
    if (read?.kind === 'too large') {
      const { limit: hostLimit } = read;
      if (hostLimit === 'bodyBytes') return { ...bare(floor.contentTooLarge), hostLimit };
      return { ...refusals.reply(refuse('too large', 'body'), inRequest), hostLimit };
    }
    if (incoming.tally) incoming.tally.frame = inRequest;
    let attempt: Attempt | null = null;
    const base = (): Trial => ({
      frame: inRequest,
      unreadable: [
        ...(isReadable(given) ? [] : [given.unreadable]),
        ...(read?.kind === 'malformed' ? ['body'] : []),
      ],
      foreign: read?.kind === 'unsupported media',
      oversized: read === oversized,
      accept: single(incoming.headers['accept']),
      parameters: parameters?.checked ?? null,
      body: value?.checked ?? null,
      incoming,
      presented,
      attempt,
      within: null,
    });
    let isLasting = false;
    const surroundings: Surroundings = hashes
      ? { ...around, makers: { ...around.makers, hashed: proven.hashed } }
      : around;
    const find = (doing: Doing): Found =>
      worked(
        () => finding.find(doing, byQuery ? { ...view.query, ...view.path } : view.path),
        (error) => {
          if (!parameters?.checked) throw error;
        },
      ) ?? unsought;
    const begin = (
      tx: Transaction,
      run = act.run,
      judged = late,
      known?: Who,
    ): { readonly reply: Reply } | Begun => {
      const now = around.now();
      const who = known ?? ask(tx, now);
      const { service, makers, handlers } = surroundings;
      const names = { service, actor: who.actor, request: view, now };
      const plain: Frame = { names, makers, reads: tx, handlers };
      const frame = (more: Names): Frame => {
        for (const _name in more) return { names: { ...names, ...more }, makers, reads: tx, handlers };
        return plain;
      };
      const doing: Doing = { tx, now, frame, found: nothingFound() };
      let found: Found | undefined;
      let acted: Acted | undefined;
      const within: Within = {
        doing,
        who,
        isSeveral,
        proofs: proven,
        found: () => (found ??= find(doing)),
        change: () => (acted ??= run(doing, within.found())),
        meets: () => act.meets(naming(doing, within.found().bound)),
        list: () => list?.check(tx, naming(doing, within.found().bound).frame) ?? [],
      };
      const refusal = judged.length > 0 ? firstRefusal(judged, { ...base(), frame, within }, refusals) : null;
      isLasting = refusal !== null && lasts(refusal);
      if (refusal === null) return { within };
      // What a row says of a refusal may be about the items that were found.
      const about = found ? itemsFound(doing, shownWith(refusal, found)) : {};
      return { reply: settle(refusal, (more) => frame({ ...about, ...more })) };
    };
    const decide = (tx: Transaction, run = act.run, judged = late, known?: Who): Decision => {
      const begun = begin(tx, run, judged, known);
      if ('reply' in begun) return { keep: false, reply: begun.reply };
      const { doing, change: carryOut } = begun.within;
      const { outcome, names } = carryOut();
      const { held, refusals: met, barred } = doing.found;
      if (barred[0] !== undefined)
        return {
          keep: false,
          reply: { ...bare(floor.badRequest), because: { statements: [], reason: barred[0] } },
        };
      // What a change after the first meets, as that an item is not there, no judge before it could tell.
      if (met.length > 0) return { keep: false, reply: lasting(settle(refusals.choose(met), doing.frame)) };
      const made = held.length > 0 ? { held } : answer(outcome, doing.frame(names));
      if ('held' in made) return { keep: false, reply: unlessHeld(made) };
      if (act.writes && incoming.tally?.deadline?.settles() === false)
        return { keep: false, reply: settle(refuse('timed out'), doing.frame) };
      const asked = { incoming, body: view.body, doing, names, outcome };
      const reply = conditional?.answered(made, asked) ?? made;
      if (act.writes) attempt?.remember(tx, doing.now, reply);
      else isLasting = true;
      return { keep: true, reply };
    };
    const lasting = (reply: Reply): Reply => {
      isLasting = repeats?.remembersAll === true;
      return reply;
    };
    const commit = (run?: Act['run'], judged = late, known?: Who): Promise<Reply | null> => {
      let waited: Awaited | null = null;
      const committed = around.commit({
        timeMs,
        decide: (tx) => decide(tx, run, judged, known),
        conflict: (table, fields) => lasting(settle(notUnique(table, fields, {}), inRequest)),
        fault: (error) => {
          if (error instanceof Awaited) waited = error;
          return lasting(internal(error));
        },
      });
      if (!waits) return committed;
      return committed.then((reply) => {
        if (waited) throw waited;
        return reply;
      });
    };
    const respond = (): Reply | null | Promise<Reply | null> => {
      const ahead = firstRefusal(early, base(), refusals);
      if (ahead && refusals.follows) {
        const reply = (reads: Reads): Reply =>
          settle(ahead, (more) => frameOf(around, view, actor === null ? more : { actor, ...more }, reads));
        return around.store.read(reply);
      }
      if (ahead) return settle(ahead, inRequest);
      if (handled) return byHandler(handled);
      if (run) return byRequests(run);
      if (!looks) return carryOut();
      const look = (reads: Reads) => begin(reads as Transaction, () => idle, beforeChange);
      return after(around.store.read(look), (begun) => ('reply' in begun ? begun.reply : carryOut()));
    };
    const carryOut = (): Reply | null | Promise<Reply | null> => {
      if (act.writes) return commit();
      if (list === null) return around.store.read((reads) => decide(reads as Transaction).reply);
      if (conditional === null) return around.store.read((reads) => listed(list, reads).reply);
      return Promise.resolve(around.store.read((reads) => listed(list, reads))).then(
        async ({ reply, asked }) => {
          if (asked === null) return reply;
          const made = await conditional.listed(reply, asked);
          return 'status' in made ? made : around.store.read(() => settle(made, asked.doing.frame));
        },
      );
    };
    const listed = (
      { run }: CompiledList,
      reads: Reads,
    ): { readonly reply: Reply; readonly asked: Asked | null } => {
      const begun = begin(reads as Transaction);
      if ('reply' in begun) return { reply: begun.reply, asked: null };
      const { doing, found } = begun.within;
      const names = found().bound;
      const made = run(reads, naming(doing, names).frame);
      if ('held' in made) return { reply: unlessHeld(made), asked: null };
      return { reply: made, asked: { incoming, body: null, doing, names, outcome: null } };
    };
    /** The function is called while nothing is locked; what it asks for is done where what it saw is still so. */
    const byHandler = async (handler: CompiledHandled): Promise<Reply | null> => {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const begun = await around.store.read((reads) => begin(reads as Transaction, () => idle));
        if ('reply' in begun) return begun.reply;
        const { now, frame } = begun.within.doing;
        const gave = await handler.call(view, frame({}).names['actor'], now).catch(refusalOf);
        if ('condition' in gave) return lasting(await around.store.read(() => settle(gave, frame)));
        let hasMoved = false;
        const act = (doing: Doing, found: Found): Acted => {
          hasMoved = gave.wanted.length > 0 && !handler.isStill(doing.tx, gave);
          if (hasMoved) throw new Moved();
          return actBy(handler, gave, doing, found);
        };
        const reply = await onceKnown(async () => commit(act));
        if (!hasMoved) return reply;
      }
      return settle(refuse('timed out'), inRequest);
    };
    /** The answer comes after the requests. It is not judged again: what they did stays. */
    const byRequests = async ({ prepare }: CompiledRun): Promise<Reply | null> => {
      const begun = await around.store.read((reads) => {
        const found = begin(reads as Transaction, () => idle);
        if ('reply' in found) return found;
        const { within } = found;
        return { who: within.who, requests: prepare(naming(within.doing, within.found().bound).frame) };
      });
      if ('reply' in begun) return begun.reply;
      const results = await begun.requests(incoming);
      if (results === null) return null;
      const acted = (doing: Doing, found: Found): Acted => {
        const { outcome, names } = act.run(doing, found);
        return { outcome, names: { ...names, results } };
      };
      return commit(acted, [], begun.who);
    };
    const start = (): Reply | null | Promise<Reply | null> => {
      const misfits = parameters?.checked?.failures ?? [];
      attempt = repeats?.enter(view, mediaOf(incoming), actor, misfits) ?? null;
      return attempt === null ? respond() : remembering(attempt, respond, () => isLasting);
    };
    if (access === null || repeats === null || !repeats.isKeyed(incoming)) return start();
    return after(
      around.store.read((reads) => ask(reads, around.now())),
      start,
    );
  };
  /** Makes what a function asks for, and then what follows it. */
  const actBy = (handler: CompiledHandled, gave: Gave, doing: Doing, found: Found): Acted => {
    handler.carryOut(naming(doing, found.bound), gave);
    if (!isClear(doing)) return { outcome: null, names: found.bound };
    const { outcome, names: known } = act.run(doing, found);
    return { outcome, names: { ...known, result: handler.result(doing, gave) } };
  };
  /** What no transaction of its own has kept is remembered in one. */
  const remembering = async (
    attempt: Attempt,
    respond: () => Reply | null | Promise<Reply | null>,
    isLasting: () => boolean,
  ): Promise<Reply | null> => {
    try {
      const reply = await respond();
      if (reply === null || !isLasting()) return reply;
      const decide = (tx: Transaction): Decision => {
        attempt.remember(tx, around.now(), reply);
        return { keep: true, reply };
      };
      return await around.commit({ decide, conflict: () => reply, fault: internal });
    } finally {
      attempt.leave();
    }
  };
  /** Whether a refusal is remembered: one that is judged once the key was. */
  const lasts = (found: Refusal | Held | Again): boolean => {
    if (repeats?.remembersAll !== true || !('condition' in found)) return false;
    const place = (condition: Judged, code: string | null): number =>
      slots.findIndex(({ judge }) => judge.condition === condition && judge.code === code);
    return place(found.condition, found.code) > place('key busy', null);
  };
  /** Once what is judged has been waited for, the request is begun anew. */
  const waiting = (incoming: Incoming, read: ReadBody | null): Promise<Reply | null> => {
    const proven = proofs((work) => around.passwords.run(work, isWanted(incoming)));
    return onceKnown(async () => answered(incoming, read, proven));
  };
  const judged = waits
    ? waiting
    : (incoming: Incoming, read: ReadBody | null) => answered(incoming, read, unproven);
  /** What of the items found a refusal tells of: what conceals has none of what it conceals (language §7.1). */
  const shownWith = (refusal: Refusal | Held | Again, found: Found): Found => {
    const hidden = 'condition' in refusal ? refusals.conceals(refusal) : null;
    if (hidden === null) return found;
    const bound = Object.entries(found.bound).map(
      ([name, item]) => [name, item?.resource === hidden ? null : item] as const,
    );
    return { ...found, bound: Object.fromEntries(bound), subject: null };
  };
  const guarded = (
    incoming: Incoming,
    content: Buffer | 'too large' | null,
  ): Reply | null | Promise<Reply | null> => {
    try {
      const isOver = content === 'too large' && most !== undefined;
      const reply = judged(incoming, isOver ? oversized : (body?.read(incoming, content) ?? null));
      return reply instanceof Promise ? reply.catch(failed) : reply;
    } catch (error) {
      return failed(error);
    }
  };
  const failed = (error: unknown): Reply | null => {
    if (error instanceof HostBusy) return busy(error.limit);
    if (error instanceof Unreceived) return null;
    return error instanceof NotRead ? { ...bare(floor.unavailable), faults: [error] } : internal(error);
  };
  const timedOut = (frame: FrameOf | null): Reply => refusals.reply(refuse('timed out'), frame ?? alone);
  const answering = limits?.around(guarded, timedOut) ?? guarded;
  if (body === undefined) return (incoming) => answering(incoming, null);
  return (incoming) => {
    const coming = incoming.content(most);
    return coming === null
      ? answering(incoming, null)
      : coming.then((content) => answering(incoming, content));
  };
}

/** Where it is stated how long a request may take, a function of the operator's and a query may take as long. */
function forOperation(around: Around, timeMs: number | undefined): Around {
  const { limits, store } = around;
  return {
    ...around,
    limits: { ...limits, handlerTimeoutMs: timeMs ?? limits.handlerTimeoutMs },
    store: store.isShared ? askedBy(store, { timeMs, takesSeveral: false }) : store,
  };
}

function askedBy(store: Store, asker: Asker): Store {
  return {
    ...store,
    read: (look) => store.read(look, asker),
    stream: (statement, parameters) => store.stream(statement, parameters, asker),
  };
}

/** Fields that are not unique, by what a version calls them: other failures were told so as they were found. */
function toldBy(renamings: Renamings | null, found: Refusal): Refusal {
  if (renamings === null || found.condition !== 'not unique') return found;
  const failures = found.failures.map((one) => {
    const renaming = renamings.named(one.subjects[0]?.split('.')[0] ?? '');
    return toldIn(renaming, one);
  });
  return { ...found, failures };
}

/** A request whose parameters are taken in when one of them is first read (language §4.2, `taken`). */
function lazily(seen: RequestView, take: () => Pick<RequestView, 'path' | 'query' | 'headers'>): RequestView {
  let taken: ReturnType<typeof take> | undefined;
  const places = (): ReturnType<typeof take> => (taken ??= take());
  return {
    ...seen,
    get path() {
      return places().path;
    },
    get query() {
      return places().query;
    },
    get headers() {
      return places().headers;
    },
  };
}

/** Goes on at once with what needs not be waited for. */
function after<T, R>(found: T | Promise<T>, then: (found: T) => R | Promise<R>): R | Promise<R> {
  return found instanceof Promise ? found.then(then) : then(found);
}

/** Begins a work anew each time that something it waits for is known. */
async function onceKnown<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Awaited) || tries === mostAwaited) throw error;
      await error.work();
    }
  }
}

/** Whether somebody still waits for the answer to a request: its client is there, and its time has not passed. */
function isWanted({ from, tally }: Incoming): () => boolean {
  return () => from.destroyed !== true && tally?.isOver !== true;
}
