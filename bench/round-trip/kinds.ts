/** What a value of an OpenAPI description is; `map of K`: its keys are names, and its values are of the kind K. */
export type Kind =
  | 'data'
  | 'root'
  | 'schema'
  | 'parameter'
  | 'other'
  | `${string} object`
  | `map of ${string}`;

/** The kind of each member of an object, where it is another than that of plain data (OpenAPI 3.1 §4.8). */
const kinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  root: {
    info: 'info object',
    servers: 'server object',
    tags: 'tag object',
    paths: 'map of path object',
    webhooks: 'map of path object',
    components: 'components object',
    externalDocs: 'externalDocs object',
  },
  'info object': { contact: 'info object', license: 'info object' },
  'tag object': { externalDocs: 'externalDocs object' },
  'components object': {
    schemas: 'map of schema',
    responses: 'map of response object',
    parameters: 'map of parameter',
    examples: 'map of example object',
    requestBodies: 'map of body object',
    headers: 'map of header object',
    securitySchemes: 'map of scheme object',
    links: 'map of link object',
    callbacks: 'map of callback object',
    pathItems: 'map of path object',
  },
  'path object': {
    ...Object.fromEntries(
      ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'].map((method) => [
        method,
        'operation object' as const,
      ]),
    ),
    parameters: 'parameter',
    servers: 'server object',
  },
  'operation object': {
    parameters: 'parameter',
    requestBody: 'body object',
    responses: 'map of response object',
    callbacks: 'map of callback object',
    externalDocs: 'externalDocs object',
    servers: 'server object',
  },
  'body object': { content: 'map of media object' },
  'response object': {
    headers: 'map of header object',
    content: 'map of media object',
    links: 'map of link object',
  },
  'media object': { schema: 'schema', encoding: 'map of encoding object', examples: 'map of example object' },
  parameter: { schema: 'schema', content: 'map of media object', examples: 'map of example object' },
  'header object': { schema: 'schema', content: 'map of media object', examples: 'map of example object' },
  'encoding object': { headers: 'map of header object' },
  'scheme object': { flows: 'scheme object' },
  schema: {
    ...Object.fromEntries(
      ['properties', 'patternProperties', 'dependentSchemas', '$defs'].map((name) => [
        name,
        'map of schema' as const,
      ]),
    ),
    ...Object.fromEntries(
      [
        ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
        ...['allOf', 'anyOf', 'oneOf', 'prefixItems'],
      ].map((name) => [name, 'schema' as const]),
    ),
    externalDocs: 'externalDocs object',
  },
};

/** The kind of a member of a value, or of the elements of that member. */
export function kindOf(kind: Kind, name: string): Kind {
  if (kind.startsWith('map of ')) return kind.slice('map of '.length) as Kind;
  if (name.startsWith('x-')) return 'data';
  return kinds[kind]?.[name] ?? 'data';
}

/** What members are where they are not written: to write them out is another spelling. */
const usual: Readonly<Record<string, readonly unknown[]>> = {
  ...Object.fromEntries(
    [
      ...['nullable', 'deprecated', 'readOnly', 'writeOnly', 'uniqueItems', 'required', 'allowEmptyValue'],
      ...['allowReserved', 'exclusiveMinimum', 'exclusiveMaximum'],
    ].map((name) => [name, [false]]),
  ),
  additionalProperties: [true],
  minItems: [0],
  minLength: [0],
  minProperties: [0],
};

/** Whether a value is what the member is anyway, if it does not stand there. */
export function isUsual(name: string, value: unknown, beside: { readonly [name: string]: unknown }): boolean {
  const where = beside['in'];
  const style = beside['style'] ?? (where === 'query' || where === 'cookie' ? 'form' : 'simple');
  if (where !== undefined && name === 'style') return value === (where === 'query' ? 'form' : 'simple');
  if (where !== undefined && name === 'explode') return value === (style === 'form');
  return usual[name]?.includes(value) ?? false;
}

/** The class of a leaf, for people: where it stands, and its member. */
export function groupOf(kind: Kind, tokens: readonly string[]): string {
  const extension = tokens.find((token) => token.startsWith('x-'));
  if (extension !== undefined) return 'x- members';
  const whole = ['examples', 'example', 'links', 'callbacks', 'externalDocs', 'encoding', 'discriminator'];
  const known = tokens.find((token) => whole.includes(token) || token === 'xml' || token === 'headers');
  if (known !== undefined) return known === 'headers' ? 'headers of answers' : known;
  const name = tokens.findLast((token) => !/^\d+$/.test(token)) ?? '';
  return `${kind.replace(' object', '')} ${name}`;
}
