import { get } from '../../source/node.ts';
import { anyOf, choice, defined, type Form, section } from '../reading/form.ts';
import { period } from '../reading/period.ts';
import {
  absent,
  asMap,
  entry,
  type Formed,
  formed,
  type Keys,
  knownKeys,
  listOf,
  named,
  oneKey,
  record,
  text,
  unknownKeys,
  type Values,
  value,
  word,
} from '../reading/reading.ts';
import { fieldReference } from '../reading/reference.ts';
import { template } from '../reading/templates.ts';

/** Who holds the credentials of a scheme, and so what they are checked against (language §5.1). */
export type Credentials =
  /** The operator, by name, from the environment. */
  | { readonly kind: 'operator' }
  /** Items of a resource: the field that is the credential; for `basic` that of the name, and of the password. */
  | ({ readonly kind: 'kept' } & Values<typeof keptKeys>)
  /** This service, by `issue()`. */
  | ({ readonly kind: 'issued' } & Values<typeof issuedKeys & typeof jwtKeys>)
  /** Somebody else, whose tokens are verified. */
  | ({ readonly kind: 'foreign' } & Values<typeof foreignKeys>);

const about = section('5.2', 'authentication.credentials');

const keptKeys = {
  kept: value(
    listOf(fieldReference),
    about(
      'The field `R.field` that holds the credential. For `basic`, the fields of the name and the password.',
      {
        rules: '7',
        must: "check it against the items' fields",
        see: 'none, wrong, tampered',
        open: 'every operation with a rule: 501',
      },
    ),
  ),
};

/** Signatures of RFC 7518 §3.1 and RFC 8037 §3.1, without `none` (RFC 8725 §3.2). */
const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'HS256',
  'HS384',
  'HS512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
] as const;
export type Algorithm = (typeof algorithms)[number];

const algorithm = word(...algorithms);

/** `life` is in milliseconds. */
const issuedKeys = {
  issued: value(
    word('opaque', 'jwt'),
    about('`opaque` or `jwt` (RFC 7519): this service issues it, by `issue("scheme", item)`.', {
      rules: '8',
      must: 'end it with its item, and by `revoke`',
      see: 'none, wrong, tampered, revoked',
      open: 'every operation with a rule: 501',
    }),
  ),
  life: entry(
    period,
    about('How long a credential is valid, as in `P7D`.', {
      rules: '9',
      must: 'refuse it after that',
      see: 'with a clock',
      open: 'it does not expire',
    }),
  ),
};

const ofJwt = section('5.6', 'authentication.credentials.jwt');

/** `rotate` is in milliseconds. */
const jwtKeys = {
  algorithm: value(
    algorithm,
    ofJwt('How its tokens are signed (RFC 7518 §3.1, RFC 8037); never `none`.', {
      must: 'sign so, and refuse others',
      see: 'the token; one signed otherwise',
      open: '`issue()`: 501',
    }),
  ),
  claims: entry(
    named(value(template)),
    ofJwt('Further claims: templates over `this`, the item, and `now`.', {
      rules: '25',
      must: 'put them in; a null is left out',
      see: 'the token',
      open: 'no others',
    }),
  ),
  rotate: entry(
    period,
    ofJwt('How often another key signs. Tokens of the keys before hold for `life`.', {
      rules: '26',
      must: 'sign with another, and take the keys before for `life`',
      see: 'with a clock',
      open: 'never',
    }),
  ),
};

const silentJwt = {
  algorithm: absent(jwtKeys.algorithm, 'entry'),
  claims: absent(jwtKeys.claims, 'entry'),
  rotate: absent(jwtKeys.rotate, 'entry'),
};

/** The algorithms are those that are wanted, not those that a token names (RFC 8725 §3.1). */
const foreignKeys = {
  issuer: value(
    text,
    about('Somebody else issues it: the `iss` of the tokens.', {
      rules: '10 and 11',
      must: 'refuse tokens of others; find the keys in its metadata',
      see: "another's token",
      open: 'every operation with a rule: 501',
    }),
  ),
  audience: value(
    listOf(text),
    about('One of these is the `aud` of the token.', {
      rules: '10',
      must: 'refuse tokens for others',
      see: 'a token for another',
      open: 'every operation with a rule: 501',
    }),
  ),
  algorithms: value(
    listOf(algorithm),
    about('The algorithms by which a token may be signed.', {
      rules: '10',
      must: 'refuse others',
      see: 'a token signed otherwise',
      open: 'every operation with a rule: 501',
    }),
  ),
};

const recordOf = (keys: Keys): Form => ({ kind: 'record', keys });

const credentialsMap: Form = defined(
  'credentials',
  choice(
    [
      { when: { required: ['kept'] }, form: recordOf(keptKeys) },
      {
        when: { required: ['issued'], properties: { issued: { enum: ['jwt'] } } },
        form: recordOf({ ...issuedKeys, ...jwtKeys }),
      },
      { when: { required: ['issued'] }, form: recordOf(issuedKeys) },
      { when: { required: ['issuer'] }, form: recordOf(foreignKeys) },
    ],
    {
      kind: 'record',
      keys: { ...keptKeys, ...issuedKeys, ...jwtKeys, ...foreignKeys },
      more: { anyOf: [{ required: ['kept'] }, { required: ['issued'] }, { required: ['issuer'] }] },
    },
  ),
);

const operator = word('operator');

export const credentials: Formed<Credentials> = formed(
  anyOf(operator.form, credentialsMap),
  (node, place, reading) => {
    if (node.kind === 'scalar') {
      const kind = operator(node, place, reading);
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
        const word = get(map, 'issued');
        const isJwt = word?.kind === 'scalar' && word.value === 'jwt';
        const own = isJwt ? { ...issuedKeys, ...jwtKeys } : issuedKeys;
        unknownKeys(map, Object.keys(own), place, reading);
        const issued = knownKeys(map, { ...issuedKeys, ...silentJwt, ...own }, place, reading);
        reading.restOf(place.address, place.at);
        return { kind: 'issued', ...issued };
      }
      case 'issuer': {
        const foreign = record(foreignKeys)(map, place, reading);
        return foreign && { kind: 'foreign', ...foreign };
      }
      default:
        return undefined;
    }
  },
);
