import type { Json, Node } from '../../../source/node.ts';
import type { Span } from '../../../source/text.ts';
import {
  anyOf,
  defined,
  type Form,
  point,
  type Snippet,
  section,
  textOf,
  typeNameForm,
  words,
} from '../../reading/form.ts';
import {
  boolean,
  entry,
  type Formed,
  formed,
  literal,
  named,
  type Place,
  placedText,
  type Read,
  type Reading,
  record,
  value,
  word,
} from '../../reading/reading.ts';
import type { Said } from '../../reading/said.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  literalJson,
  type PlacedTemplate,
  template,
} from '../../reading/templates.ts';
import { accessSpellings } from '../access.ts';
import { keywordsForm, objectKeys, type Shape } from '../shape.ts';

export interface Field {
  readonly name: string;
  /** The resource or view that it is a field of. */
  readonly resource: string;
  readonly address: string;
  readonly at: Span;
  readonly shape: Shape;
  readonly default: Said<Json>;
  /** What the service sets on creation, and at any change of the item. */
  readonly create: Said<PlacedTemplate>;
  readonly update: Said<PlacedTemplate>;
  readonly derived: Said<PlacedTemplate>;
  /** How a given value is taken in, and a kept one shown. */
  readonly taken: Said<PlacedTemplate>;
  readonly shown: Said<PlacedTemplate>;
  readonly readable: Said<boolean | PlacedTemplate>;
  readonly writable: Said<boolean | 'once' | 'same' | PlacedTemplate>;
  readonly secret: Said<'hashed'>;
  readonly unique: Said<boolean | 'caseless' | 'ever'>;
  /** What holds of its value: an expression a sentence. */
  readonly holds: Said<ReadonlyMap<string, Said<PlacedTemplate>>>;
  /** The key of the item that it is a reference to. */
  readonly refers: Said<Reference>;
  readonly ifDeleted: Said<'refuse' | 'delete' | 'clear' | 'keep'>;
}

/** The key of an item: `R.field`, or R alone where its identifier is open or several fields (language §2). */
export interface Reference {
  readonly resource: string;
  readonly field: string | null;
  readonly at: Span;
}

const about = section('2.2', 'resources.field');
const ofSet = section('2.2', 'resources.set');

const setKeys = {
  create: entry(
    template,
    ofSet('What the service sets on creation.', {
      rules: '1',
      must: 'set it',
      see: 'the value',
      open: 'not set; an identifier that nobody gives: 501',
    }),
  ),
  update: entry(
    template,
    ofSet('What the service sets at any change of the item. `old` is the item before.', {
      rules: '1',
      must: 'set it',
      see: 'the value',
      open: 'not set',
    }),
  ),
  always: entry(
    template,
    ofSet('What the service sets on creation, and at any change of the item (E.20).', {
      rules: '1',
      must: 'set it',
      see: 'the value',
      open: '`create` and `update` say',
    }),
  ),
};

const referenceForm = textOf(
  '`R` or `R.field`',
  /^[A-Z][A-Za-z0-9]*(?:\..+)?$/,
  'What is referred to is a resource R, or a field of it, R.field (language §2.2).',
);

