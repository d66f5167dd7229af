import { get } from '../../source/node.ts';
import { status } from '../answer.ts';
import { condition } from '../condition.ts';
import { answerFields } from '../field-name.ts';
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
import { template, textTemplate } from '../templates.ts';

const payloadKeys = {
  media: entry(text),
  under: entry(text),
  headers: entry(answerFields),
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
  headers: entry(answerFields),
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
export type Errors = Values<typeof keys>;

export const read = record(keys);
