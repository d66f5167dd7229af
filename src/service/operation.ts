import type { Frame } from '../expression/compile.ts';
import type { Operation } from '../specification/operation.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { type Acted, compileAct } from './act.ts';
import { compileAnswers } from './answers.ts';
import { compileBody, type ReadBody } from './body/body.ts';
import type { Changes } from './change/changes.ts';
import { type Doing, naming, nothingFound } from './change/doing.ts';
import type { CompileSelect } from './change/select.ts';
import { compileFinding, type Found } from './finding.ts';
import { frame as frameOf, type RequestView, type Surroundings } from './frame.ts';
import { floor } from './http/floor.ts';
import { type Incoming, Unreceived } from './incoming.ts';
import { firstRefusal, inOrder } from './judge.ts';
import { judgesOf, type Trial, type Within } from './judges.ts';
import { compileList } from './list.ts';
import { compileParameters } from './parameters/parameters.ts';
import { compileRefusals } from './parts/errors.ts';
import type { HostLimits } from './parts/limits.ts';
import type { Decision, Plan } from './plan.ts';
import { type Held, isHeld, type Refusal, refuse } from './refusal.ts';
import type { Writers } from './render.ts';
import { bare, type Reply } from './reply.ts';
import type { KeptResource } from './resource/kept.ts';
import type { Reads, Store, Transaction } from './store/store.ts';

/** What an operation needs of the service around it. */
export interface Around extends Surroundings {
  readonly store: Store;
  /** Carries a change out, together with others; null: nobody knows whether it was kept. */
  readonly commit: (plan: Plan) => Promise<Reply | null>;
  readonly now: () => string;
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly changes: Changes;
  readonly select: CompileSelect;
  readonly writers: Writers;
  readonly limits: HostLimits;
  /** The answer 501, with the points that it takes to go on. */
  readonly hold: (operation: Operation, held: readonly string[]) => Reply;
}

/** Answers a request; null: the connection is to be closed without an answer. */
export type Handle = (incoming: Incoming) => Reply | null | Promise<Reply | null>;

type Names = Readonly<Record<string, unknown>>;

/** A request against which nothing stands. */
interface Begun {
  readonly within: Within;
}

/** Compiles an operation that nothing holds up: what it judges, changes and answers (language §4, §H). */
export function compileOperation(specification: Specification, operation: Operation, around: Around): Handle {
  const change = stated(operation.does);
  const kept = operation.subject ? around.resources.get(operation.subject.name) : undefined;
  const refusals = compileRefusals(specification, operation, around.writers);
  const answer = compileAnswers(operation, around.writers);
  const body = compileBody(specification, operation, {
    depth: around.limits.jsonDepth,
    nodes: around.limits.jsonNodes,
  });
  const readParameters = compileParameters(specification, operation);
  const finding = compileFinding(operation, around.resources, around.select);
  const act = compileAct(operation, kept, body, around);
  const list = change?.verb === 'list' && kept ? compileList(kept, around.store, answer) : null;
  const { seeks, names } = finding;
  const slots = inOrder(
    judgesOf(operation, refusals, { seeks, names, writes: act.writes, list: list?.readsKept === true }),
    refusals,
  );
  const firstKept = slots.findIndex(({ judge }) => judge.kept);
  const early = firstKept === -1 ? slots : slots.slice(0, firstKept);

  const internal = (error: unknown): Reply => ({
    ...refusals.reply(refuse('internal'), (more) =>
      frameOf(around, null, { now: around.now(), this: null, ...more }),
    ),
    fault: error,
  });
  const unlessHeld = (found: Reply | Held): Reply =>
    'held' in found ? around.hold(operation, found.held) : found;
  const settle = (found: Refusal | Held, frame: (more: Names) => Frame): Reply =>
    isHeld(found)
      ? around.hold(operation, found.held)
      : refusals.reply(found, (more) => frame({ this: null, ...more }));

  const answered = (incoming: Incoming, read: ReadBody | null): Reply | null | Promise<Reply | null> => {
    const parameters = readParameters(incoming);
    if (read?.kind === 'too large') return bare(floor.contentTooLarge);
    const value = read?.kind === 'value' ? read : null;
    const seen: RequestView = {
      path: parameters?.path ?? incoming.path,
      query: parameters?.query ?? {},
      headers: parameters?.headers ?? incoming.headers,
      body: value?.value ?? null,
      patch: value?.patch ?? null,
      method: incoming.method,
      url: incoming.url,
    };
    const view: RequestView = parameters?.takenIn
      ? { ...seen, ...parameters.takenIn((more) => frameOf(around, seen, { now: around.now(), ...more })) }
      : seen;
    const inRequest = (more: Names): Frame => frameOf(around, view, more);
    const base: Trial = {
      frame: inRequest,
      unreadable: parameters === null || read?.kind === 'malformed',
      foreign: read?.kind === 'unsupported media',
      accept: single(incoming.headers['accept']),
      parameters: parameters?.checked ?? null,
      body: value?.checked ?? null,
      within: null,
    };
    const ahead = firstRefusal(early, base, refusals);
    if (ahead) return settle(ahead, inRequest);

    const begin = (tx: Transaction): { readonly reply: Reply } | Begun => {
      const now = around.now();
      const frame = (more: Names): Frame => frameOf(around, view, { now, ...more }, tx);
      const doing: Doing = { tx, now, frame, found: nothingFound() };
      let found: Found | undefined;
      let acted: Acted | undefined;
      const within: Within = {
        doing,
        found: () => (found ??= finding.find(doing, view.path)),
        change: () => (acted ??= act.run(doing, within.found())),
        list: () => list?.check(tx, frame) ?? [],
      };
      const refusal = firstRefusal(slots, { ...base, frame, within }, refusals);
      return refusal ? { reply: settle(refusal, frame) } : { within };
    };
    const decide = (tx: Transaction): Decision => {
      const begun = begin(tx);
      if ('reply' in begun) return { keep: false, reply: begun.reply };
      const { doing, change: carryOut } = begun.within;
      const { outcome, names: known } = carryOut();
      const { held } = doing.found;
      const reply = held.length > 0 ? { held } : answer(outcome, doing.frame(known));
      return { keep: !('held' in reply), reply: unlessHeld(reply) };
    };
    if (act.writes)
      return around.commit({
        decide,
        conflict: () => settle(refuse('not unique', ...taken), inRequest),
        fault: internal,
      });
    const tx = around.store as Reads as Transaction;
    if (list === null) return decide(tx).reply;
    const begun = begin(tx);
    if ('reply' in begun) return begun.reply;
    const { doing, found } = begun.within;
    const reply = list.run(tx, naming(doing, found().bound).frame);
    return reply instanceof Promise ? reply.then(unlessHeld) : unlessHeld(reply);
  };
  const taken = (kept?.keyFields ?? []).map((name) => `${kept?.name}.${name}`);
  const guarded = (incoming: Incoming, read: ReadBody | null): Reply | null | Promise<Reply | null> => {
    try {
      const reply = answered(incoming, read);
      return reply instanceof Promise ? reply.catch(failed) : reply;
    } catch (error) {
      return failed(error);
    }
  };
  const failed = (error: unknown): Reply => {
    if (error instanceof Unreceived) throw error;
    return internal(error);
  };
  if (body === undefined) return (incoming) => guarded(incoming, null);
  return (incoming) => body.read(incoming).then((read) => guarded(incoming, read), failed);
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
