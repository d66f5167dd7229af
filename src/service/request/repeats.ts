import { createHash, hash } from 'node:crypto';
import type { Environment, Frame } from '../../expression/compile.ts';
import { compare, field, literal, parameter, query, rowOf } from '../../expression/query.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { askerOf } from '../access/owner.ts';
import { signed, verified } from '../access/token.ts';
import { compileFields } from '../content/content.ts';
import type { Judge } from '../judge/judge.ts';
import type { RequestView } from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import { type Failing, type Held, type Refusal, refuse } from '../message/refusal.ts';
import { isStream, type Reply } from '../message/reply.ts';
import { statement } from '../store/rows.ts';
import type { Reads, Table, Transaction } from '../store/store.ts';
import type { Doing } from '../transaction/doing.ts';
import { canonical } from '../value/canonical.ts';
import { later } from '../value/clock.ts';

/** Where answers are remembered: by whose key it is, and the key. */
export const answered: Table = {
  name: 'answered',
  keyFields: ['scope', 'key'],
  indexes: [{ fields: [{ path: ['until'] }], unique: false }],
};

/** How many that are forgotten are removed with each that is remembered: more than one, so that none heap up. */
const removedAtOnce = 4;
const row = rowOf(answered);
const forgotten = statement(
  query(row, {
    where: compare('<=', field(row, 'until', 'text'), parameter(0, 'text')),
    limit: literal(removedAtOnce),
  }),
);

/** An operation's keys, compiled (language §4.4). */
export interface CompiledRepeats {
  readonly judges: readonly Judge<Tried>[];
  /** Whether refusals are remembered too. */
  readonly remembersAll: boolean;
  /** Whether a request has a key, so that it counts who asks. */
  readonly isKeyed: (incoming: Pick<Incoming, 'headers'>) => boolean;
  /** Takes a request in: until it is left, another with its key is told that this one is running. `misfits`: of its parameters. */
  readonly enter: (
    request: RequestView,
    media: string | null,
    actor: unknown,
    misfits: readonly Failing[],
  ) => Attempt;
}

/** What is to be known of a request to judge whether it is a repeat. */
interface Tried {
  readonly attempt: Attempt | null;
  readonly within: { readonly doing: Pick<Doing, 'tx' | 'now' | 'frame'> } | null;
}

/** A request that may be a repeat. */
export interface Attempt {
  /** `key missing`, or the points without which its key cannot be looked at. */
  readonly missing: readonly Refusal[] | Held;
  /** Whether another request with its key is running, and whether that is the same. */
  readonly running: 'none' | 'same' | 'other';
  /** Whether the first with its key is running, rather than another repeat of one that was answered before. */
  readonly isBusy: (reads: Reads, now: string) => boolean;
  /** What was answered to its key before; whether to the same request. */
  readonly recall: (reads: Reads, now: string, frame: Frame) => { readonly again: Reply } | 'other' | null;
  /** Keeps the answer. Of a list that is made while it is sent none is kept. */
  readonly remember: (tx: Transaction, now: string, reply: Reply) => void;
  /** To be called once nothing more becomes of it. */
  readonly leave: () => void;
}

const plain = { code: null, kept: false, byChange: false } as const;
const judges: readonly Judge<Tried>[] = [
  { ...plain, condition: 'key missing', refuses: ({ attempt }) => attempt?.missing ?? [] },
  {
    ...plain,
    condition: 'key reused',
    kept: true,
    refuses: ({ attempt, within }) => {
      if (attempt === null || within === null) return [];
      const { tx, now, frame } = within.doing;
      const isOther = attempt.running === 'other' || attempt.recall(tx, now, frame({})) === 'other';
      return isOther ? [refuse('key reused')] : [];
    },
  },
  {
    ...plain,
    condition: 'key busy',
    kept: true,
    refuses: ({ attempt, within }) =>
      within !== null && attempt?.isBusy(within.doing.tx, within.doing.now) ? [refuse('key busy')] : [],
  },
  {
    ...plain,
    condition: 'replay',
    kept: true,
    refuses: ({ attempt, within }) => {
      if (attempt === null || within === null) return [];
      const { tx, now, frame } = within.doing;
      if (attempt.isBusy(tx, now)) return [];
      const found = attempt.recall(tx, now, frame({ this: null }));
      return found === null || found === 'other' ? [] : found;
    },
  },
];

/** What is remembered, as it is kept. */
interface Kept {
  /** `now` from which on it is forgotten; null: never. */
  readonly until: string | null;
  readonly sealed: string;
}

/** What is remembered of an answer. */
interface Remembered {
  readonly request: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string | null;
  /** Whether the body is bytes, in base 64. */
  readonly isBytes?: true;
  readonly own?: readonly string[];
  /** The code of the row that refused it. */
  readonly code?: string;
}

const nothing: Attempt = {
  missing: [],
  running: 'none',
  isBusy: () => false,
  recall: () => null,
  remember: () => {},
  leave: () => {},
};

