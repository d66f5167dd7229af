/** The kind of value that a keyword takes. */
export type Kind =
  | 'schema'
  | 'schemas'
  | 'schema map'
  | 'number'
  | 'count'
  | 'text'
  | 'flag'
  | 'list'
  | 'names'
  | 'names map'
  | 'type'
  | 'any';

/** A keyword of JSON Schema: the kind of value that it takes, what it states, and whether editors leave it out. */
export interface Keyword {
  readonly kind: Kind;
  readonly states: string;
  readonly quiet?: true;
}

function keyword(kind: Kind, states: string): Keyword {
  return { kind, states };
}

/** A keyword that few documents use. */
function rare(kind: Kind, states: string): Keyword {
  return { kind, states, quiet: true };
}

/** The keywords of JSON Schema 2020-12 that a shape may hold (language §H.1). */
export const keywords: Readonly<Record<string, Keyword>> = {
  type: keyword('type', 'The type of the value, or a list of types.'),
  enum: keyword('list', 'The values that are allowed; no marker stands among them.'),
  const: keyword('any', 'The one value that is allowed.'),
  multipleOf: keyword('number', 'What a number is a multiple of.'),
  maximum: keyword('number', 'The greatest number.'),
  exclusiveMaximum: keyword('number', 'What a number is less than.'),
  minimum: keyword('number', 'The least number.'),
  exclusiveMinimum: keyword('number', 'What a number is greater than.'),
  maxLength: keyword(
    'count',
    'The greatest number of characters of a text; `(none)` states that there is no bound.',
  ),
  minLength: keyword('count', 'The least number of characters of a text.'),
  pattern: keyword(
    'text',
    'A regular expression that a text matches, in the subset that is matched in linear time.',
  ),
  format: keyword('text', 'The form that a text has; it is checked.'),
  maxItems: keyword('count', 'The greatest number of members of a list.'),
  minItems: keyword('count', 'The least number of members of a list.'),
  uniqueItems: keyword('flag', 'Whether the members of a list must differ.'),
  maxContains: rare('count', 'How many members have the shape of `contains`, at most.'),
  minContains: rare('count', 'How many members have the shape of `contains`, at least.'),
  maxProperties: rare('count', 'The greatest number of members of an object.'),
  minProperties: rare('count', 'The least number of members of an object.'),
  required: keyword('names', 'The members that must be given.'),
  dependentRequired: rare('names map', 'Members that must be given with another.'),
  allOf: rare('schemas', 'Shapes that all hold.'),
  anyOf: rare('schemas', 'Shapes of which at least one holds.'),
  oneOf: rare('schemas', 'Shapes of which exactly one holds.'),
  not: rare('schema', 'A shape that does not hold.'),
  if: rare('schema', 'A shape that decides between `then` and `else`.'),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, in a table that is never awaited
  then: rare('schema', 'The shape that holds where `if` does.'),
  else: rare('schema', 'The shape that holds where `if` does not.'),
  dependentSchemas: rare('schema map', 'Shapes that hold where a member is given.'),
  prefixItems: rare('schemas', 'The shapes of the first members of a list, one by one.'),
  items: keyword('schema', 'The shape of each member of a list.'),
  contains: rare('schema', 'A shape that some member of a list has.'),
  properties: rare(
    'schema map',
    "The shapes of an object's members in plain JSON Schema; `fields` is the language's own way.",
  ),
  patternProperties: rare('schema map', 'The shapes of members whose names match a pattern.'),
  additionalProperties: rare('schema', 'The shape of all other members, or false for none.'),
  propertyNames: rare('schema', "The shape of each member's name."),
  unevaluatedItems: rare('schema', 'The shape of list members that nothing else described.'),
  unevaluatedProperties: rare('schema', 'The shape of object members that nothing else described.'),
  contentEncoding: rare('text', 'How a text encodes binary content.'),
  contentMediaType: rare('text', 'The media type of what a text holds.'),
  contentSchema: rare('schema', 'The shape of what a text holds.'),
  title: rare('text', 'A short name for people; it states nothing.'),
  description: keyword('text', 'For people; it states nothing.'),
  deprecated: rare('flag', 'For people: whether it is going out of use.'),
  examples: rare('list', 'For people: some values that fit.'),
  $comment: rare('text', 'For people; it states nothing.'),
};

/** The operations of a JSON Patch (RFC 6902 §4), each of which is the keyword of its failure (language §H.4). */
export const patchOperations = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

/** What else a failure can be one of, besides the keywords of JSON Schema (language §H.4). */
export const ownKeywords: readonly string[] = [
  'refers',
  'unique',
  'holds',
  'others',
  'sort',
  'cursor',
  'order',
  ...patchOperations,
];

/** The formats of JSON Schema 2020-12 §7.3 that are asserted, and `binary` of OpenAPI 3.0: bytes. */
export const formats: readonly string[] = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'binary',
];

/** Keywords that say nothing about values (language §E.18 and JSON Schema Validation §9). */
export const annotations: readonly string[] = ['title', 'description', 'deprecated', 'examples', '$comment'];

/** Keywords about objects: all that the map of a resource may hold. */
export const objectKeywords: readonly string[] = [
  ...['minProperties', 'maxProperties', 'properties', 'patternProperties', 'additionalProperties'],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...annotations,
];

/** The types of JSON Schema (Validation §6.1.1). */
export const types: readonly string[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
