import { randomBytes } from 'node:crypto';
import type { Environment, Frame } from '../../expression/compile.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { compare, field, literal, parameter, query, rowOf } from '../../expression/query.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import type { KeptResource, RowItem } from '../resource/kept.ts';
import { done, ownPlan } from '../store/plan.ts';
import { statement } from '../store/rows.ts';
import {
  type Key,
  type Reads,
  type Row,
  type Store,
  StoreRefused,
  type Table,
  type Transaction,
} from '../store/store.ts';
import { comesOnce } from './holders.ts';
import { compileJwts, type JwtSecret, type Jwts, jwtForm } from './jwt-issuer.ts';
import { type KeptKey, type OpenedKey, openKey } from './sealed-key.ts';
import { type Claims, signed, verified } from './token.ts';

/**
 * The key that credentials are signed with, made once. Whoever reads it can make credentials: it is encrypted where the
 * operator gives a secret.
 */
const signing: Table = { name: 'signing', keyFields: ['name'] };

const byEnd = [{ fields: [{ path: ['until'] }], unique: false }];
/** Credentials that were ended before their time. */
const revoked: Table = { name: 'revoked', keyFields: ['token'], indexes: byEnd };
/** Items that went, by when: one that comes to have the same key is another. */
const gone: Table = { name: 'gone', keyFields: ['resource', 'item'] };

/** Credentials that this service issues (language §5.2): made, checked, and ended. */
export interface Issuer {
  /** What it keeps. */
  readonly tables: readonly Table[];
  /**
   * Reads the key that it signs with, and makes it where there is none yet. To be awaited before anything else.
   *
   * @param secrets what the key is encrypted under, the current one first; none: it is kept as it is
   * @throws StoreRefused where the key is encrypted under none of these
   */
  readonly prepare: (
    store: Store,
    latest: () => number,
    secrets: readonly string[],
    milliseconds: () => number,
  ) => Promise<void>;
  /** A new credential of a scheme for an item: `issue()` (language §G.4). */
  readonly issue: (scheme: string, item: unknown, frame: Frame) => string;
  /** The keys of a scheme's tokens, for others: `jwks()` (language §G.4). */
  readonly jwks: (scheme: string, frame: Frame) => { readonly keys: readonly object[] };
  /** The item that a credential was issued for; null: it is not good, or not any more. */
  readonly check: (scheme: string, credential: string, reads: Reads, now: string) => Held | null;
  /** Ends a credential. */
  readonly revoke: (scheme: string, credential: string, tx: Transaction, now: string) => void;
  /** Whether it is noted of a resource's items that they went. */
  readonly notes: (kept: KeptResource) => boolean;
  /** Notes that an item went, and with it what was issued for it. */
  readonly left: (tx: Transaction, kept: KeptResource, key: Key, now: string) => void;
}