/** A request that is running: what it asks for, and whether it is the first, whose answer is to be remembered. */
interface Entered {
  readonly asked: string;
  isFirst: boolean;
}

/** The keys of requests that are running; one for a service. */
export type Running = Map<string, Entered>;

/** Compiles `idempotency` (language §4.4); null where it is not stated, or in which field a key comes. */
export function compileRepeats(
  operation: Operation,
  { running, fault }: { readonly running: Running; readonly fault: (error: unknown) => void },
  environment: Environment,
): CompiledRepeats | null {
  const idempotency = stated(operation.endpoint.idempotency);
  const header = idempotency && stated(idempotency.header)?.toLowerCase();
  if (idempotency === undefined || header === undefined) return null;
  const { life, per, remembers } = idempotency;
  const isRequired = stated(idempotency.required) === true;
  const open = [life, per].filter((said) => said.kind === 'open').map((said) => said.address);
  const replay = stated(idempotency.replay);
  const fields = compileFields(replay && stated(replay.headers), environment);
  const digest = compileDigest(operation, header);
  const duration = stated(life);
  const enter: CompiledRepeats['enter'] = (request, media, actor, misfits) => {
    const key = request.headers[header];
    if (typeof key !== 'string' || key === '')
      return isRequired ? { ...nothing, missing: [refuse('key missing')] } : nothing;
    if (open.length > 0) return { ...nothing, missing: { held: open } };
    // Those of requests of which nobody is known are together.
    const asker = askerOf(actor, request.presented);
    const place = [`${header} ${isPerActor ? asker : ''}`, key];
    const name = JSON.stringify(place);
    const asked = digest(request, media, asker, misfits);
    const other = running.get(name);
    const own: Entered = { asked, isFirst: false };
    if (other === undefined) running.set(name, own);
    // An answer may tell what is kept nowhere else, as a credential: only whoever brings the key can have it read.
    const at = [place[0] as string, hash('sha256', key, 'base64url')];
    const secret = createHash('sha256').update(`answer\n${name}`).digest();
    const found = (reads: Reads, now: string): Remembered | null => {
      const row = reads.find(answered.name, at);
      const one = row && (JSON.parse(row.text) as Kept);
      return one && (one.until === null || now < one.until) ? verified<Remembered>(one.sealed, secret) : null;
    };
    return {
      missing: [],
      running: other === undefined ? 'none' : other.asked === asked ? 'same' : 'other',
      isBusy: (reads, now) =>
        other !== undefined && other.asked === asked && (other.isFirst || found(reads, now) === null),
      recall: (reads, now, frame) => {
        const one = found(reads, now);
        if (one === null) return null;
        if (one.request !== asked) return 'other';
        return {
          again: {
            status: one.status,
            headers: [...one.headers, ...fields(frame, fault)],
            body: bodyOf(one),
            ...(one.code !== undefined && { because: { statements: [], code: one.code } }),
          },
        };
      },
      remember: (tx, now, { status, headers, body, own: about, because }) => {
        if (isStream(body)) return;
        const isBytes = body instanceof Uint8Array;
        own.isFirst = true;
        for (const { key } of tx.rows(forgotten, [now])) tx.remove(answered.name, key);
        const until = duration ? later(now, duration) : null;
        const remembered: Remembered = {
          request: asked,
          status,
          headers,
          body: isBytes ? Buffer.from(body).toString('base64') : body,
          ...(isBytes && { isBytes }),
          ...(about && { own: about }),
          ...(because?.code !== undefined && { code: because.code }),
        };
        const kept: Kept = { until, sealed: signed(remembered, secret) };
        const row = { key: at, text: JSON.stringify(kept) };
        if (tx.find(answered.name, at)) tx.update(answered.name, row);
        else tx.insert(answered.name, row);
      },
      leave: () => {
        if (other === undefined) running.delete(name);
      },
    };
  };
  const isPerActor = stated(per) === 'actor';
  const isKeyed: CompiledRepeats['isKeyed'] = ({ headers }) => headers[header] !== undefined;
  return { judges, remembersAll: stated(remembers) === 'all', isKeyed, enter };
}

function bodyOf({ body, isBytes }: Remembered): string | Uint8Array | null {
  return isBytes && body !== null ? Buffer.from(body, 'base64') : body;
}

/** What a request asks for, and who asks, as a digest that is the same where these are equal as JSON values. */
function compileDigest(
  { key, request }: Operation,
  header: string,
): (view: RequestView, media: string | null, asker: string, misfits: readonly Failing[]) => string {
  const fields = [...((request && stated(request.headers)) ?? new Map<string, unknown>()).keys()]
    .map((name) => name.toLowerCase())
    .filter((name) => name !== header);
  return ({ path, query, headers, body }, media, asker, misfits) => {
    const given = fields.map((name) => headers[name] ?? null);
    // A parameter that is not declared is not in `query`. If it is refused, the request is another one.
    const refused = misfits.map(({ field, keyword }) => [field, keyword]);
    const parts = [key, path, query, given, media, body, asker, ...refused];
    return hash('sha256', canonical(parts), 'base64url');
  };
}
