/** A tool as the protocol lists it: what an agent reads before it does anything, so each word counts. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
  readonly annotations: { readonly readOnlyHint: boolean };
}

const text = (description: string) => ({ type: 'string', description });

const document = text('The document (Markdown, YAML or JSON), or a folder of them');
const request = text('METHOD /path, such as GET /notes?done=true');
const headers = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Header fields',
};
const body = { description: 'The content, sent as JSON' };
const only = {
  type: 'array',
  items: { type: 'string' },
  description: 'Only these operations, or addresses of statements',
};

function tool(
  name: string,
  description: string,
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
  readOnlyHint = true,
): Described {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { document, ...properties },
      required: ['document', ...required],
      additionalProperties: false,
    },
    annotations: { readOnlyHint },
  };
}

/** The tools, at most ten. */
export const described: readonly Described[] = [
  tool(
    'status',
    'Which operations run, which wait for which open points, and what to answer first. Start here.',
    { part: text('One part alone, such as endpoints') },
    [],
  ),
  tool(
    'point',
    'What the document says at an address, whether it is stated, assumed or open, what it holds up, and what is usually stated there.',
    { address: text('Such as endpoints["POST /notes"].response.status') },
    ['address'],
  ),
  tool('check', 'Every fault of the document, with place, code and what to do.', {}, []),
  tool(
    'open_points',
    'The open points to answer, those that hold up most first, with offers. Ask the author; do not make answers up.',
    {},
    [],
  ),
  tool(
    'assume',
    'Answers an open point for the time being, in the ledger beside the document. The only tool that writes. An author answers in the document instead.',
    {
      address: text('The address of the point'),
      value: text('The value, as YAML or JSON'),
      because: text('Why, and who said so'),
    },
    ['address', 'value', 'because'],
    false,
  ),
  tool(
    'send',
    'Sends a request to the service that the document states. It starts with nothing stored, keeps what is stored between calls, and starts anew when the document changes.',
    { request, headers, body, as: text('The scheme whose operator credential the request carries') },
    ['request'],
    false,
  ),
  tool(
    'why',
    'What may come of a request, by which statements, with file and line. Nothing is sent.',
    {
      request,
      headers,
      body,
      as: text('Who sends it, with a good credential: a resource, or a name of the operator’s'),
    },
    ['request'],
  ),
  tool(
    'test',
    'Tests an implementation against the document; without url, the service of the document itself. It makes and deletes items there.',
    {
      url: text('Where the implementation is, on this machine'),
      only,
      bail: { type: 'boolean', description: 'End after the first violation' },
    },
    [],
    false,
  ),
  tool(
    'diff',
    'What the document states otherwise than at a revision of git, and what breaks clients.',
    { revision: text('Default: HEAD') },
    [],
  ),
  tool(
    'export',
    'The document as an OpenAPI 3.1 description, or its events as AsyncAPI.',
    { format: { enum: ['openapi', 'asyncapi'] } },
    [],
  ),
];
