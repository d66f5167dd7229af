import { get, type Mapping, type Node, put } from '../../source/node.ts';
import {
  entry,
  list,
  listOf,
  named,
  type Placed,
  placedText,
  type Read,
  record,
  text,
  value,
  type Values,
} from '../reading.ts';
import { condition } from '../condition.ts';
import { status } from '../answer.ts';
import { template, textTemplate } from '../templates.ts';

const payloadKeys = {
  media: entry(text),
  under: entry(text),
  headers: entry(named(value(textTemplate))),
  body: value(template),
};

const rowKeys = {
  when: value(listOf(condition)),
  operations: entry(listOf(placedText)),
  status: value(status),
  as: entry(condition),
  code: entry(text),
  field: entry(text),
  message: entry(textTemplate),
  title: entry(textTemplate),
  extra: entry(named(value(template))),
  media: entry(text),
  under: entry(text),
  headers: entry(named(value(textTemplate))),
  body: entry(template),
};

/** A row that conceals answers as another condition would, so it has no status of its own (language §7). */
const concealing = { ...rowKeys, status: entry(status), as: value(condition) };

const row: Read<Row> = (node, place, reading) =>
  record(get(node, 'as') === undefined ? rowKeys : concealing)(node, place, reading);

/** Part 7: reasons to refuse, and what is sent then (language §7). */
const keys = {
  payload: value(record(payloadKeys)),
  codes: list(named(value(row), /^[A-Za-z][A-Za-z0-9_-]*$/)),
  messages: entry(named(value(textTemplate))),
  order: value(listOf(placedText)),
};

export type Row = Values<typeof rowKeys>;
export type Payload = Values<typeof payloadKeys>;
export type Errors = Values<typeof keys>;
export type { Placed };

const readKeys = record(keys);
export const read: Read<Errors> = (node, place, reading) => readKeys(expanded(node), place, reading);

/** A payload's body is JSON unless `media` says otherwise (language §E.6). */
function expanded(node: Node): Node {
  const payload = get(node, 'payload');
  if (node.kind !== 'map' || payload?.kind !== 'map' || !payload.entries.has('body')) return node;
  return put(node, 'payload', withMedia(payload));
}

function withMedia(payload: Mapping): Mapping {
  if (payload.entries.has('media')) return payload;
  const body = payload.entries.get('body');
  if (body === undefined) return payload;
  const media: Node = {
    kind: 'scalar',
    value: 'application/json',
    written: 'application/json',
    from: null,
    span: body.key,
    ...(body.value.assumed && { assumed: true }),
  };
  return put(payload, 'media', media, body.key);
}
