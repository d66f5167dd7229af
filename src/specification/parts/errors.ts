import { get, type Node } from '../../source/node.ts';
import { statuses } from '../answer.ts';
import { condition } from '../condition.ts';
import { answerFields } from '../field-name.ts';
import { payload } from '../payload.ts';
import {
  entry,
  list,
  listOf,
  named,
  placedText,
  type Read,
  record,
  text,
  type Values,
  value,
} from '../reading.ts';
import { shape } from '../shape.ts';
import { template, textTemplate } from '../templates.ts';

const payloadKeys = {
  media: entry(text),
  under: entry(text),
  headers: entry(answerFields),
  body: value(payload),
  shape: entry(shape),
};

const rowKeys = {
  when: value(listOf(condition)),
  operations: entry(listOf(placedText)),
  status: value(statuses),
  as: entry(condition),
  code: entry(text),
  field: entry(text),
  message: entry(textTemplate),
  title: entry(textTemplate),
  extra: entry(named(value(template))),
  media: entry(text),
  under: entry(text),
  headers: entry(answerFields),
  body: entry(payload),
  shape: entry(shape),
};

/** A row that conceals answers as another condition would, so it has no status of its own (language §7). */
const concealing = { ...rowKeys, status: entry(statuses), as: value(condition) };

/**
 * A row of part 7. What it has of `errors.payload` (language §E.16) is the very node that stands there, and the
 * points within that have the addresses that they have there.
 */
const rowWith =
  (shared: Node | undefined): Read<Row> =>
  (node, place, reading) => {
    const from =
      <T>(key: 'body' | 'shape', read: Read<T>): Read<T> =>
      (of, where, inner) =>
        read(of, of === get(shared, key) ? { ...where, address: `errors.payload.${key}` } : where, inner);
    const keys = get(node, 'as') === undefined ? rowKeys : concealing;
    const body = entry(from('body', payload));
    return record({ ...keys, body, shape: entry(from('shape', shape)) })(node, place, reading);
  };

const codeName = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Part 7: reasons to refuse, and what is sent then (language §7.1). */
const keys = {
  payload: value(record(payloadKeys)),
  codes: list(named(value(rowWith(undefined)), codeName)),
  messages: entry(named(value(textTemplate))),
  order: value(listOf(placedText)),
};

export type Row = Values<typeof rowKeys>;
export type Errors = Values<typeof keys>;

export const read: Read<Errors> = (node, place, reading) => {
  const row = rowWith(get(node, 'payload'));
  return record({ ...keys, codes: list(named(value(row), codeName)) })(node, place, reading);
};
