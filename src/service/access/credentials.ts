import type { Frame } from '../../expression/compile.ts';
import { compare, field as fieldOf, parameter, query } from '../../expression/query.ts';
import type { Credentials } from '../../specification/credentials.ts';
import { stated } from '../../specification/said.ts';
import type { Scheme } from '../../specification/scheme.ts';
import { compileAsk, one } from '../resource/ask.ts';
import type { KeptResource, RowItem } from '../resource/kept.ts';
import { digestOf } from '../resource/secrets.ts';
import type { Reads, Row } from '../store/store.ts';
import type { Issuer } from './issuer.ts';
import type { Proofs } from './proofs.ts';

/** Whose a credential is (language §5.2). */
export interface Holder {
  /** The item that it is kept in, or was issued for. */
  readonly item: RowItem | null;
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

type Resources = ReadonlyMap<string, KeptResource>;

/** Compiles how the credentials of a scheme are checked; null: that is open, or not run. */
export function compileCheck(
  name: string,
  scheme: Scheme,
  resources: Resources,
  issuer: Issuer | null,
): Check | null {
  const credentials = stated(scheme.credentials);
  switch (credentials?.kind) {
    case 'issued':
      return issuer && ofIssued(name, issuer);
    case 'kept':
      return ofKept(credentials, stated(scheme.scheme)?.toLowerCase() === 'basic', resources);
    default:
      return null;
  }
}

/** Whether a password is checked, which takes long and so is waited for. */
export function isProven(scheme: Scheme | undefined): boolean {
  const credentials = scheme && stated(scheme.credentials);
  return credentials?.kind === 'kept' && (stated(credentials.kept)?.length ?? 0) > 1;
}

function ofIssued(name: string, issuer: Issuer): Check {
  return (credential, { reads, now, frame }) => {
    const held = issuer.check(name, credential, reads, now);
    return held && { item: held.kept.item(held.row, () => frame({})) };
  };
}

/** Credentials that are the values of a field; for `basic` the name is, and the password is checked besides. */
function ofKept(
  { kept: said }: Extract<Credentials, { kind: 'kept' }>,
  isBasic: boolean,
  resources: Resources,
): Check | null {
  const [first, second] = stated(said) ?? [];
  const kept = resources.get(first?.resource ?? '');
  if (first === undefined || kept === undefined) return null;
  const find = compileFind(kept, first.field);
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
    return checking.proofs(secret ?? null, given.password) && row ? itemOf(row, checking) : null;
  };
}

/** Finds an item by the value of a field; a secret that the service made by its digest. */
function compileFind(kept: KeptResource, name: string): (reads: Reads, value: string) => Row | null {
  const isSecret = stated(kept.resource.fields.get(name)?.secret) !== undefined;
  const unique = kept.uniques.find(({ fields }) => fields.length === 1 && fields[0] === name);
  if (unique && !isSecret) return (reads, value) => unique.find(reads, { [name]: value });
  const from = { table: kept.table };
  const where = compare('matches', fieldOf(from, name, 'text'), parameter(0, 'text'));
  const rows = compileAsk(query(from, { where, limit: one }));
  return (reads, value) => rows(reads, [isSecret ? digestOf(value) : value])[0] ?? null;
}

/** Name and password of `basic` (RFC 7617 §2); null where it is neither. */
function userPass(credential: string): { readonly name: string; readonly password: string } | null {
  const text = Buffer.from(credential, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
