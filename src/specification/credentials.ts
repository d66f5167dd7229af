import { period } from './period.ts';
import {
  asMap,
  entry,
  listOf,
  oneKey,
  type Read,
  record,
  text,
  type Values,
  value,
  word,
} from './reading.ts';
import { fieldReference } from './reference.ts';

/** Who holds the credentials of a scheme, and so what they are checked against (language §5.1). */
export type Credentials =
  /** The operator, by name, from the environment. */
  | { readonly kind: 'operator' }
  /** Items of a resource: the field that is the credential; for `basic` that of the name, and of the password. */
  | ({ readonly kind: 'kept' } & Values<typeof keptKeys>)
  /** This service, by `issue()`. */
  | ({ readonly kind: 'issued' } & Values<typeof issuedKeys>)
  /** Somebody else, whose tokens are verified. */
  | ({ readonly kind: 'foreign' } & Values<typeof foreignKeys>);

const keptKeys = { kept: value(listOf(fieldReference)) };

/** `life` is in milliseconds. */
const issuedKeys = { issued: value(word('opaque', 'signed')), life: entry(period) };

/** Signatures of RFC 7518 §3.1 and RFC 8037 §3.1, without `none` (RFC 8725 §3.2). */
const algorithm = word(
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'HS256', 'HS384', 'HS512'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
);

/** The algorithms are those that are wanted, not those that a token names (RFC 8725 §3.1). */
const foreignKeys = {
  issuer: value(text),
  audience: value(listOf(text)),
  algorithms: value(listOf(algorithm)),
};

export const credentials: Read<Credentials> = (node, place, reading) => {
  if (node.kind === 'scalar') {
    const kind = word('operator')(node, place, reading);
    return kind && { kind };
  }
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  switch (oneKey(map, ['kept', 'issued', 'issuer'], reading)) {
    case 'kept': {
      const kept = record(keptKeys)(map, place, reading);
      return kept && { kind: 'kept', ...kept };
    }
    case 'issued': {
      const issued = record(issuedKeys)(map, place, reading);
      return issued && { kind: 'issued', ...issued };
    }
    case 'issuer': {
      const foreign = record(foreignKeys)(map, place, reading);
      return foreign && { kind: 'foreign', ...foreign };
    }
    default:
      return undefined;
  }
};
