import { get, type Mapping } from '../../source/node.ts';
import { fieldName } from '../reading/field-name.ts';
import {
  anyOf,
  choice,
  defined,
  type Form,
  markerForm,
  point,
  type Schema,
  section,
  words,
} from '../reading/form.ts';
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
  type Placed,
  placedText,
  record,
  type Told,
  text,
  unknownKeys,
  type Values,
  value,
  word,
} from '../reading/reading.ts';
import { type FieldReference, fieldReference } from '../reading/reference.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  type PlacedTemplate,
  textTemplate,
} from '../reading/templates.ts';
import { credentials } from './credentials.ts';

/**
 * What `actor` is when a request comes with this scheme's credential: the item of a resource, the item whose field
 * is the subject of the credential, what an expression says, or an actor of part 1 (language §5.1).
 */
export type ActorOf =
  | { readonly kind: 'resource'; readonly resource: Placed }
  | ({ readonly kind: 'field' } & FieldReference)
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate }
  | { readonly kind: 'actor'; readonly actor: Placed };

const actorOf: Formed<ActorOf> = formed(textTemplate.form, (node, place, reading) => {
  if (holdsExpression(node) || isHandled(node)) {
    const read = expression(node, place, reading);
    return read && { kind: 'expression', expression: read };
  }
  const name = placedText(node, place, reading);
  if (name === undefined) return undefined;
  if (/^[A-Z][A-Za-z0-9]*\./.test(name.text)) {
    const field = fieldReference(node, place, reading);
    return field && { kind: 'field', ...field };
  }
  return /^[A-Z]/.test(name.text) ? { kind: 'resource', resource: name } : { kind: 'actor', actor: name };
});

const about = section('5.1', 'authentication.scheme');
const ofType = section('5.1', 'authentication.scheme.type');
/** Keys that are OpenAPI's own, so that the reference does not list them. */
const ofOpenApi = section('5.1', null);

const url = text;
const flowKeys = {
  authorizationUrl: entry(url, ofOpenApi('The address that asks the owner.')),
  deviceAuthorizationUrl: entry(url, ofOpenApi('The address that gives a device its code.')),
  tokenUrl: entry(url, ofOpenApi('The address that issues tokens.')),
  refreshUrl: entry(url, ofOpenApi('The address that renews tokens.')),
  scopes: entry(named(value(text)), ofOpenApi('The scopes, each with a description.')),
};
const flow = formed(point('flow', record(flowKeys, { title: 'flow' }).form), record(flowKeys));

const flows = record({
  implicit: entry(flow, ofOpenApi('The implicit flow, as in OpenAPI.')),
  password: entry(flow, ofOpenApi('The password flow, as in OpenAPI.')),
  clientCredentials: entry(flow, ofOpenApi('The client credentials flow, as in OpenAPI.')),
  authorizationCode: entry(flow, ofOpenApi('The authorization code flow, as in OpenAPI.')),
  deviceAuthorization: entry(flow, ofOpenApi('The device authorization flow, as in OpenAPI.')),
});

const types = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'] as const;

const common = {
  type: value(
    word(...types),
    about('The type of the scheme, as in OpenAPI 3.2.', {
      must: 'read the credential so',
      see: 'a request with it',
      open: 'no request is read by the scheme',
    }),
  ),
  credentials: value(
    credentials,
    section('5.2', 'authentication.scheme')(
      'Who holds the credentials (5.2): items of a resource, this service, somebody else, or the `operator`.',
      {
        must: 'check them',
        see: "none, wrong, expired, tampered, another's",
        open: 'every operation with a rule: 501',
      },
    ),
  ),
  actor: value(
    actorOf,
    section('5.3', 'authentication.scheme')('What `actor` is in expressions (5.3).', {
      must: 'bind it',
      see: 'rules that use it',
      open: 'unknown: rules that read `actor` answer 501',
    }),
  ),
  scopes: entry(
    expression,
    about('The scopes that the credential grants: an expression for a list of texts.', {
      rules: '2',
      must: 'refuse one that grants less than the rule requires: `not authorized`',
      see: 'with each scope, and without',
      open: 'rules that require scopes: 501',
    }),
  ),
  foreign: entry(
    word('missing', 'wrong'),
    about('What a credential under another word counts as: `missing` or `wrong`.', {
      must: 'answer so',
      see: 'send one',
      open: 'choice (F.1)',
    }),
  ),
  challenge: entry(
    text,
    about('The text of `WWW-Authenticate`.', {
      must: 'send it with 401',
      see: 'the field',
      open: 'rule 3',
    }),
  ),
  wrong: entry(
    word('refuse', 'ignore'),
    about('What happens to a wrong credential where none is needed: `refuse` or `ignore`.', {
      must: 'do so',
      see: 'send one',
      open: 'choice (F.1)',
    }),
  ),
};

