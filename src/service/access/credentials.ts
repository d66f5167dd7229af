import { isUtf8 } from 'node:buffer';
import type { Environment, Frame } from '../../expression/compile.ts';
import type { Model } from '../../expression/query-operand.ts';
import { isMade } from '../../specification/model/holders.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import type { KeptResource, RowItem } from '../resource/kept.ts';
import { digestOf, isSame, nobodysDigest } from '../resource/secrets.ts';
import type { Reads, Row } from '../store/store.ts';
import type { Issuer } from './issuer.ts';
import { compileLookup, type Lookup } from './lookup.ts';
import type { Outside } from './outside.ts';
import type { Proofs } from './proofs.ts';
import type { Verify } from './verifier.ts';

/** Whose a credential is (language §5.2). */
export interface Holder {
  /** The item that it is kept in, or was issued for. */
  readonly item: RowItem | null;
  /** Whom it names where it belongs to no item: `sub` of a token, the operator's name for it. */
  readonly subject?: string | null;
  /** What a token says. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What it takes to check a credential. */
export interface Checking {
  readonly reads: Reads;
  readonly now: string;
  readonly proofs: Proofs;
  readonly frame: (names: Readonly<Record<string, unknown>>) => Frame;
}

/** Whose a credential is; null: it is not good. Throws `Awaited` where that is to be worked out first. */
export type Check = (credential: string, checking: Checking) => Holder | null;

/** What it takes to find who holds a credential. */
export interface Holding {
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly model: Model;
  readonly environment: Environment;
}

/** Compiles how the credentials of a scheme are checked; null: that is open, or not run. */
export function compileCheck(
  name: string,
  scheme: Scheme,
  holding: Holding,
  issuer: Issuer | null,
  outside: Outside,
): Check | null {
  if (scheme.credentials.kind === 'any') return ofAnybody(scheme);
  switch (stated(scheme.credentials)?.kind) {
    case 'issued':
      return issuer && ofIssued(name, issuer);
    case 'kept':
      return ofKept(scheme, holding);
    case 'operator':
      return ofOperator(scheme, outside.operators.get(name));
    case 'foreign':
      return ofForeign(name, outside.verifiers.get(name));
    default:
      return null;
  }
}

/** Whether something is checked that takes long and so is waited for: a password, or a token of somebody else's. */
export function isProven(scheme: Scheme | undefined): boolean {
  const credentials = scheme && stated(scheme.credentials);
  if (credentials?.kind === 'foreign') return true;
  return credentials?.kind === 'kept' && (stated(credentials.kept)?.length ?? 0) > 1;
}

function ofIssued(name: string, issuer: Issuer): Check {
  return (credential, { reads, now, frame }) => {
    const held = issuer.check(name, credential, reads, now);
    return (
      held && { item: held.kept.item(held.row, () => frame({})), ...(held.claims && { claims: held.claims }) }
    );
  };
}

/** A credential that the operator gave; of `basic` the name has to be the operator's for it. */
function ofOperator(scheme: Scheme, nameOf: ((secret: string) => string | null) | undefined): Check | null {
  if (nameOf === undefined) return null;
  const isBasic = stated(scheme.scheme)?.toLowerCase() === 'basic';
  return (credential) => {
    const given = isBasic ? userPass(credential) : { name: null, password: credential };
    const subject = given && nameOf(given.password);
    const isTheirs = subject !== null && (given?.name === null || given?.name === subject);
    return isTheirs ? { item: null, subject } : null;
  };
}

/** Any credential of the form of the scheme: it names its client, of `basic` the user name does. */
function ofAnybody(scheme: Scheme): Check {
  const isBasic = stated(scheme.scheme)?.toLowerCase() === 'basic';
  return (credential) => {
    const subject = isBasic ? userPass(credential)?.name : credential;
    return subject === undefined ? null : { item: null, subject };
  };
}

/** A token that somebody else signed. */
function ofForeign(name: string, verify: Verify | undefined): Check | null {
  if (verify === undefined) return null;
  return (credential, { proofs }) => {
    const claims = proofs.once(`${name} ${credential}`, () => verify(credential));
    return claims && { item: null, subject: claims.sub ?? null, claims };
  };
}

/** Credentials that are the values of a field; for `basic` the name is, and the password is checked besides. */
function ofKept(scheme: Scheme, holding: Holding): Check | null {
  const holders = holdersOf(scheme, holding);
  if (holders === null) return null;
  const { kept, find: findBy } = holders;
  const find = (reads: Reads, value: string): Row | null => findBy(reads, [value]);
  const isBasic = stated(scheme.scheme)?.toLowerCase() === 'basic';
  const credentials = stated(scheme.credentials);
  const [, second] = (credentials?.kind === 'kept' && stated(credentials.kept)) || [];
  const password = second && kept.resource.fields.get(second.field);
  const isSecret = stated(password?.secret) !== undefined;
  const nobodys = password && isMade(password) ? nobodysDigest : null;
  const itemOf = (row: Row, { frame }: Checking): Holder => ({ item: kept.item(row, () => frame({})) });
  if (!isBasic)
    return (credential, checking) => {
      const row = find(checking.reads, credential);
      return row && itemOf(row, checking);
    };
  return (credential, checking) => {
    const given = userPass(credential);
    const row = given && find(checking.reads, given.name);
    if (second === undefined || given === null) return row && itemOf(row, checking);
    const secret = row && kept.members(row)[second.field];
    const isTheirs = isSecret ? checking.proofs.proves : isSame;
    return isTheirs(secret ?? nobodys, given.password) && row ? itemOf(row, checking) : null;
  };
}

/** The items that hold the credentials of a scheme: found by a field, a secret that the service made by its digest. */
export function holdersOf(
  { credentials: said }: Scheme,
  { resources, model, environment }: Holding,
): (Lookup & { readonly kept: KeptResource }) | null {
  const credentials = stated(said);
  const [first] = (credentials?.kind === 'kept' && stated(credentials.kept)) || [];
  const kept = resources.get(first?.resource ?? '');
  if (first === undefined || kept === undefined || kept.keyFields.length === 0) return null;
  const isSecret = stated(kept.resource.fields.get(first.field)?.secret) !== undefined;
  const { find, narrowed } = compileLookup(kept, [first.field], model, environment);
  const known = remembering(
    kept.table.name,
    isSecret ? (reads, [value]) => find(reads, [digestOf(value)]) : find,
  );
  return { kept, narrowed, find: (reads, [value]) => known(reads, value) };
}

/** How many of those who were found last are known again. */
const mostKnown = 1000;

/** Knows whoever was found again by what a credential came as, as long as no item of the resource may have changed. */
function remembering(
  table: string,
  find: Lookup['find'],
): (reads: Reads, value: unknown) => ReturnType<Lookup['find']> {
  const known = new Map<unknown, { readonly mark: number; readonly row: Row }>();
  return (reads, value) => {
    const mark = reads.mark?.(table);
    const before = mark === undefined ? undefined : known.get(value);
    if (before !== undefined && before.mark === mark) return before.row;
    const row = find(reads, [value]);
    if (mark === undefined || row === null) return row;
    if (known.size >= mostKnown) known.clear();
    known.set(value, { mark, row });
    return row;
  };
}

/** Name and password of `basic` (RFC 7617 §2); null where it is neither, or no base64 (RFC 4648 §4) of UTF-8. */
function userPass(credential: string): { readonly name: string; readonly password: string } | null {
  const bytes = Buffer.from(credential, 'base64');
  if (bytes.toString('base64') !== credential || !isUtf8(bytes)) return null;
  const text = bytes.toString();
  const colon = text.indexOf(':');
  return colon === -1 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
