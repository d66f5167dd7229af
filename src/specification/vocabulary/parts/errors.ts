import { get, type Node } from '../../../source/node.ts';
import { anyOf, nameOf, section, words } from '../../reading/form.ts';
import {
  absent,
  entry,
  type Formed,
  formed,
  list,
  listOf,
  named,
  placedText,
  type Read,
  readBy,
  record,
  text,
  type Values,
  value,
} from '../../reading/reading.ts';
import { template, textTemplate } from '../../reading/templates.ts';
import { literalText, statuses, withFirst } from '../answer.ts';
import { shapedFields } from '../answer-field.ts';
import { condition } from '../condition.ts';
import { checkAlone, contentKey } from '../endpoint/content.ts';
import { payload } from '../payload.ts';
import { shape } from '../shape.ts';

const about = section('7.1', 'errors');
const ofRow = section('7.1', 'errors.codes');
const ofPayload = section('7.1', 'errors.payload');

const ofContent = {
  under: entry(
    text,
    section('H.3', 'errors.payload')('The body is the one member of this name of an object.', {
      must: 'send it so',
      see: 'the member',
      open: 'the body stands alone',
    }),
  ),
  body: entry(
    payload,
    ofPayload('The body: a template over `error`.', {
      must: 'send it',
      see: 'every member',
      open: 'no content',
    }),
  ),
  shape: entry(
    shape,
    ofPayload('What the body looks like, as a shape.', {
      must: 'send a body that fits',
      see: 'content that does not fit',
      open: 'nothing is asked of the content',
    }),
  ),
};

const content = {
  media: entry(
    textTemplate,
    ofPayload('The media type of the body: a text or an expression.', {
      must: 'send it',
      see: 'the field',
      open: 'E.6',
    }),
  ),
  headers: entry(
    shapedFields,
    section('H.3', 'errors.payload')(
      'Header fields by name, each a text with expressions, or its shape. Null sends none.',
      {
        must: 'send them',
        see: 'the fields',
        open: "none but the floor's",
      },
    ),
  ),
  ...ofContent,
  content: contentKey(
    { ...ofContent, body: absent(ofContent.body, 'value') },
    { media: literalText, ranges: false, spelledOut: (map) => map },
    section('H.3', 'errors.payload')('The content by media type, instead of `media` and `body`.', {
      must: 'send what `Accept` prefers, else the first',
      see: 'each type',
      open: '`media` and `body` say it',
    }),
  ),
};

const payloadKeys = { ...content, body: absent(content.body, 'value') };

/** What every row sends that states nothing else. */
const payloadOfAll = formed(record(payloadKeys).form, (node, place, reading) => {
  const isSaid = get(node, 'content') !== undefined;
  if (node.kind === 'map') checkAlone(node, ofContent, reading);
  const found = record(isSaid ? content : payloadKeys)(node, place, reading);
  return found && withFirst(found);
});

const rowKeys = {
  when: value(
    listOf(condition),
    ofRow('The condition, or a list of conditions (H.4).', {
      must: 'refuse so, and change nothing',
      see: 'cause it',
      open: 'never',
    }),
  ),
  operations: entry(
    listOf(placedText),
    ofRow('The row is only for these operations.', {
      must: 'refuse no other so',
      see: 'another operation',
      open: 'for all',
    }),
  ),
  status: value(
    statuses,
    ofRow('The status code, or a list: the service sends the first, and the tester accepts each (F.1).', {
      must: 'send it',
      see: 'the status',
      open: "the floor's status (H.4)",
    }),
  ),
  as: entry(
    condition,
    ofRow('The refusal is answered exactly as if this condition held.', {
      rules: '16',
      must: 'leave no difference',
      see: 'compare the two',
      open: 'answered as itself',
    }),
  ),
  code: entry(
    text,
    ofRow('What `error.code` says, if not the name of the row.', {
      must: 'send it where `payload` reads it',
      see: 'the code',
      open: "the row's name",
    }),
  ),
  field: entry(
    text,
    ofRow('The field that the row is about, as `error.field`.', {
      must: 'send it where `payload` reads it',
      see: 'the field',
      open: 'null',
    }),
  ),
  message: entry(
    textTemplate,
    ofRow('The text for people, as `error.message`.', {
      must: 'send it where `payload` reads it',
      see: 'the text',
      open: 'null',
    }),
  ),
  extra: entry(
    named(value(template)),
    ofRow('Further values by name, as `error.extra`.', {
      must: 'send them where `payload` reads them',
      see: 'the values',
      open: 'null',
    }),
  ),
  ...content,
};

/** A row that conceals answers as another condition would, so it has no status of its own (language §7). */
const concealing = { ...rowKeys, status: absent(rowKeys.status, 'entry'), as: absent(rowKeys.as, 'value') };

/**
 * A row of part 7. What it has of `errors.payload` (language §E.16) is the very node that stands there, and the
 * points within that have the addresses that they have there.
 */
const rowWith = (shared: Node | undefined): Formed<Row> =>
  formed(record(rowKeys, { title: 'row' }).form, (node, place, reading) => {
    const from =
      <T>(key: 'body' | 'shape' | 'content', read: Read<T>): Read<T> =>
      (of, where, inner) =>
        read(of, of === get(shared, key) ? { ...where, address: `errors.payload.${key}` } : where, inner);
    const keys = get(node, 'as') === undefined ? rowKeys : concealing;
    if (node.kind === 'map') checkAlone(node, ofContent, reading);
    const found = record({
      ...keys,
      body: readBy(content.body, from('body', payload)),
      shape: readBy(content.shape, from('shape', shape)),
      content: readBy(content.content, from('content', content.content.read)),
    })(node, place, reading);
    return found && withFirst(found);
  });

const snippets = [
  {
    label: 'row',
    description: 'A reason to refuse, and its status',
    body: {
      '${1:thing_unknown}': {
        when: '${2:unknown Thing}',
        status: '${3:404}',
        message: '${4:there is no such thing}',
      },
    },
  },
];

/** `listed` is the list of all rows by the time that this is read (language §E.21). */
const orderList = listOf(placedText);

/** Part 7: reasons to refuse, and what is sent then (language §7.1). */
const keys = {
  payload: value(
    payloadOfAll,
    about('What every row sends that states nothing else (E.16).', {
      must: 'send it',
      see: 'all of it',
      open: 'no content',
    }),
  ),
  codes: list(
    named(value(rowWith(undefined)), nameOf('code'), snippets),
    about('The reasons to refuse: rows, by code.', {
      must: 'refuse so',
      see: 'cause each',
      open: "the floor's status (H.4)",
    }),
  ),
  messages: entry(
    named(value(textTemplate)),
    about('The text for a failed constraint, by keyword, `R.field` or `R.field.keyword`.', {
      rules: '15',
      must: 'send it in `error.failures`',
      see: 'the text',
      open: 'null',
    }),
  ),
  order: value(
    formed(anyOf(words('listed'), orderList.form), orderList),
    about(
      'Codes in the order in which they take precedence, or `listed` (E.21). `replay` may be among them (§4.4).',
      {
        must: 'keep to it',
        see: 'requests that earn two',
        open: 'choice (F.1)',
      },
    ),
  ),
};

export type Row = Values<typeof rowKeys>;
/** What of a row may be that of all rows. */
export type Payload = Values<typeof content>;
export type Errors = Values<typeof keys>;

export const read: Formed<Errors> = formed(record(keys).form, (node, place, reading) => {
  const row = rowWith(get(node, 'payload'));
  const codes = { ...keys.codes, read: named(value(row), nameOf('code'), snippets) };
  return record({ ...keys, codes })(node, place, reading);
});
