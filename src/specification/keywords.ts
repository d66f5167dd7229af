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

/** The keywords of JSON Schema 2020-12 that a shape may hold, and the kind of value that each takes. */
export const keywords: Readonly<Record<string, Kind>> = {
  type: 'type',
  enum: 'list',
  const: 'any',
  multipleOf: 'number',
  maximum: 'number',
  exclusiveMaximum: 'number',
  minimum: 'number',
  exclusiveMinimum: 'number',
  maxLength: 'count',
  minLength: 'count',
  pattern: 'text',
  format: 'text',
  maxItems: 'count',
  minItems: 'count',
  uniqueItems: 'flag',
  maxContains: 'count',
  minContains: 'count',
  maxProperties: 'count',
  minProperties: 'count',
  required: 'names',
  dependentRequired: 'names map',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, in a table that is never awaited
  then: 'schema',
  else: 'schema',
  dependentSchemas: 'schema map',
  prefixItems: 'schemas',
  items: 'schema',
  contains: 'schema',
  properties: 'schema map',
  patternProperties: 'schema map',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
  contentEncoding: 'text',
  contentMediaType: 'text',
  contentSchema: 'schema',
  title: 'text',
  description: 'text',
  deprecated: 'flag',
  examples: 'list',
  $comment: 'text',
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
  ...patchOperations,
];

/** The formats of JSON Schema 2020-12 §7.3 that are asserted. */
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
];

/** Keywords that say nothing about values (language §E.18 and JSON Schema Validation §9). */
export const annotations: readonly string[] = ['title', 'description', 'deprecated', 'examples', '$comment'];

/** The types of JSON Schema (Validation §6.1.1). */
export const types: readonly string[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