/** Any of these words. */
const prefix = entry(
  listOf(text),
  about('The word before the credential, or a list of words of which each is accepted.', {
    rules: '1',
    must: 'require it',
    see: 'another word',
    open: "the scheme's own",
  }),
);

/** What says where the credential stands, by the type of the scheme (OpenAPI 3.2, Security Scheme Object). */
const byType = {
  apiKey: {
    in: value(
      word('header', 'query', 'cookie'),
      ofType('Where the credential is: `header`, `query` or `cookie`.', { goesWith: '`apiKey`' }),
    ),
    name: value(
      text,
      ofType(
        'The name of the header field, parameter or cookie. In a query, `others` does not apply to it.',
        { goesWith: '`apiKey`' },
      ),
    ),
    prefix,
  },
  http: {
    scheme: value(
      formed(anyOf(words('bearer', 'basic'), text.form, markerForm), text.bind(null)),
      ofType('`basic`, `bearer` or another authentication scheme that is registered with IANA.', {
        goesWith: '`http`',
      }),
    ),
    bearerFormat: entry(text, ofType('The format of a bearer token, for people.', { goesWith: '`http`' })),
    prefix,
  },
  mutualTLS: {},
  oauth2: {
    flows: value(flows, ofType('The flows, as in OpenAPI.', { goesWith: '`oauth2`' })),
    oauth2MetadataUrl: entry(
      url,
      ofType("The address of the authorization server's metadata.", { goesWith: '`oauth2`' }),
    ),
  },
  openIdConnect: {
    openIdConnectUrl: value(
      url,
      ofType("The address of the provider's configuration.", { goesWith: '`openIdConnect`' }),
    ),
  },
} as const satisfies Record<(typeof types)[number], Keys>;

const ofAnyType = {
  ...byType.apiKey,
  ...byType.http,
  ...byType.oauth2,
  ...byType.openIdConnect,
};

/** A scheme has the keys of its type; the others are open in it, and are no points. */
export type Scheme = Values<typeof common & typeof ofAnyType>;

const silent = Object.fromEntries(
  Object.entries(ofAnyType).map(([name, key]) => [name, absent(key as Told<unknown>, 'entry')]),
) as typeof ofAnyType;

const { prefix: _, ...bare } = byType.apiKey;

function formOf(type: string, keys: Keys, more: Schema = {}): { when: Schema; form: Form } {
  const properties = { type: { enum: [type] }, ...more };
  const form: Form = { kind: 'record', title: 'scheme', keys, also: () => [commonForm] };
  return { when: { required: Object.keys(properties), properties }, form };
}

const commonForm: Form = defined('schemeKeys', { kind: 'record', keys: common, shared: true });

const schemeForm: Form = point('scheme', () =>
  choice(
    [
      formOf('apiKey', bare, { in: { enum: ['query', 'cookie'] } }),
      ...types.map((type) => formOf(type, byType[type])),
    ],
    { kind: 'record', title: 'scheme', keys: ofAnyType, also: () => [commonForm] },
  ),
);

/** A way in which a request says who sends it (language §5.1). */
export const scheme: Formed<Scheme> = formed(schemeForm, (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const own = keysOf(map);
  unknownKeys(map, Object.keys({ ...common, ...own }), place, reading);
  const read = knownKeys(map, { ...common, ...silent, ...own }, place, reading);
  reading.restOf(place.address, place.at);
  return read;
});

/** Where no type is stated, those of every type. */
function keysOf(map: Mapping): Keys {
  const written = get(map, 'type');
  const type = types.find((one) => written?.kind === 'scalar' && written.value === one);
  if (type === undefined) return silent;
  const where = get(map, 'in');
  const isElsewhere = type === 'apiKey' && where?.kind === 'scalar' && /^(query|cookie)$/.test(where.written);
  if (type !== 'apiKey') return byType[type];
  if (isElsewhere) return bare;
  return where ? { ...byType.apiKey, name: { ...byType.apiKey.name, read: fieldName } } : byType.apiKey;
}
