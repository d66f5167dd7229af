import { get } from '../source/node.ts';
import { statuses } from './answer.ts';
import { answerFields, fieldName } from './field-name.ts';
import { pause, period } from './period.ts';
import {
  asMap,
  entry,
  listOf,
  oneKey,
  type Placed,
  placedText,
  type Read,
  record,
  text,
  type Values,
  value,
  word,
} from './reading.ts';
import { type FieldReference, fieldReference } from './reference.ts';
import { isMarker } from './said.ts';
import { expression, textTemplate } from './templates.ts';

/** An address or a key: a field of each item of a resource holds it, or the operator does. */
export type Held = { readonly kind: 'operator' } | ({ readonly kind: 'field' } & FieldReference);

const held: Read<Held> = (node, place, reading) => {
  if (node.kind === 'scalar' && node.written === 'operator') return { kind: 'operator' };
  const field = fieldReference(node, place, reading);
  return field && { kind: 'field', ...field };
};

/** An endpoint of part 4, by its key. */
const endpoint: Read<Placed> = placedText;

/**
 * How a message shows who sent it: as Standard Webhooks have it, or by an HMAC (RFC 2104) over a text, in a header
 * field of one's own.
 */
export type Sign =
  | { readonly kind: 'standard-webhooks' }
  | ({ readonly kind: 'hmac' } & Values<typeof hmacKeys>);

const hmacKeys = {
  header: value(fieldName),
  hmac: value(word('sha256', 'sha512')),
  over: value(textTemplate),
  as: value(textTemplate),
};

const sign: Read<Sign> = (node, place, reading) => {
  if (node.kind === 'map') {
    const found = record(hmacKeys)(node, place, reading);
    return found && { kind: 'hmac', ...found };
  }
  const kind = word('standard-webhooks')(node, place, reading);
  return kind && { kind };
};

/** `within` and `retries` are in milliseconds, and so is `timeout`. */
const common = { order: entry(word('item', 'all')), within: entry(pause) };

const webhookKeys = {
  webhook: value(held),
  where: entry(expression),
  ...common,
  media: entry(text),
  headers: entry(answerFields),
  sign: entry(sign),
  secret: entry(held),
  success: entry(statuses),
  retries: entry(listOf(pause)),
  timeout: entry(period),
  exhausted: entry(placedText),
  version: entry(textTemplate),
};
/** A signature needs a key (language §6.3). */
const signedKeys = { ...webhookKeys, secret: value(held) };
const streamKeys = { stream: value(endpoint), ...common };
const brokerKeys = {
  broker: value(textTemplate),
  ...common,
  media: entry(text),
  version: entry(textTemplate),
};

/** A way in which events leave (language §6.3). */
export type Delivery =
  | ({ readonly kind: 'webhook' } & Values<typeof webhookKeys>)
  | ({ readonly kind: 'stream' } & Values<typeof streamKeys>)
  | ({ readonly kind: 'broker' } & Values<typeof brokerKeys>);

const ways = ['webhook', 'stream', 'broker'] as const;

export const delivery: Read<Delivery> = (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const kind = oneKey(map, ways, reading);
  switch (kind) {
    case 'webhook': {
      const sign = get(map, 'sign');
      const read = record(sign && !isMarker(sign) ? signedKeys : webhookKeys)(node, place, reading);
      return read && { kind, ...read };
    }
    case 'stream': {
      const read = record(streamKeys)(node, place, reading);
      return read && { kind, ...read };
    }
    case 'broker': {
      const read = record(brokerKeys)(node, place, reading);
      return read && { kind, ...read };
    }
    default:
      return undefined;
  }
};
