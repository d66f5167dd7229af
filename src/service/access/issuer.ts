import { randomBytes } from 'node:crypto';
import type { Frame } from '../../expression/compile.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { compare, field, literal, parameter, query, rowOf } from '../../expression/query.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { done, ownPlan } from '../plan.ts';
import type { KeptResource, RowItem } from '../resource/kept.ts';
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
import { type KeptKey, type OpenedKey, openKey } from './sealed-key.ts';
import { type Claims, signed, verified } from './token.ts';

/**
 * The key that credentials are signed with, made once. Whoever reads it can make credentials: it is encrypted where the
 * operator gives a secret.
 */
const signing: Table = { name: 'signing', keyFields: ['name'] };
const signingName = ['current'] as const;

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
  readonly prepare: (store: Store, latest: () => number, secrets: readonly string[]) => Promise<void>;
  /** A new credential of a scheme for an item: `issue()` (language §G.4). */
  readonly issue: (scheme: string, item: unknown, frame: Frame) => string;
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
}

interface Form {
  readonly lifeMs: number | null;
}

/** How many that are over are removed with each that is kept: more than one, so that none heap up. */
const removedAtOnce = 4;

/** Null where no scheme's credentials are this service's own. */
export function compileIssuer(
  of: Specification,
  resources: ReadonlyMap<string, KeptResource>,
): Issuer | null {
  const forms = formsOf(of);
  if (forms.size === 0) return null;
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
    return signed(claims, key);
  };
  const claimsOf = (scheme: string, credential: string): Claims | null => {
    const claims = verified(credential, key);
    return claims?.aud === scheme ? claims : null;
  };
  return {
    tables: [signing, revoked, ...(mayReturn.size > 0 ? [gone] : [])],
    prepare: async (store, latest, secrets) => {
      key = await keyOf(store, latest, secrets);
    },
    issue,
    check: (scheme, credential, reads, now) => {
      const claims = claimsOf(scheme, credential);
      if (claims === null || (claims.exp !== undefined && claims.exp <= seconds(now))) return null;
      if (reads.find(revoked.name, [claims.jti])) return null;
      const [name, ...at] = claims.item;
      const kept = resources.get(name);
      const row = kept && at.length === kept.keyFields.length ? reads.find(name, at) : null;
      if (!kept || !row) return null;
      const left = mayReturn.has(name) && parsed(reads.find(gone.name, [name, JSON.stringify(at)]));
      return left && claims.iat <= (left as { readonly at: number }).at ? null : { kept, row };
    },
    revoke: (scheme, credential, tx, now) => {
      const claims = claimsOf(scheme, credential);
      if (claims !== null && tx.find(revoked.name, [claims.jti]) === null)
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
function formsOf(of: Specification): Map<string, Form> {
  const forms = new Map<string, Form>();
  for (const [name, said] of schemesOf(of)) {
    const credentials = stated(said.credentials);
    const word = credentials?.kind === 'issued' ? stated(credentials.issued) : undefined;
    if (credentials?.kind !== 'issued' || word === undefined) continue;
    forms.set(name, { lifeMs: stated(credentials.life) ?? null });
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

/** The signing key that is kept; where there is none, a new one. */
async function keyOf(store: Store, latest: () => number, secrets: readonly string[]): Promise<Buffer> {
  const made: KeptKey = { key: randomBytes(32).toString('base64url') };
  let opened: OpenedKey = { ...made, kept: null };
  const plan = ownPlan(
    (tx) => {
      const found = parsed(tx.find(signing.name, signingName)) as KeptKey | null;
      opened = openKey(found ?? made, secrets);
      if ('problem' in opened) return false;
      const kept = opened.kept ?? (found ? null : made);
      const row = { key: signingName, text: JSON.stringify(kept) };
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
  return Buffer.from(read.key, 'base64url');
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
