import { once } from '../../source/once.ts';
import { readAnswerFields } from '../reading/field-name.ts';
import { defined, type Form, fieldNames, point, section } from '../reading/form.ts';
import { boolean, entry, type Formed, formed, knownKeys, named, value } from '../reading/reading.ts';
import { type Said, stated } from '../reading/said.ts';
import { isHandled, type PlacedTemplate, textTemplate } from '../reading/templates.ts';
import { keywordsForm, objectKeys, readShape, type Shape } from './shape.ts';

/** A header field of an answer that is stated by what its text looks like (language §H.3). */
export interface ShapedField {
  readonly shape: Shape;
  readonly required: Said<boolean>;
  readonly value: Said<PlacedTemplate>;
}

/** A header field of an answer: its value, or its shape with or without its value. */
export type AnswerField = PlacedTemplate | ShapedField;

/** Header fields by name. */
export type AnswerFields = ReadonlyMap<string, Said<AnswerField>>;

const about = section('H.3', 'answer.header');

const keys = {
  required: entry(
    boolean,
    about('Whether each such answer has the field.', {
      must: 'send it, once its value is stated',
      see: 'an answer without the field',
      open: 'the field may be missing',
    }),
  ),
  value: value(
    textTemplate,
    about('The value of the field: a text with expressions.', {
      must: 'send a value that fits; one that does not is `internal`',
      see: 'the field',
      open: 'the field is not sent',
    }),
  ),
};

const quietly = { quiet: true } as const;
const { fields, others } = objectKeys;

const shapedForm: Form = defined('shapedField', () => ({
  kind: 'record',
  title: 'shape of a header field',
  keys: {
    ...keys,
    fields: { ...fields, about: { ...fields.about, ...quietly } },
    others: { ...others, about: { ...others.about, ...quietly } },
  },
  also: () => [keywordsForm],
  more: { dependentRequired: { others: ['fields'] } },
}));

const fieldForm: Form = point('answerField', {
  kind: 'own',
  says: 'text with expressions, or a shape',
  within: () => [textTemplate.form, shapedForm],
  schema: (of) => ({
    title: 'text, expression or shape',
    if: { type: 'object', not: { required: ['handled'] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: of(shapedForm),
    else: of(textTemplate.form),
  }),
});

const field: Formed<AnswerField> = formed(fieldForm, (node, place, reading) => {
  if (node.kind !== 'map' || isHandled(node)) return textTemplate(node, place, reading);
  const shape = readShape(node, place, reading, Object.keys(keys));
  if (shape === undefined) return undefined;
  reading.point(place.address, node.assumed ? 'assumed' : 'stated', node.span);
  const found = knownKeys(node, keys, place, reading);
  reading.restOf(place.address, place.at);
  return { shape, ...found };
});

const byName = named(value(field));

/** The header fields of an answer or an error row, each by its value or by its shape (language §H.3). */
export const shapedFields: Formed<AnswerFields> = formed(
  point('answerFields', { kind: 'map', of: value(field), names: fieldNames }),
  readAnswerFields(byName),
);

/** What is said of the value of each field; undefined: no field is stated. */
export const fieldValues = once(
  (said: Said<AnswerFields>): ReadonlyMap<string, Said<PlacedTemplate>> | undefined => {
    const fields = stated(said);
    return fields && new Map([...fields].map(([name, each]) => [name, saidOfValue(each)]));
  },
);

function saidOfValue(said: Said<AnswerField>): Said<PlacedTemplate> {
  if (said.kind !== 'stated') return said;
  return isShaped(said.value) ? said.value.value : { ...said, value: said.value };
}

/** The fields of which a shape is stated. */
export function fieldShapes(
  said: Said<AnswerFields>,
): readonly (readonly [name: string, field: ShapedField])[] {
  return [...(stated(said) ?? [])].flatMap(([name, said]) => {
    const found = stated(said);
    return found && isShaped(found) ? [[name, found] as const] : [];
  });
}

function isShaped(field: AnswerField): field is ShapedField {
  return 'shape' in field;
}