/** What a field may hold beside JSON Schema. */
export const fieldKeys = {
  default: literal(
    literalJson,
    about('The value if none is given on creation: a literal, never a marker.', {
      must: 'set it',
      see: 'leave it out',
      open: 'the member is absent',
    }),
  ),
  set: entry(
    record(setKeys),
    about('What the service itself sets: on creation, and at any change of the item.', {
      rules: '1 and 2',
      must: 'set it',
      see: 'the value',
      open: 'not set; an identifier that nobody gives: 501',
    }),
  ),
  derived: entry(
    template,
    about('A value, or a template of values, that is computed when the item is shown.', {
      rules: '3',
      must: 'compute it, never show it stale',
      see: 'the value recomputed',
      open: 'the field is stored',
    }),
  ),
  taken: entry(
    template,
    about('How a given value is converted. The expression reads it as `value`.', {
      must: 'store the result',
      see: 'round trips',
      open: 'stored unchanged',
    }),
  ),
  shown: entry(
    template,
    about('How a stored value is shown. The expression reads it as `value`.', {
      must: 'show the result',
      see: 'round trips',
      open: 'shown unchanged; `(open)`: not shown',
    }),
  ),
  readable: entry(
    flagOrExpression(boolean, words(true, false)),
    about('Whether the field is shown: true, false, or an expression that says for whom.', {
      must: 'otherwise leave it out',
      see: 'present for one client, absent for another',
      open: 'E.8; `(open)`: not shown',
    }),
  ),
  writable: entry(
    flagOrExpression(writableWord, words(true, false, 'once', 'same')),
    about('Whether a client may write the field: true, false, `once`, `same`, or an expression.', {
      rules: '4',
      must: 'otherwise treat it as `others`',
      see: 'write it',
      open: 'E.8',
    }),
  ),
  secret: entry(
    word('hashed'),
    about('`hashed`: the value is stored so that it cannot be recovered.', {
      rules: '5',
      must: 'store it so',
      see: 'never returned; still authenticates',
      open: 'stored as it is',
    }),
  ),
  unique: entry(
    formed(words(true, false, 'caseless', 'ever'), uniqueWord),
    about('No two items have the same value: `true`, `caseless` or `ever`.', {
      rules: '6',
      must: 'refuse a second, under any race: `not unique`',
      see: 'repeat it; case variants, former values',
      open: 'not checked',
    }),
  ),
  holds: entry(
    named(value(expression)),
    about('What holds of the value: a sentence, and its expression over `value`, `this` and `now`.', {
      must: 'otherwise refuse: `invalid R.field.holds`',
      see: 'both sides of it',
      open: 'not checked',
    }),
  ),
  refers: entry(
    formed(referenceForm, reference),
    about('The value is the key of an item: `R.field`, or `R` for the identifier of R.', {
      rules: '7',
      must: 'refuse a key that no item has',
      see: 'an unknown key',
      open: 'any value',
    }),
  ),
  ifDeleted: entry(
    word('refuse', 'delete', 'clear', 'keep'),
    about('What happens if that item is deleted: `refuse`, `delete`, `clear` or `keep`.', {
      rules: '8',
      must: 'do so',
      see: 'delete it',
      open: 'deleting an item in use: 501',
    }),
  ),
};

/** What a field may hold, in any version (language §2.2). */
export const fieldKeysForm: Form = defined('fieldKeys', () => ({
  kind: 'record',
  keys: {
    ...fieldKeys,
    ...accessSpellings,
    ...objectKeys,
  },
  also: () => [keywordsForm],
  shared: true,
}));

export const fieldForm: Form = point('field', () =>
  anyOf(
    {
      kind: 'record',
      title: 'field',
      keys: {},
      also: () => [fieldKeysForm],
      more: { dependentRequired: { others: ['fields'] } },
    },
    typeNameForm,
  ),
);

const fieldSnippets: readonly Snippet[] = [
  { label: 'field', description: 'A field and its type', body: { '${1:name}': { type: '${2:string}' } } },
  {
    label: 'identifier',
    description: 'An identifier that the service makes',
    body: {
      '${1:id}': { type: 'string', format: 'uuid', set: { create: '\\${uuid()\\}' } },
    },
  },
  {
    label: 'reference',
    description: 'The key of an item of another resource',
    body: { '${1:name}': { refers: '${2:Resource}', ifDeleted: '${3:refuse}' } },
  },
  {
    label: 'derived',
    description: 'Worked out whenever it is shown',
    body: { '${1:name}': { type: '${2:string}', derived: '\\${${3:service.url}\\}' } },
  },
];

export const fieldsForm: Form = {
  kind: 'map',
  of: { read: { form: fieldForm }, absence: 'value', literal: false },
  snippets: fieldSnippets,
};

function flagOrExpression<T>(flag: Read<T>, form: Form): Formed<T | PlacedTemplate> {
  return formed(anyOf(form, expression.form), (node, place, reading) =>
    holdsExpression(node) || isHandled(node) ? expression(node, place, reading) : flag(node, place, reading),
  );
}

function writableWord(node: Node, place: Place, reading: Reading): boolean | 'once' | 'same' | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  return word('once', 'same')(node, place, reading);
}

function uniqueWord(node: Node, place: Place, reading: Reading): boolean | 'caseless' | 'ever' | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  return word('caseless', 'ever')(node, place, reading);
}

function reference(node: Node, place: Place, reading: Reading): Reference | undefined {
  const written = placedText(node, place, reading);
  if (written === undefined) return undefined;
  const match = /^([A-Z][A-Za-z0-9]*)(?:\.(.+))?$/.exec(written.text);
  if (match === null) return reading.report('bad-reference', node.span, { found: written.text });
  return { resource: match[1] as string, field: match[2] ?? null, at: node.span };
}
