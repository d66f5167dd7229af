import type { Frame, Item } from '../expression/compile.ts';
import type { Operation } from '../specification/operation.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { compileAnswers } from './answers.ts';
import { compileBody } from './body/body.ts';
import { compileChange, compileKey, type Prepared } from './change.ts';
import { worked } from './content.ts';
import { frame as frameOf, type RequestView, type Surroundings } from './frame.ts';
import { accepts } from './http/accept.ts';
import { floor } from './http/floor.ts';
import { type Incoming, Unreceived } from './incoming.ts';
import { firstRefusal, inOrder, type Judge } from './judge.ts';
import { compileList } from './list.ts';
import { compileParameters } from './parameters.ts';
import { compileRefusals, type Refusals } from './parts/errors.ts';
import { emitted } from './parts/events.ts';
import type { HostLimits } from './parts/limits.ts';
import type { KeptResource } from './parts/resources.ts';
import type { Decision, Plan } from './plan.ts';
import { type Checked, type Held, isHeld, type Refusal, refuse } from './refusal.ts';

import type { Writers } from './render.ts';
import { bare, type Reply } from './reply.ts';
import type { Reads, Row, Store, Transaction } from './store/store.ts';

/** What an operation needs of the service around it. */
export interface Around extends Surroundings {
  readonly store: Store;
  /** Carries a change out, together with others; null: nobody knows whether it was kept. */
  readonly commit: (plan: Plan) => Promise<Reply | null>;
  readonly now: () => string;
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly writers: Writers;
  readonly limits: HostLimits;
  /** The answer 501, with the points that it takes to go on. */
  readonly hold: (operation: Operation, held: readonly string[]) => Reply;
}

/** Answers a request; null: the connection is to be closed without an answer. */
export type Handle = (incoming: Incoming) => Promise<Reply | null>;

/** What is known of a request while its reasons to be refused are judged. */
interface Context {
  readonly frame: (names: Readonly<Record<string, unknown>>) => Frame;
  readonly unreadable: boolean;
  readonly foreign: boolean;
  /** The media types that the client takes, as it says so. */
  readonly accept: string | undefined;
  readonly parameters: Checked | null;
  readonly body: Checked | null;
  /** The item that the request is about; undefined until what is kept was looked at. */
  readonly item: Item | null | undefined;
  /** What is wrong with what the change leads to; asked where nothing is wrong with the request itself. */
  readonly result: () => Checked | null;
}

/** Compiles an operation that nothing holds up: what it judges, changes and answers (language §4, §H). */
export function compileOperation(specification: Specification, operation: Operation, around: Around): Handle {
  const change = stated(operation.does);
  const kept = operation.subject ? around.resources.get(operation.subject.name) : undefined;
  const refusals = compileRefusals(specification, operation.name, around.writers);
  const answer = compileAnswers(operation, around.writers);
  const body = compileBody(specification, operation, {
    depth: around.limits.jsonDepth,
    nodes: around.limits.jsonNodes,
  });
  const readParameters = compileParameters(specification, operation);
  const judges = inOrder(judgesOf(operation, kept, refusals), refusals);
  const firstKept = judges.findIndex((judge) => judge.kept);
  const early = firstKept === -1 ? judges : judges.slice(0, firstKept);
  const one =
    change !== undefined &&
    change.subject.kind === 'one' &&
    change.verb !== 'list' &&
    change.verb !== 'create';
  const key = one && kept ? compileKey(operation, kept) : undefined;
  const act = compileChange(operation, kept, body);
  const list = change?.verb === 'list' && kept ? compileList(kept, around.store, answer) : null;

  const internal = (error: unknown): Reply => ({
    ...refusals.reply(refuse('internal'), (names) =>
      frameOf(around, null, { now: around.now(), this: null, ...names }),
    ),
    fault: error,
  });
  const handle: Handle = async (incoming) => {
    const parameters = readParameters(incoming);
    const read = body ? await body.read(incoming) : null;
    if (read?.kind === 'too large') return bare(floor.contentTooLarge);
    const patch = read?.kind === 'value' ? read.patch : null;
    const value = read?.kind === 'value' ? read.value : null;
    const view: RequestView = {
      path: parameters?.path ?? incoming.path,
      query: parameters?.query ?? {},
      headers: parameters?.headers ?? incoming.headers,
      body: value,
      method: incoming.method,
      url: incoming.url,
    };
    const inRequest = (names: Readonly<Record<string, unknown>>): Frame => frameOf(around, view, names);
    const base: Context = {
      frame: inRequest,
      unreadable: parameters === null || read?.kind === 'malformed',
      foreign: read?.kind === 'unsupported media',
      accept: single(incoming.headers['accept']),
      parameters: parameters?.checked ?? null,
      body: read?.kind === 'value' ? read.checked : null,
      item: undefined,
      result: () => null,
    };
    const unlessHeld = (found: Reply | Held): Reply =>
      'held' in found ? around.hold(operation, found.held) : found;
    const settle = (found: Refusal | Held): Reply =>
      unlessHeld(
        isHeld(found) ? found : refusals.reply(found, (names) => inRequest({ this: null, ...names })),
      );
    const ahead = firstRefusal(early, base);
    if (ahead) return settle(ahead);

    const subject = key?.(view.path);
    const row = subject && kept ? { table: kept.name, key: subject } : null;
    const decide = (reads: Reads, tx: Transaction | null): Decision => {
      const found = row && reads.find(row.table, row.key);
      const now = around.now();
      const frame = (names: Readonly<Record<string, unknown>>): Frame => inRequest({ now, ...names });
      const itemOf = (of: Row | null): Item | null => (of && kept ? kept.item(of, () => frame({})) : null);
      let prepared: Prepared | undefined;
      const prepare = (): Prepared => {
        prepared ??= act.prepare({ row: found, path: view.path, body: value, patch, frame });
        return prepared;
      };
      const item = itemOf(found);
      const refusal = firstRefusal(judges, {
        ...base,
        item: key ? item : undefined,
        result: () => {
          const changed = prepare();
          return 'held' in changed ? null : changed.checked;
        },
      });
      if (refusal) return { keep: false, reply: settle(refusal) };
      const changed = prepare();
      if ('held' in changed) return { keep: false, reply: unlessHeld(changed) };
      const after = changed.row === found ? item : (itemOf(changed.row) ?? item);
      const reply = answer(changed.outcome, frame({ this: after, old: item, outcome: changed.outcome }));
      if ('held' in reply) return { keep: false, reply: unlessHeld(reply) };
      if (tx) for (const write of [...changed.writes, ...emitted(operation.name)]) write(tx);
      return { keep: true, reply };
    };
    if (list) {
      const now = around.now();
      return unlessHeld(await list.run(around.store, (names) => inRequest({ now, ...names })));
    }
    if (!act.writes || (key && row === null)) return decide(around.store, null).reply;
    return around.commit({
      decide: (tx) => decide(tx, tx),
      conflict: () =>
        settle(refuse('not unique', ...(kept?.keyFields ?? []).map((name) => `${kept?.name}.${name}`))),
      fault: internal,
    });
  };
  return (incoming) =>
    handle(incoming).catch((error: unknown) => {
      if (error instanceof Unreceived) throw error;
      return internal(error);
    });
}

