import type { Frame, Item, Run } from '../expression/compile.ts';
import { CannotWorkOut, equal } from '../expression/functions.ts';
import { setMember } from '../source/node.ts';
import { step } from '../specification/address.ts';
import type { Outcome } from '../specification/answer.ts';
import type { Operation } from '../specification/operation.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { type AnswerTo, compileAnswers } from './answers.ts';
import { type BodyReader, type Checked, compileBody, mergePatch, writableMembers } from './body.ts';
import { frame as frameOf, type RequestView, type Surroundings } from './frame.ts';
import type { Incoming } from './incoming.ts';
import { firstRefusal, inOrder, type Judge } from './judge.ts';
import { compileQuery, fromText } from './parameters.ts';
import { compileRefusals, type Refusals } from './parts/errors.ts';
import { emitted } from './parts/events.ts';
import type { HostLimits } from './parts/limits.ts';
import { definitions, type KeptResource } from './parts/resources.ts';
import { initialMembers } from './parts/states.ts';
import type { Decision, Key, Plan, Row, Write } from './plan.ts';
import { type Held, isHeld, type Refusal, refuse } from './refusal.ts';
import { pieces, piecesMark, type Writers } from './render.ts';
import type { Reply } from './reply.ts';
import type { Scan, Store } from './store/store.ts';
import { Validators } from './validate.ts';

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
  readonly query: Checked;
  readonly body: Checked | null;
  /** The item that the request is about; undefined until what is kept was looked at. */
  readonly item: Item | null | undefined;
  /** What is wrong with what the change leads to. */
  readonly result: Checked | null;
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
  const query = compileQuery(operation.request, new Validators(definitions(specification, null)));
  const judges = inOrder(judgesOf(operation, kept, refusals), refusals);
  const firstKept = judges.findIndex((judge) => judge.kept);
  const early = firstKept === -1 ? judges : judges.slice(0, firstKept);
  const one =
    change !== undefined &&
    change.subject.kind === 'one' &&
    change.verb !== 'list' &&
    change.verb !== 'create';
  const key = one && kept ? compileKey(operation, kept) : undefined;
  const act = compileChange(operation, kept, body, around);

  return async (incoming) => {
    const parameters = query(incoming.query);
    const read = body ? await body.read(incoming) : null;
    if (read?.kind === 'too large') return { status: 413, headers: [], body: null, close: true };
    const merges = read?.kind === 'value' && body?.isMergePatch(read.media) === true;
    const value = read?.kind === 'value' ? read.value : null;
    const view: RequestView = {
      path: incoming.path,
      query: parameters === 'malformed' ? {} : parameters.values,
      headers: incoming.headers,
      body: value,
      method: incoming.method,
      url: incoming.url,
    };
    const inRequest = (names: Readonly<Record<string, unknown>>): Frame => frameOf(around, view, names);
    const base: Context = {
      frame: inRequest,
      unreadable: parameters === 'malformed' || read?.kind === 'malformed',
      foreign: read?.kind === 'unsupported media',
      query: parameters === 'malformed' ? { failures: [], held: null } : parameters,
      body: read?.kind === 'value' ? (body?.check(value, merges) ?? null) : null,
      item: undefined,
      result: null,
    };
    const settle = (found: Refusal | Held): Reply =>
      isHeld(found)
        ? around.hold(operation, found.held)
        : refusals.reply(found, (names) => inRequest({ this: null, ...names }));
    const ahead = firstRefusal(early, base);
    if (ahead) return settle(ahead);

    const subject = key?.(incoming.path);
    const row = subject && kept ? { resource: kept.name, key: subject } : null;
    const decide = (found: Row | null): Decision => {
      const now = around.now();
      const names = { now };
      const item = found && kept ? kept.item(found, () => frameOf(around, view, names)) : null;
      const changed = act.prepare(found, value, merges, view, now, incoming);
      if ('held' in changed) return { writes: [], reply: around.hold(operation, changed.held) };
      const context: Context = { ...base, item: key ? item : undefined, result: changed.checked };
      const refusal = firstRefusal(judges, context);
      if (refusal) return { writes: [], reply: settle(refusal) };
      const after = changed.row && kept ? kept.item(changed.row, () => frameOf(around, view, names)) : item;
      const frame = frameOf(around, view, { ...names, this: after, old: item, outcome: changed.outcome });
      const reply = answer(changed.outcome, frame);
      if ('held' in reply) return { writes: [], reply: around.hold(operation, reply.held) };
      return { writes: [...changed.writes, ...emitted(operation.name)], reply };
    };
    if (change?.verb === 'list' && kept) return listed(kept, view, answer, operation, around);
    if (!act.writes) return decide(row && (await around.store.find(row))).reply;
    if (key && row === null) return decide(null).reply;
    return around.commit({
      read: row,
      decide,
      conflict: () =>
        settle(refuse('not unique', ...(kept?.keyFields ?? []).map((name) => `${kept?.name}.${name}`))),
      fault: () => settle(refuse('internal')),
    });
  };
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
    { condition: 'invalid', code: null, kept: needsResult, refuses: invalid },
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
        return isTrue(run, context.frame({ this: context.item ?? null }))
          ? { ...refuse('expression'), code }
          : null;
      },
    });
  return judges;
}

