import { entry, list, named, record, text, unread, value, type Values, word } from '../reading.ts';

const scheme = {
  type: value(word('apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS')),
  description: entry(text),
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

/** Part 5: who may ask, and for what (language §5). */
const keys = {
  schemes: list(named(value(record(scheme)))),
  several: entry(word('refuse', 'first')),
  actors: entry(named(value(unread))),
  authorization: list(named(value(unread))),
  otherwise: entry(unread),
};

export type Authentication = Values<typeof keys>;
export const read = record(keys);
