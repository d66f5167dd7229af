import { get, type Mapping } from '../source/node.ts';
import { credentials } from './credentials.ts';
import { fieldName } from './field-name.ts';
import {
  asMap,
  entry,
  type Keys,
  knownKeys,
  listOf,
  named,
  type Placed,
  placedText,
  type Read,
  record,
  text,
  unknownKeys,
  type Values,
  value,
  word,
} from './reading.ts';
import { type FieldReference, fieldReference } from './reference.ts';
import { expression, holdsExpression, isHandled, type PlacedTemplate } from './templates.ts';

/**
 * What `actor` is when a request comes with this scheme's credential: the item of a resource, the item whose field
 * is the subject of the credential, what an expression says, or an actor of part 1 (language §5.1).
 */
export type ActorOf =
  | { readonly kind: 'resource'; readonly resource: Placed }
  | ({ readonly kind: 'field' } & FieldReference)
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate }
  | { readonly kind: 'actor'; readonly actor: Placed };

const actorOf: Read<ActorOf> = (node, place, reading) => {
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
};

const url = text;
const flow = record({
  authorizationUrl: entry(url),
  deviceAuthorizationUrl: entry(url),
  tokenUrl: entry(url),
  refreshUrl: entry(url),
  scopes: entry(named(value(text))),
});

const flows = record({
  implicit: entry(flow),
  password: entry(flow),
  clientCredentials: entry(flow),
  authorizationCode: entry(flow),
  deviceAuthorization: entry(flow),
});

const types = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'] as const;

const common = {
  type: value(word(...types)),
  credentials: value(credentials),
  actor: value(actorOf),
  scopes: entry(expression),
  challenge: entry(text),
  wrong: entry(word('refuse', 'ignore')),
};

/** Any of these words. */
const prefix = entry(listOf(text));

/** What says where the credential stands, by the type of the scheme (OpenAPI 3.2, Security Scheme Object). */
const byType = {
  apiKey: { in: value(word('header', 'query', 'cookie')), name: value(text), prefix },
  http: { scheme: value(text), bearerFormat: entry(text), prefix },
  mutualTLS: {},
  oauth2: { flows: value(flows), oauth2MetadataUrl: entry(url) },
  openIdConnect: { openIdConnectUrl: value(url) },
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
  Object.entries(ofAnyType).map(([name, { read }]) => [name, entry(read as Read<unknown>)]),
) as typeof ofAnyType;

/** A way in which a request says who sends it (language §5.1). */
export const scheme: Read<Scheme> = (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const own = keysOf(map);
  unknownKeys(map, Object.keys({ ...common, ...own }), place, reading);
  const read = knownKeys(map, { ...common, ...silent, ...own }, place, reading);
  reading.restOf(place.address, place.at);
  return read;
};

/** Where no type is stated, those of every type. */
function keysOf(map: Mapping): Keys {
  const written = get(map, 'type');
  const type = types.find((one) => written?.kind === 'scalar' && written.value === one);
  if (type === undefined) return silent;
  const where = get(map, 'in');
  const isElsewhere = type === 'apiKey' && where?.kind === 'scalar' && /^(query|cookie)$/.test(where.written);
  if (type !== 'apiKey') return byType[type];
  const { prefix: _, ...bare } = byType.apiKey;
  if (isElsewhere) return bare;
  return where ? { ...byType.apiKey, name: value(fieldName) } : byType.apiKey;
}