function judgesOf(
  operation: Operation,
  kept: KeptResource | undefined,
  refusals: Refusals,
): Judge<Context>[] {
  const change = stated(operation.does);
  const one =
    change !== undefined && change.subject.kind === 'one' && !['create', 'list'].includes(change.verb);
  const needsResult = change?.verb === 'update';
  const media = (stated(operation.response) ?? []).flatMap((one) => stated(one.media) ?? []);
  const listsAcceptance = refusals.lists('not acceptable');
  const judges: Judge<Context>[] = [
    {
      condition: 'malformed',
      code: null,
      kept: false,
      refuses: (context) => (context.unreadable ? refuse('malformed') : null),
    },
    {
      condition: 'unsupported media',
      code: null,
      kept: false,
      refuses: (context) => (context.foreign ? refuse('unsupported media') : null),
    },
    {
      condition: 'not acceptable',
      code: null,
      kept: false,
      // Only where a row lists it (language §H.4), and where there is content to take.
      refuses: ({ accept }) =>
        listsAcceptance && media.length > 0 && !accepts(accept, media) ? refuse('not acceptable') : null,
    },
    {
      condition: 'invalid',
      code: null,
      kept: needsResult,
      refuses: (context) => invalid(context, needsResult),
    },
  ];
  if (one && kept)
    judges.push({
      condition: 'unknown',
      code: null,
      kept: true,
      refuses: (context) => (context.item === null ? refuse('unknown', kept.name) : null),
    });
  for (const { code, run, aboutItem } of refusals.own)
    judges.push({
      condition: 'expression',
      code,
      kept: aboutItem,
      refuses: (context) => {
        if (aboutItem && !context.item) return null;
        // An expression that cannot be worked out refuses nothing (language §H.4).
        const holds = worked(() => run(context.frame({ this: context.item ?? null }))) === true;
        return holds ? { ...refuse('expression'), code } : null;
      },
    });
  return judges;
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function invalid(context: Context, needsResult: boolean): Refusal | Held | null {
  const { parameters, body, unreadable, foreign } = context;
  for (const checked of [parameters, body]) if (checked?.held) return checked.held;
  const failures = [...(parameters?.failures ?? []), ...(body?.failures ?? [])];
  if (needsResult && !unreadable && !foreign && !body?.failures.length) {
    const result = context.result();
    if (result?.held) return result.held;
    failures.push(...(result?.failures ?? []));
  }
  return failures.length > 0 ? { ...refuse('invalid'), failures } : null;
}
