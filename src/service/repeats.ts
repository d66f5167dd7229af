import { hash } from 'node:crypto';
import type { Frame } from '../expression/compile.ts';
import type { Operation } from '../specification/operation.ts';
import { stated } from '../specification/said.ts';
import { canonical } from './canonical.ts';
import { later } from './clock.ts';
import { compileFields } from './content.ts';
import type { RequestView } from './frame.ts';
import { type Held, type Refusal, refuse } from './refusal.ts';
import type { Reply } from './reply.ts';
import type { Reads, Table, Transaction } from './store/store.ts';

/** Where answers are remembered: by whose key it is, and the key. */
export const answered: Table = { name: 'answered', keyFields: ['scope', 'key'] };

/** An operation's keys, compiled (language §4.4). */
export interface CompiledRepeats {
  /** Whether refusals are remembered too. */
  readonly remembersAll: boolean;
  /** Takes a request in: until it is left, another with its key is told that this one is running. */
  readonly enter: (request: RequestView, media: string | null, actor: unknown) => Attempt;
}

/** A request that may be a repeat. */
export interface Attempt {
  /** `key missing`, or the points without which its key cannot be looked at. */
  readonly missing: () => Refusal | Held | null;
  /** `key reused`; looks at what is kept. */
  readonly reused: (reads: Reads, now: string) => Refusal | null;
  /** `key busy`. */
  readonly busy: () => Refusal | null;
  /** The first answer to the same request, if there was one; looks at what is kept. */
  readonly recall: (reads: Reads, now: string, frame: Frame) => Reply | null;
  /** Keeps the answer. Of a list that is made while it is sent none is kept. */
  readonly remember: (tx: Transaction, now: string, reply: Reply) => void;
  /** To be called once nothing more becomes of it. */
  readonly leave: () => void;
}

/** What is remembered of an answer. */
interface Remembered {
  readonly request: string;
  /** `now` from which on it is forgotten; null: never. */
  readonly until: string | null;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string | null;
}

const nothing: Attempt = {
  missing: () => null,
  reused: () => null,
  busy: () => null,
  recall: () => null,
  remember: () => {},
  leave: () => {},
};

/** The keys of requests that are running, with what each asks for; one for a service. */
export type Running = Map<string, string>;

/** Compiles `idempotency` (language §4.4); null where it is not stated, or in which field a key comes. */
export function compileRepeats(operation: Operation, running: Running): CompiledRepeats | null {
  const idempotency = stated(operation.endpoint.idempotency);
  const header = idempotency && stated(idempotency.header)?.toLowerCase();
  if (idempotency === undefined || header === undefined) return null;
  const { life, per, remembers } = idempotency;
  const isRequired = stated(idempotency.required) === true;
  const open = [life, per].filter((said) => said.kind === 'open').map((said) => said.address);
  const replay = stated(idempotency.replay);
  const fields = compileFields(replay && stated(replay.headers));
  const digest = compileDigest(operation, header);
  const duration = stated(life);
  const enter: CompiledRepeats['enter'] = (request, media, actor) => {
    const key = request.headers[header];
    if (typeof key !== 'string' || key === '')
      return isRequired ? { ...nothing, missing: () => refuse('key missing') } : nothing;
    if (open.length > 0) return { ...nothing, missing: () => ({ held: open }) };
    const place = [`${header} ${stated(per) === 'actor' ? ownerOf(actor) : ''}`, key];
    const name = JSON.stringify(place);
    const asked = digest(request, media);
    const other = running.get(name);
    if (other === undefined) running.set(name, asked);
    const found = (reads: Reads, now: string): Remembered | null => {
      const row = reads.find(answered.name, place);
      const one = row && (JSON.parse(row.text) as Remembered);
      return one && (one.until === null || now < one.until) ? one : null;
    };
    return {
      missing: () => null,
      reused: (reads, now) => {
        const before = other ?? found(reads, now)?.request;
        return before === undefined || before === asked ? null : refuse('key reused');
      },
      busy: () => (other === undefined ? null : refuse('key busy')),
      recall: (reads, now, frame) => {
        const one = found(reads, now);
        if (one === null || one.request !== asked) return null;
        return { status: one.status, headers: [...one.headers, ...fields(frame)], body: one.body };
      },
      remember: (tx, now, { status, headers, body }) => {
        if (typeof body !== 'string' && body !== null) return;
        const until = duration ? later(now, duration) : null;
        const kept: Remembered = { request: asked, until, status, headers, body };
        const row = { key: place, text: JSON.stringify(kept) };
        if (tx.find(answered.name, place)) tx.update(answered.name, row);
        else tx.insert(answered.name, row);
      },
      leave: () => {
        if (other === undefined) running.delete(name);
      },
    };
  };
  return { remembersAll: stated(remembers) === 'all', enter };
}

/** What a request asks for, as a digest that is the same where these are equal as JSON values. */
function compileDigest(
  { key, request }: Operation,
  header: string,
): (view: RequestView, media: string | null) => string {
  const fields = [...((request && stated(request.headers)) ?? new Map<string, unknown>()).keys()]
    .map((name) => name.toLowerCase())
    .filter((name) => name !== header);
  return ({ path, query, headers, body }, media) => {
    const given = fields.map((name) => headers[name] ?? null);
    return hash('sha256', canonical([key, path, query, given, media, body]), 'base64url');
  };
}

/** Whose keys are told apart: each actor's; those of requests of which nobody is known are together. */
function ownerOf(actor: unknown): string {
  if (actor === null || actor === undefined) return '';
  const { resource, row } = actor as { resource: string; row: { key: unknown } };
  return JSON.stringify([resource, row.key]);
}