function invalid({ query, body, result }: Context): Refusal | Held | null {
  for (const checked of [query, body, result]) if (checked?.held) return checked.held;
  const failures = [
    ...query.failures,
    ...(body?.failures ?? []),
    ...((body?.failures.length ? null : result?.failures) ?? []),
  ];
  return failures.length > 0 ? { ...refuse('invalid'), failures } : null;
}

/** The identifier that the path's parameters give; undefined where one of them cannot be such a key. */
function compileKey(
  operation: Operation,
  kept: KeptResource,
): (path: Readonly<Record<string, string>>) => Key | undefined {
  const parts = kept.keyFields.map((name) => {
    const bound = [...operation.bindings].find(([, one]) => one.kind === 'subject' && one.field === name);
    const type = kept.resource.fields.get(name)?.shape.keywords.get('type');
    return { parameter: bound?.[0] ?? name, type: type && stated(type) };
  });
  return (path) => {
    const key: (string | number)[] = [];
    for (const { parameter, type } of parts) {
      const value = fromText(path[parameter] ?? '', type);
      const wanted = Array.isArray(type) ? type : [type ?? 'string'];
      const fits = typeof value === 'number' ? !wanted.includes('string') : wanted.includes('string');
      if (!fits || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
      key.push(value);
    }
    return key;
  };
}

/** What a change leads to, before it is known whether it is refused. */
type Prepared =
  | {
      readonly writes: readonly Write[];
      /** The item as it is afterwards; null where there is none to show. */
      readonly row: Row | null;
      readonly outcome: Outcome | null;
      readonly checked: Checked | null;
    }
  | Held;

interface Act {
  readonly writes: boolean;
  readonly prepare: (
    row: Row | null,
    body: unknown,
    merges: boolean,
    view: RequestView,
    now: string,
    incoming: Incoming,
  ) => Prepared;
}

const still: Prepared = { writes: [], row: null, outcome: null, checked: null };

function compileChange(
  operation: Operation,
  kept: KeptResource | undefined,
  body: BodyReader | undefined,
  around: Around,
): Act {
  const change = stated(operation.does);
  if (change === undefined || kept === undefined) return { writes: false, prepare: () => still };
  const { resource, name } = kept;
  if (change.verb === 'create') {
    const bound = [...operation.bindings].flatMap(([parameter, one]) => {
      if (one.kind !== 'subject') return [];
      const type = resource.fields.get(one.field)?.shape.keywords.get('type');
      return [{ parameter, field: one.field, type: type && stated(type) }];
    });
    return {
      writes: true,
      prepare: (_row, value, _merges, view, now, incoming) => {
        const given = { ...initialMembers(name), ...writableMembers(value, resource, []) };
        for (const { parameter, field, type } of bound)
          setMember(given, field, fromText(incoming.path[parameter] ?? '', type));
        const made = kept.create(given, (known) => frameOf(around, view, { now, this: known }));
        if ('missing' in made) return { held: [step(step(made.missing.address, 'set'), 'create')] };
        const wrong = kept.keyFields.find((one) => !['string', 'number'].includes(typeof made.members[one]));
        if (wrong !== undefined)
          return { held: [step(step(step(resource.address, 'fields'), wrong), 'type')] };
        const row = kept.row(made.members);
        return { writes: [{ kind: 'insert', resource: name, row }], row, outcome: 'created', checked: null };
      },
    };
  }
  if (change.verb === 'update')
    return {
      writes: true,
      prepare: (row, value, merges) => {
        if (row === null) return still;
        const before = kept.members(row);
        const given = writableMembers(value, resource, kept.keyFields);
        const members = merges
          ? (mergePatch(before, given) as Record<string, unknown>)
          : { ...before, ...given };
        const checked = body?.checkResult(visible(members, kept)) ?? null;
        if (checked !== null) return { ...still, checked };
        if (equal(before, members)) return { ...still, row, outcome: 'unchanged' };
        const after = kept.row(members);
        return {
          writes: [{ kind: 'update', resource: name, row: after }],
          row: after,
          outcome: 'changed',
          checked: null,
        };
      },
    };
  if (change.verb === 'delete' && change.subject.kind === 'every')
    return {
      writes: true,
      prepare: () => ({
        writes: kept.keyFields.length === 0 ? [] : [{ kind: 'delete every', resource: name }],
        row: null,
        outcome: 'deleted',
        checked: null,
      }),
    };
  if (change.verb === 'delete')
    return {
      writes: true,
      prepare: (row) =>
        row === null
          ? still
          : {
              writes: [{ kind: 'delete', resource: name, key: row.key }],
              row,
              outcome: 'deleted',
              checked: null,
            },
    };
  return { writes: false, prepare: (row) => ({ ...still, row }) };
}

/** The members that a client may write: those that the shape of a change's result speaks of. */
function visible(members: Readonly<Record<string, unknown>>, kept: KeptResource): Record<string, unknown> {
  return writableMembers(members, kept.resource, kept.keyFields);
}

/** A list as it stands at one moment: at once where it is short, else piece by piece (principles, "list without stated paging"). */
async function listed(
  kept: KeptResource,
  view: RequestView,
  answer: AnswerTo,
  operation: Operation,
  around: Around,
): Promise<Reply> {
  const names = { now: around.now() };
  const frame = (more: object): Frame => frameOf(around, view, { ...names, ...more });
  const plain = frame({});
  const item = (row: Row): Item => kept.item(row, () => plain);
  // Nothing can have been made of a resource whose identifier is open.
  const scan: Scan = kept.keyFields.length === 0 ? none : around.store.scan(kept.name);
  const whole = (rows: readonly Row[]): Reply | Held => answer(null, frame({ page: pageOf(rows.map(item)) }));
  const settle = (reply: Reply | Held): Reply =>
    'held' in reply ? around.hold(operation, reply.held) : reply;
  if (scan.few) return settle(whole(scan.few));
  const outline = answer(null, frame({ page: { items: pieces } }));
  if ('held' in outline) return settle(outline);
  const [before, after, ...others] = typeof outline.body === 'string' ? outline.body.split(piecesMark) : [];
  if (before === undefined || after === undefined || others.length > 0) {
    const rows: Row[] = [];
    for await (const piece of scan.pieces()) rows.push(...piece);
    return settle(whole(rows));
  }
  const chunks = async function* (): AsyncIterable<string> {
    let separator = `${before}[`;
    for await (const piece of scan.pieces()) {
      yield separator + piece.map((row) => kept.write(item(row), plain)).join(',');
      separator = ',';
    }
    yield `]${after}`;
  };
  return { ...outline, body: { chunks } };
}

const none: Scan = { few: [], pieces: async function* () {} };

function pageOf(items: readonly Item[]): Readonly<Record<string, unknown>> {
  const total = items.length;
  return { items, total, size: total, offset: 0, number: 1, next: null, previous: null, links: null };
}

/** An expression that cannot be worked out refuses nothing (language §H.4). */
function isTrue(run: Run, frame: Frame): boolean {
  try {
    return run(frame) === true;
  } catch (error) {
    if (error instanceof CannotWorkOut) return false;
    throw error;
  }
}
