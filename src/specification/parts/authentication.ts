import { entry, list, named, record, text, unread, type Values, value, word } from '../reading.ts';

const scheme = {
  type: value(word('apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS')),
  name: entry(text),
  in: entry(word('header', 'query', 'cookie')),
  scheme: entry(text),
  bearerFormat: entry(text),
  flows: entry(unread),
  openIdConnectUrl: entry(text),
  oauth2MetadataUrl: entry(text),
  prefix: entry(text),
  credentials: value(unread),
  actor: value(text),
  challenge: entry(text),
  wrong: entry(word('refuse', 'ignore')),
};

/** Names of schemes and actors (language §A.5). */
const name = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Part 5: who may ask, and for what (language §5). */
const keys = {
  schemes: list(named(value(record(scheme)), name)),
  several: entry(word('refuse', 'first')),
  actors: entry(named(value(unread), name)),
  authorization: list(named(value(unread))),
  otherwise: entry(unread),
};

export type Authentication = Values<typeof keys>;
export const read = record(keys);
