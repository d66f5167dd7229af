import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { compileAccess } from '../access/access.ts';
import { compileAuthenticating } from '../access/authenticating.ts';
import { type BodyReader, compileBody } from '../body/body.ts';
import { compileAnswers } from '../content/answers.ts';
import { bringing } from '../content/bringing.ts';
import { environmentOf } from '../content/render.ts';
import { compileHandled } from '../handlers/handled.ts';
import { floor } from '../http/floor.ts';
import { compileRefusals } from '../judge/refusals.ts';
import { type CompiledLimits, compileLimits } from '../limits/limits.ts';
import { mostBytes, sizeJudges } from '../limits/sizes.ts';
import { timeOf } from '../limits/time.ts';
import { compileList } from '../list/list.ts';
import { compileFindShown } from '../list/showing.ts';
import { handOver } from '../message/elsewhere.ts';
import type { FrameOf } from '../message/frame.ts';
import { type Incoming, Unreceived } from '../message/incoming.ts';
import { refuse } from '../message/refusal.ts';
import { bare, busy, HostBusy, type Reply } from '../message/reply.ts';
import { type Ask, compileRun } from '../run/run.ts';
import { renamingsOf } from '../shape/renaming.ts';
import { type Asker, NotRead, type Store } from '../store/store.ts';
import { versionJudges } from '../versions/versioning.ts';
import { compileAct } from './act.ts';
import type { Around } from './around.ts';
import { changeJudges } from './change.ts';
import type { Compiled } from './compiled.ts';
import { compileConditional } from './conditional.ts';
import { compileFinding, findJudges } from './find.ts';
import { mediaJudges } from './media.ts';
import { compileOrder } from './order.ts';
import { compileRead, oversized, readJudges } from './read.ts';
import { alone, internal } from './refuse.ts';
import { compileRepeats } from './repeats.ts';
import { compileRespond } from './respond.ts';
import { rowJudges } from './rows.ts';
import { shapeJudges } from './validate.ts';

/** Answers a request; null: the connection is to be closed without an answer. */
export type Handle = (incoming: Incoming) => Reply | null | Promise<Reply | null>;

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
  const asker: Asker = {
    timeMs: timeOf(specification, operation),
    takesSeveral: false,
    onlyReads: false,
  };
  const around = forOperation(specification, operation, all, asker);
  const { jsonDepth: depth, jsonNodes: nodes } = around.limits;
  const body = compileBody(specification, operation, { depth, nodes });
  const { compiled, limits } = compileStages(specification, operation, body, around, send);
  asker.onlyReads = onlyReads(compiled);
  if (around.isReader && !readsAlone(compiled, limits)) return handOver;
  const respond = compileRespond(compiled, compileRead(specification, operation, compiled.access, around));
  const most = mostBytes(specification, operation);
  const failed = (error: unknown): Reply | null => {
    if (error instanceof HostBusy) return busy(error.limit);
    if (error instanceof Unreceived) return null;
    return error instanceof NotRead
      ? { ...bare(floor.unavailable), faults: [error] }
      : internal(compiled, error);
  };
  const guarded = (
    incoming: Incoming,
    content: Buffer | 'too large' | null,
  ): Reply | null | Promise<Reply | null> => {
    try {
      const isOver = content === 'too large' && most !== undefined;
      const reply = respond(incoming, isOver ? oversized : (body?.read(incoming, content) ?? null));
      return reply instanceof Promise ? reply.catch(failed) : reply;
    } catch (error) {
      return failed(error);
    }
  };
  const timedOut = (frame: FrameOf | null): Reply =>
    compiled.refusals.reply(refuse('timed out'), frame ?? alone(compiled));
  const answering = limits?.around(guarded, timedOut) ?? guarded;
  if (body === undefined) return (incoming) => answering(incoming, null);
  return (incoming) => {
    const coming = incoming.content(most);
    return coming === null
      ? answering(incoming, null)
      : coming.then((content) => answering(incoming, content));
  };
}

/** Compiles the stages of an operation, and puts what they judge in its order. */
function compileStages(
  specification: Specification,
  operation: Operation,
  body: BodyReader | undefined,
  around: Around,
  send: Ask,
) {
  const verb = stated(operation.does)?.verb;
  const kept = operation.subject ? around.resources.get(operation.subject.name) : undefined;
  const environment = environmentOf(around.writers);
  const refusals = compileRefusals(specification, operation, around.writers);
  const answer = compileAnswers(specification, operation, around.writers);
  const authenticating = compileAuthenticating(operation, kept, around.model, environment);
  const told = compileFindShown(operation, kept, around, environment);
  const { resources, select } = around;
  const finding = compileFinding(operation, resources, select, environment, authenticating, told);
  const access = compileAccess(specification, operation, around);
  const limits = compileLimits(specification, operation, around, environment, access !== null);
  const rules = access?.items ?? [];
  const act = compileAct(operation, kept, body, around, rules);
  const list = verb === 'list' && kept ? compileList(operation, kept, around, answer, rules) : null;
  const conditional = compileConditional(specification, operation, around);
  const repeats = compileRepeats(operation, around, environment);
  const order = compileOrder(
    [
      ...readJudges,
      ...shapeJudges(list?.checks === true),
      ...mediaJudges(operation, body !== undefined, refusals),
      ...findJudges(finding, around.gone, refusals),
      ...(act.writes ? changeJudges : []),
      ...rowJudges(refusals, finding.names),
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
  limits?.arranged(order.all);
  const compiled: Compiled = {
    operation,
    around,
    order,
    refusals,
    renamings: renamingsOf(specification),
    access,
    finding,
    act,
    answer,
    list,
    conditional,
    repeats,
    handled: compileHandled(specification, operation, around),
    run: compileRun(specification, operation, around, send),
    isSeveral: verb === 'list' || stated(operation.does)?.subject.kind === 'every',
    judgesWait: authenticating !== null || access?.mayWait === true || limits?.mayWait === true,
    hashes: act.writes && [...resources.values()].some(({ hasSecrets }) => hasSecrets),
    timeMs: timeOf(specification, operation),
  };
  return { compiled, limits };
}

/** Whether nothing is written, nothing is noted of its requests, and no function of the operator's runs. */
function onlyReads({ act, repeats, handled, run }: Compiled): boolean {
  return !act.writes && repeats === null && handled === null && run === null;
}

/** Whether a process that reads answers it: it only reads, and is not counted in the memory of one process. */
function readsAlone(compiled: Compiled, limits: CompiledLimits | null): boolean {
  const isCounted = limits !== null && limits.judges.length > 0 && !compiled.around.counter.isShared;
  return onlyReads(compiled) && !isCounted;
}

/** Where it is stated how long a request may take, a function of the operator's and a query may take as long. */
function forOperation(
  specification: Specification,
  operation: Operation,
  around: Around,
  asker: Asker,
): Around {
  const { limits, store, writers } = around;
  return {
    ...around,
    limits: { ...limits, handlerTimeoutMs: asker.timeMs ?? limits.handlerTimeoutMs },
    store: store.isShared ? askedBy(store, asker) : store,
    writers: bringing(specification, operation, writers),
  };
}

function askedBy(store: Store, asker: Asker): Store {
  return {
    ...store,
    read: (look) => store.read(look, asker),
    stream: (statement, parameters) => store.stream(statement, parameters, asker),
  };
}
