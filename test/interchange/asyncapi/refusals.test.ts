import { describe, expect, it } from 'vitest';
import { readAsyncApi } from '../../../src/interchange/asyncapi/description.ts';
import { importDescriptions } from '../../../src/interchange/openapi/import.ts';
import { remedies, Unreadable } from '../../../src/interchange/openapi/unreadable.ts';
import { at } from '../../../src/source/text.ts';

const head = 'asyncapi: 3.0.0\ninfo: { title: A, version: "1" }\n';
const older = 'asyncapi: 2.6.0\ninfo: { title: A, version: "1" }\n';
const operation = 'operations: { tell: { action: send, channel: { $ref: "#/channels/all" } } }\n';

/** A description whose third line says that a message of a channel is sent. */
const sent = (message: string): string =>
  `${head}channels: { all: { messages: { m: ${message} } } }\n${operation}`;

/** How a description is refused: place, code and message. */
function refused(content: string, files: Readonly<Record<string, string>> = {}): string {
  try {
    importDescriptions([readAsyncApi('events.yaml', content, (path) => files[path] ?? null)]);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    expect(remedies[error.code]).toMatch(/\w{4}/);
    return `${at(error.at)} ${error.code}: ${error.message}`;
  }
  return 'read';
}

describe('a description of AsyncAPI that cannot be read is refused', () => {
  it.each([
    [
      'asyncapi: 1.2.0\n',
      '1:11 description-version: AsyncAPI 1.2.0 is not read, but 2.0 to 2.6, 3.0 and 3.1 are',
    ],
    ['asyncapi: 4.0.0\n', '1:11 description-version: AsyncAPI 4.0.0 is not read'],
    ['asyncapi: 2.7.0\n', '1:11 description-version: AsyncAPI 2.7.0 is not read'],
    ['asyncapi: {}\n', '1:11 description-version: AsyncAPI of no version is not read'],
    ['- asyncapi: 3.0.0\n', '1:1 description-form: a description is a map with the key asyncapi'],
    ['asyncapi: 3.0.0\ninfo: [\n', '3:1 description-syntax: this is no YAML'],
    ['asyncapi: 3.0.0\ninfo: *a\n', '2:7 description-syntax: *a is no anchor'],
    [
      `asyncapi: 3.0.0\nx-a: ${'['.repeat(300)}${']'.repeat(300)}\n`,
      '2:206 description-size: values stand in more than 200',
    ],
  ])('%j', (content, message) => {
    expect(refused(content)).toContain(`events.yaml:${message}`);
  });

  it.each([
    [`${head}channels: []\n`, '3:11 description-form: channels is a map, and this is a list'],
    [`${head}channels: all\n`, '3:11 description-form: channels is a map, and this is a single value, all'],
    [`${head}channels: { all: 5 }\n`, '3:18 description-form: all is a map, and this is a single value, 5'],
    [
      `${head}channels: { all: { messages: [] } }\n${operation}`,
      '3:30 description-form: messages is a map, and this is a list',
    ],
    [sent('7'), '3:35 description-form: a message is a map, and this is a single value, 7'],
    [`${head}operations: 1\n`, '3:13 description-form: operations is a map'],
    [`${head}info: 1\n`.replace('info: {', 'x-info: {'), '3:7 description-form: info is a map'],
    [`${head}components: []\n`, '3:13 description-form: components is a map'],
    [
      `${head}channels: { all: {} }\n${operation.replace('send', 'shout')}`,
      '4:31 description-form: action is send or receive, and this is a single value, shout',
    ],
    [
      `${head}channels: { all: {} }\n${operation.replace('action: send, ', '')}`,
      '4:21 description-form: action is send or receive, and this is a map',
    ],
    [
      `${head}channels: { all: {} }\n${operation.replace('send,', 'send, messages: all,')}`,
      '4:47 description-form: messages is a list of references to messages of the channel, and this is a single value, all',
    ],
    [`${older}channels: { all: { subscribe: 1 } }\n`, '3:31 description-form: subscribe is a map'],
    [
      `${older}channels: { all: { subscribe: { message: 1 } } }\n`,
      '3:42 description-form: a message is a map',
    ],
    [
      `${head}servers: []\nchannels: { all: { messages: { m: {} } } }\n${operation}`,
      '3:10 description-form: servers is a map',
    ],
  ])('%j: something has the wrong form', (content, message) => {
    expect(refused(content)).toContain(`events.yaml:${message}`);
  });

  it.each([
    [
      sent('{ $ref: "#/components/messages/None" }'),
      '3:43 description-reference: #/components/messages/None is nowhere in the description',
    ],
    [
      sent('{ payload: { $ref: "#/components/schemas/None" } }'),
      '3:54 description-reference: #/components/schemas/None is nowhere',
    ],
    [
      sent('{ payload: { $ref: none.yaml } }'),
      '3:54 description-reference: none.yaml: there is no file none.yaml',
    ],
    [
      sent('{ payload: { $ref: "other.yaml#/none" } }'),
      '3:54 description-reference: other.yaml#/none is nowhere in other.yaml',
    ],
    [
      sent('{ payload: { $ref: ../a.yaml } }'),
      '3:54 description-reference: ../a.yaml leads out of the folder',
    ],
    [
      sent('{ payload: { $ref: "https://a.example/a.yaml" } }'),
      '3:54 description-reference: https://a.example/a.yaml is at another address, and nothing is fetched',
    ],
    [
      sent('{ $ref: "#/channels/all/messages/m" }'),
      '3:43 description-cycle: #/channels/all/messages/m refers to itself',
    ],
    [
      `${sent('{ payload: { $ref: "#/components/schemas/A" } }')}components: { schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } } }\n`,
      '5:76 description-cycle: #/components/schemas/A refers to itself',
    ],
    [sent('{ $ref: a.yaml }'), 'description-cycle: b.yaml refers to itself'],
  ])('%j: a reference leads nowhere', (content, message) => {
    const files = { 'other.yaml': 'a: 1\n', 'a.yaml': '{ $ref: b.yaml }\n', 'b.yaml': '{ $ref: a.yaml }\n' };
    expect(refused(content, files)).toContain(message);
  });
});

describe('a schema that holds itself', () => {
  it('by its name, or by allOf, is no cycle of references', () => {
    const schema = '{ type: object, properties: { a: { $ref: "#/components/schemas/A" } } }';
    const message = '{ payload: { $ref: "#/components/schemas/A" } }';
    expect(refused(`${sent(message)}components: { schemas: { A: ${schema} } }\n`)).toBe('read');
    const whole = '{ allOf: [{ $ref: "#/components/schemas/A" }] }';
    expect(refused(`${sent(message)}components: { schemas: { A: ${whole} } }\n`)).toBe('read');
  });
});
