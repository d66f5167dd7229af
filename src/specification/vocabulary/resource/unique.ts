import { get } from '../../../source/node.ts';
import { anyOf, type Form, section } from '../../reading/form.ts';
import {
  boolean,
  type Formed,
  formed,
  kindOf,
  listOf,
  literal,
  type Placed,
  placedText,
  type Read,
  text,
  unknownKeys,
} from '../../reading/reading.ts';

const about = section('2.1', 'resources.unique');

/** Fields that are unique together; caseless: their texts are the same whatever the case of their letters. */
export interface UniqueTogether {
  readonly fields: readonly Placed[];
  readonly caseless: boolean;
}

const togetherKeys = {
  fields: literal(
    formed({ kind: 'list', of: text.form, alone: false, more: { minItems: 2 } }, listOf(placedText)),
    about('The fields that are unique together.'),
  ),
  caseless: literal(boolean, about('Texts are compared caselessly.')),
};

const uniqueForm: Form = {
  kind: 'list',
  of: anyOf(
    { kind: 'list', of: text.form, alone: false, more: { minItems: 2 } },
    { kind: 'record', keys: togetherKeys, more: { required: ['fields'] } },
  ),
  alone: false,
};

/** Fields that are a key together: at least one, and each once. */
export function keyNames(read: Read<readonly Placed[]>): Read<readonly Placed[]> {
  return (node, place, reading) => {
    if (node.kind === 'list' && node.items.length === 0)
      return reading.report('wrong-kind', node.span, { wanted: 'a list of fields', found: 'an empty list' });
    const names = read(node, place, reading);
    for (const [index, { text, at }] of (names ?? []).entries())
      if (names?.findIndex((other) => other.text === text) !== index)
        reading.report('key-twice', at, { key: text });
    return names;
  };
}

/** Lists of fields that are unique together; a field that is so by itself says `unique: true` (language §2.1). */
export const uniqueTogether: Formed<readonly UniqueTogether[]> = formed(
  uniqueForm,
  (node, place, reading) => {
    if (node.kind !== 'list' || node.items.some((item) => item.kind === 'scalar'))
      return reading.report('wrong-kind', node.span, {
        wanted: 'a list of lists of fields',
        found: kindOf(node),
      });
    return node.items.flatMap((item) => {
      if (item.kind === 'map') unknownKeys(item, Object.keys(togetherKeys), place, reading);
      const [fields, caseless] = item.kind === 'map' ? [get(item, 'fields'), get(item, 'caseless')] : [item];
      if (fields?.kind !== 'list') {
        const found = fields ? kindOf(fields) : 'nothing';
        reading.report('wrong-kind', (fields ?? item).span, { wanted: 'a list of fields', found });
        return [];
      }
      const isCaseless = caseless && boolean(caseless, place, reading);
      if (fields.items.length === 1) {
        const parameters = { wanted: 'a list of two fields or more', found: 'a list of one field' };
        reading.report('wrong-kind', fields.span, parameters, { hint: 'write unique: true at the field' });
        return [];
      }
      return [
        { fields: keyNames(listOf(placedText))(fields, place, reading) ?? [], caseless: isCaseless === true },
      ];
    });
  },
);
