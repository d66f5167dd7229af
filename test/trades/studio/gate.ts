import type { IncomingHttpHeaders } from 'node:http';
import { Limiter } from './limiter.ts';
import {
  type Body,
  decoded,
  ensure,
  Failures,
  judgeBody,
  judgePatch,
  objectOf,
  Refused,
  type Rules,
} from './request.ts';
import type { Account, Store } from './store.ts';

export type Version = '1' | '2';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly content: Buffer;
  readonly path: Readonly<Record<string, string>>;
}

/** A request that may be carried out. */
export interface Context {
  readonly store: Store;
  readonly version: Version;
  readonly headers: IncomingHttpHeaders;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly token: string;
  /** Who asks; only operations for anyone have nobody. */
  readonly actor: Account;
}

/** What a body may hold. */
interface Bodied {
  readonly rules: Rules | ((version: Version) => Rules);
  readonly required: readonly string[] | ((version: Version) => readonly string[]);
  readonly media?: string;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly rule: 'anyone' | 'known' | 'band' | 'keeper';
  readonly isCounted?: boolean;
  /** Parameters, each with what its text has to be. */
  readonly query?: Rules;
  readonly body?: Bodied;
  /** Finds what the request is about, and refuses it if that is not there or not to be seen. */
  readonly find?: (context: Context) => void;
  readonly admit?: (context: Context) => void;
  readonly run: (context: Context) => Answer;
}

export const mergePatch = 'application/merge-patch+json';

const largest = 16 * 1024;

/** Lets in what may be carried out, in the order of the errors. */
export class Gate {
  readonly #store: Store;
  readonly #limiter = new Limiter(20, 60_000_000);

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param sent takes the header fields that the answer has, whatever comes of the request */
  answer(operation: Operation, asked: Asked, sent: Record<string, string>): Answer {
    const store = this.#store;
    const { headers } = asked;
    const media = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    const isLarge = operation.body !== undefined && asked.content.length > largest;
    // Where nothing comes at all, it is the content that is missing, and not its type that is wrong.
    const isNothing = media === undefined && asked.content.length === 0;
    const isForeign =
      operation.body !== undefined && !isNothing && media !== (operation.body.media ?? 'application/json');
    tellOfAge(headers, sent);
    const path = Object.fromEntries(Object.entries(asked.path).map(([name, text]) => [name, decoded(text)]));
    const given = parametersOf(asked.query);
    const body = operation.body && !isLarge && !isForeign ? objectOf(asked.content) : {};
    const version = versionOf(headers);
    const token = tokenOf(headers);
    const actor = this.#actor(operation, token);
    if (operation.isCounted && actor !== null) this.#count(actor, sent);
    ensure(!isLarge, 'too-large');
    ensure(!isForeign, 'wrong-media');
    const query = Object.fromEntries([...given].map(([name, texts]) => [name, texts[0] ?? '']));
    const context: Context = {
      ...{ store, version, headers, path, query, body, token: token ?? '' },
      actor: actor as Account,
    };
    operation.find?.(context);
    const isLetIn =
      operation.rule === 'anyone' || operation.rule === 'known' || actor?.role === operation.rule;
    ensure(isLetIn, 'forbidden');
    operation.admit?.(context);
    judge(operation, given, context);
    return operation.run(context);
  }

  #actor({ rule }: Operation, token: string | null): Account | null {
    if (token === null) {
      ensure(rule === 'anyone', 'log-in-first');
      return null;
    }
    const actor = this.#store.holderOf(token);
    ensure(actor !== null, 'session-over');
    return actor;
  }

  #count(actor: Account, sent: Record<string, string>): void {
    const key = this.#store.broken('rate-all') ? 'all' : actor.id;
    const { isAllowed, remaining, resetSeconds } = this.#limiter.take(key, this.#store.now);
    sent['X-Left'] = String(remaining);
    if (!isAllowed) throw new Refused('too-many', { headers: { 'Retry-After': String(resetSeconds) } });
  }
}

function judge({ query = {}, body }: Operation, given: Map<string, string[]>, context: Context): void {
  const failures = new Failures();
  for (const [name, texts] of given) {
    const rules = Object.hasOwn(query, name) ? query[name] : undefined;
    if (rules === undefined) failures.add(name, 'others');
    else if (texts.length > 1) failures.add(name, 'twice');
    else failures.judge(name, parsed(texts[0] ?? '', rules), rules);
  }
  if (body !== undefined) {
    const rules = typeof body.rules === 'function' ? body.rules(context.version) : body.rules;
    const required = typeof body.required === 'function' ? body.required(context.version) : body.required;
    const judges = body.media === mergePatch ? judgePatch : judgeBody;
    judges(context.body, rules, required, failures);
  }
  failures.end();
}

/** The text of a parameter as a number, if it has to be one. */
function parsed(text: string, rules: Rules[string]): string | number {
  const isText = rules.some(([keyword, fits]) => keyword === 'type' && fits(''));
  const isNumber = /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text));
  return !isText && isNumber ? Number(text) : text;
}

function parametersOf(query: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&'))
    if (pair !== '') {
      const [name = '', ...rest] = pair.replaceAll('+', ' ').split('=');
      const text = decoded(rest.join('='));
      found.set(decoded(name), [...(found.get(decoded(name)) ?? []), text]);
    }
  return found;
}

/** @param sent takes the header fields that tell of an older version */
export function tellOfAge(headers: IncomingHttpHeaders, sent: Record<string, string>): void {
  if (headers['studio-version'] !== '1') return;
  sent['Deprecation'] = `@${Date.parse('2026-01-01') / 1000}`;
  sent['Sunset'] = new Date('2027-06-01').toUTCString();
}

function versionOf(headers: IncomingHttpHeaders): Version {
  const named = headers['studio-version'] ?? '2';
  ensure(named === '1' || named === '2', 'version-unknown');
  return named;
}

function tokenOf({ authorization }: IncomingHttpHeaders): string | null {
  return (
    /^bearer(?: +(.*))?$/i
      .exec(authorization ?? '')
      ?.slice(1)
      .map((token) => token ?? '')[0] ?? null
  );
}