/** Whose a credential is. */
export interface Held {
  readonly kept: KeptResource;
  readonly row: Row;
  /** What a token says. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What a credential says; `payload` where it is a token. */
interface Told {
  readonly claims: Claims;
  readonly payload?: Readonly<Record<string, unknown>>;
}

interface Form {
  readonly lifeMs: number | null;
  /** How it is made and read where it is a token that others read, too; null: nobody can say as yet. */
  readonly jwts: Jwts | null;
  readonly isJwt: boolean;
}

/** How many that are over are removed with each that is kept: more than one, so that none heap up. */
const removedAtOnce = 4;

/** Null where no scheme's credentials are this service's own. */
export function compileIssuer(
  of: Specification,
  resources: ReadonlyMap<string, KeptResource>,
  environment: Environment,
): Issuer | null {
  let secret: JwtSecret = { secret: Buffer.alloc(0), madeMs: 0 };
  const forms = formsOf(of, environment, () => secret);
  if (forms.size === 0) return null;
  const signs = [...forms.values()].some(({ jwts }) => jwts !== null);
  const holders = holdersOf(of);
  const returning = [...resources.values()].filter(
    (kept) => (holders === null || holders.has(kept.name)) && !comesOnce(kept, of),
  );
  const mayReturn = new Set(returning.map(({ name }) => name));
  let key: Buffer = Buffer.alloc(0);

  const issue: Issuer['issue'] = (scheme, about, frame) => {
    const form = forms.get(scheme);
    const item = about as Partial<RowItem> | null;
    const holder = resources.get(item?.resource ?? '');
    // An item that is being made has a key, and no row as yet.
    const at = (item?.row?.key ?? [item?.key].flat()) as Key;
    if (form === undefined || !holder || at.length !== holder.keyFields.length)
      throw new CannotWorkOut('there is no item to issue it for');
    const iat = seconds(String(frame.names['now']));
    const exp = form.lifeMs === null ? {} : { exp: iat + form.lifeMs / 1000 };
    const jti = frame.makers.random(22);
    const claims: Claims = { aud: scheme, item: [holder.name, ...at], iat, ...exp, jti };
    if (!form.isJwt) return signed(claims, key);
    if (form.jwts === null) throw new CannotWorkOut('it is open how its tokens are signed');
    return form.jwts.issue(claims, { ...frame, names: { ...frame.names, this: about } });
  };
  const read = (scheme: string, credential: string, now: string): Told | null => {
    const form = forms.get(scheme);
    if (form?.isJwt) return form.jwts?.read(credential, seconds(now) * 1000) ?? null;
    const claims = verified(credential, key);
    return claims?.aud === scheme ? { claims } : null;
  };
  return {
    tables: [signing, revoked, ...(mayReturn.size > 0 ? [gone] : [])],
    prepare: async (store, latest, secrets, milliseconds) => {
      key = Buffer.from(await keyOf(store, latest, secrets, 'current', randomBytes(32)), 'base64url');
      if (signs) secret = await jwtSecretOf(store, latest, secrets, milliseconds);
    },
    issue,
    jwks: (scheme, frame) => {
      const jwts = forms.get(scheme)?.jwts;
      if (!jwts) throw new CannotWorkOut('it is open how its tokens are signed');
      return { keys: jwts.keys(seconds(String(frame.names['now'])) * 1000) };
    },
    check: (scheme, credential, reads, now) => {
      const told = read(scheme, credential, now);
      if (told === null) return null;
      const { claims, payload } = told;
      if (claims.exp !== undefined && claims.exp <= seconds(now)) return null;
      if (reads.find(revoked.name, [claims.jti])) return null;
      const [name, ...at] = claims.item;
      const kept = resources.get(name);
      const row = kept && at.length === kept.keyFields.length ? reads.find(name, at) : null;
      if (!kept || !row) return null;
      const left = mayReturn.has(name) && parsed(reads.find(gone.name, [name, JSON.stringify(at)]));
      const isOver = left && claims.iat <= (left as { readonly at: number }).at;
      return isOver ? null : { kept, row, ...(payload && { claims: payload }) };
    },
    revoke: (scheme, credential, tx, now) => {
      const claims = read(scheme, credential, now)?.claims;
      if (claims !== undefined && tx.find(revoked.name, [claims.jti]) === null)
        noteRevoked(tx, claims, seconds(now));
    },
    notes: ({ name }) => mayReturn.has(name),
    left: (tx, kept, at, now) => {
      if (!mayReturn.has(kept.name)) return;
      const row = { key: [kept.name, JSON.stringify(at)], text: JSON.stringify({ at: seconds(now) }) };
      if (tx.find(gone.name, row.key)) tx.update(gone.name, row);
      else tx.insert(gone.name, row);
    },
  };
}

/** The schemes whose credentials are this service's own. */
function formsOf(of: Specification, environment: Environment, secret: () => JwtSecret): Map<string, Form> {
  const forms = new Map<string, Form>();
  for (const [name, said] of schemesOf(of)) {
    const credentials = stated(said.credentials);
    const word = credentials?.kind === 'issued' ? stated(credentials.issued) : undefined;
    if (credentials?.kind !== 'issued' || word === undefined) continue;
    const jwt = jwtForm(credentials, environment);
    const jwts = jwt && compileJwts(name, jwt, secret);
    forms.set(name, { lifeMs: stated(credentials.life) ?? null, jwts, isJwt: word === 'jwt' });
  }
  return forms;
}

/** The resources for whose items credentials are issued; null: any. */
function holdersOf(of: Specification): ReadonlySet<string> | null {
  const held = schemesOf(of).map(([, { actor }]) => {
    const known = stated(actor);
    return known?.kind === 'resource' ? known.resource.text : null;
  });
  return held.includes(null) ? null : new Set(held as string[]);
}

function schemesOf(of: Specification): (readonly [string, Scheme])[] {
  const schemes = stated(stated(of.authentication)?.schemes) ?? [];
  return [...schemes].flatMap(([name, said]) => {
    const scheme = stated(said);
    return scheme ? [[name, scheme] as const] : [];
  });
}

/** What the keys of tokens follow from; kept, and made where there is none. */
async function jwtSecretOf(
  store: Store,
  latest: () => number,
  secrets: readonly string[],
  milliseconds: () => number,
): Promise<JwtSecret> {
  const made = { secret: randomBytes(32).toString('base64url'), madeMs: Math.floor(milliseconds()) };
  const kept = await keyOf(store, latest, secrets, 'jwt', JSON.stringify(made));
  const { secret, madeMs } = JSON.parse(kept) as typeof made;
  return { secret: Buffer.from(secret, 'base64url'), madeMs };
}

/** The key of this name that is kept; where there is none, the one that was made. */
async function keyOf(
  store: Store,
  latest: () => number,
  secrets: readonly string[],
  name: string,
  fresh: Buffer | string,
): Promise<string> {
  const made: KeptKey = { key: typeof fresh === 'string' ? fresh : fresh.toString('base64url') };
  let opened: OpenedKey = { ...made, kept: null };
  const plan = ownPlan(
    (tx) => {
      const found = parsed(tx.find(signing.name, [name])) as KeptKey | null;
      opened = openKey(found ?? made, secrets);
      if ('problem' in opened) return false;
      const kept = opened.kept ?? (found ? null : made);
      const row = { key: [name], text: JSON.stringify(kept) };
      if (kept !== null) tx[found ? 'update' : 'insert'](signing.name, row);
      return true;
    },
    (error) => {
      throw error;
    },
  );
  const [reply] = await store.commit([plan], latest);
  const read = opened as OpenedKey;
  if ('problem' in read) throw new StoreRefused(read.problem);
  if (reply !== done) throw new TypeError('another process made the key');
  return read.key;
}

/** How long what expired is kept, in seconds: a request that came before may be judged only after. */
const keptPastEnd = 3600;

const revokedRow = rowOf(revoked);
const overBy = statement(
  query(revokedRow, {
    where: compare('<=', field(revokedRow, 'until', 'number'), parameter(0, 'number')),
    limit: literal(removedAtOnce),
  }),
);

/** Notes that a credential was ended until it expires by itself, and forgets some that have. */
function noteRevoked(tx: Transaction, claims: Claims, now: number): void {
  for (const { key } of tx.rows(overBy, [now - keptPastEnd])) tx.remove(revoked.name, key);
  const until = claims.exp ?? null;
  tx.insert(revoked.name, { key: [claims.jti], text: JSON.stringify({ ...claims, until }) });
}

function parsed(row: Row | null): unknown {
  return row && JSON.parse(row.text);
}

/** A time of the form of `now`, in seconds since 1970, to the microsecond. */
function seconds(time: string): number {
  return Math.round(Date.parse(`${time.slice(0, 19)}Z`) * 1000 + Number(time.slice(20, 26))) / 1_000_000;
}
