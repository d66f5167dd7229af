import type { Span } from '../../source/text.ts';
import { fieldNames, point } from './form.ts';
import { asMap, type Formed, formed, named, type Reading, text, value } from './reading.ts';
import type { Said } from './said.ts';
import { type PlacedTemplate, textTemplate } from './templates.ts';

/** Fields that frame a message or belong to one connection: nobody but the server can set them (RFC 9110 §7.6.1, RFC 9112 §6). */
const framing = [
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Reports what cannot be the name of a field (RFC 9110 §5.1); `sets`: in an answer, where it would be sent. */
export function checkFieldName(name: string, at: Span, sets: boolean, reading: Reading): void {
  if (!fieldNames.pattern.test(name)) reading.report('bad-field-name', at, { name });
  else if (sets && framing.includes(name.toLowerCase()))
    reading.report(
      'bad-field-name',
      at,
      { name },
      { hint: 'it frames the message or belongs to the connection, so only the server sets it' },
    );
}

/** The name of a header field. */
export const fieldName: Formed<string> = formed(text.form, (node, place, reading) => {
  const name = text(node, place, reading);
  if (name !== undefined) checkFieldName(name, node.span, false, reading);
  return name;
});

/** The names of header fields that an answer sends, and what the fields are. Two names that differ in case alone are one field. */
export function readAnswerFields<T>(fields: Formed<ReadonlyMap<string, T>>): Formed<ReadonlyMap<string, T>> {
  return formed(fields.form, (node, place, reading) => {
    const seen = new Map<string, Span>();
    for (const [name, { key }] of asMap(node, reading)?.entries ?? []) {
      checkFieldName(name, key, true, reading);
      const twin = seen.get(name.toLowerCase());
      if (twin) reading.report('key-twice', key, { key: name }, { related: [twin] });
      seen.set(name.toLowerCase(), key);
    }
    return node.kind === 'map' ? fields(node, place, reading) : undefined;
  });
}

const fieldsForm = { kind: 'map', of: value(textTemplate), names: fieldNames } as const;

/** The header fields of an answer, by name (language §H.3). */
export const answerFields: Formed<ReadonlyMap<string, Said<PlacedTemplate>>> = formed(
  point('headerFields', fieldsForm),
  readAnswerFields(named(value(textTemplate))),
);
