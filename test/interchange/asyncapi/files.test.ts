import { describe, expect, it } from 'vitest';
import { readAsyncApi } from '../../../src/interchange/asyncapi/description.ts';
import { readDescription } from '../../../src/interchange/openapi/description.ts';
import { type Imported, importDescriptions } from '../../../src/interchange/openapi/import.ts';
import { documentText } from '../../../src/interchange/openapi/write.ts';
import { at } from '../../../src/source/text.ts';
import { faultsOf, imported, lossesOf, partOf, three } from './described.ts';

const main = `
asyncapi: 3.0.0
info: { title: Shop, version: "1" }
channels:
  a: { address: a, messages: { placed: { $ref: messages/placed.yaml } } }
  b: { address: b, messages: { placed: { $ref: messages/placed.yaml }, old: { payload: { $ref: schemas/order.json } } } }
operations:
  tellA: { action: send, channel: { $ref: "#/channels/a" } }
  tellB: { action: send, channel: { $ref: "#/channels/b" } }
`;

const files: Readonly<Record<string, string>> = {
  'messages/placed.yaml': 'summary: It was placed\npayload: { $ref: ../schemas/order.json }\n',
  'schemas/order.json':
    '{"type": "object", "properties": {"id": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#"}}}}',
};

describe('an AsyncAPI description in several files', () => {
  const found = imported(main, (path) => files[path] ?? null);

  it('has the messages and schemas of the other files, each once', () => {
    expect(faultsOf(found)).toEqual([]);
    expect(partOf(found, 'resources')).toEqual({
      Order: {
        identifier: '(none)',
        fields: { id: { type: 'string' }, parts: { type: 'array', items: 'Order' } },
      },
    });
    expect(partOf(found, 'events')).toMatchObject({
      kinds: {
        placed: {
          by: '(open) what brings it about: It was placed?',
          body: '(open) which Order does it tell?',
        },
        old: { body: '(open) which Order does it tell?' },
      },
      delivery: { a: '(open) how does placed get to a?', b: '(open) how do placed, old get to b?' },
    });
  });

  it('points into the file in which something stands', () => {
    const events = found.parts.get('events');
    const kinds = events && 'entries' in events ? events.entries.get('kinds') : undefined;
    const kind = kinds && 'entries' in kinds ? kinds.entries.get('placed') : undefined;
    expect(kind && at(kind.at)).toBe('dir/messages/placed.yaml:1:1');
  });
});

const openapi = `
openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /lines:
    get:
      responses:
        "200":
          description: lines
          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Line" } } } }
webhooks:
  order.late: { post: { requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } } }
components:
  schemas:
    Line: { type: object, description: A line, properties: { article: { type: string }, amount: { type: integer, minimum: 1 } } }
    Order: { type: object, properties: { number: { type: integer } } }
`;

function both(second = three, first = openapi): Imported {
  return importDescriptions([
    readDescription('dir/openapi.yaml', first),
    readAsyncApi('dir/events.yaml', second),
  ]);
}

describe('an OpenAPI and an AsyncAPI description together', () => {
  it('are one document, in which the first has the operations and both have events', () => {
    const found = both();
    expect(faultsOf(found)).toEqual([]);
    expect(Object.keys(partOf(found, 'endpoints') as object)).toEqual(['GET /lines']);
    expect(partOf(found, 'events')).toMatchObject({
      kinds: {
        'order.late': { body: '(open) which Order does it tell?' },
        'order.placed': { body: '(open) which OrderPlaced does it tell?' },
      },
      delivery: {
        webhooks: { webhook: '(open) which addresses is it sent to?' },
        placed: '(open) how does order.placed get to orders.{place}.placed by nats?',
      },
    });
    expect(documentText(found, null)).toContain(
      'From `openapi.yaml` (OpenAPI 3.1.0) and `events.yaml` (AsyncAPI 3.0.0), which say what is sent',
    );
  });

  it('share a schema exactly if both say the same of it', () => {
    const shapes = partOf(both(), 'resources') as Record<string, { fields: object }>;
    expect(Object.keys(shapes).sort()).toEqual(['Line', 'Order', 'OrderPlaced']);
    expect(shapes['OrderPlaced']?.fields).toMatchObject({ lines: { items: 'Line' } });
    const other = partOf(both(three.replace('minimum: 1', 'minimum: 2')), 'resources') as typeof shapes;
    expect(Object.keys(other).sort()).toEqual(['Line', 'Line2', 'Order', 'OrderPlaced']);
    expect(other['OrderPlaced']?.fields).toMatchObject({ lines: { items: 'Line2' } });
    expect(other['Line2']?.fields).toMatchObject({ amount: { minimum: 2 } });
    for (const more of ['article: {}, title: {', 'article: { minLength: 1,'])
      expect(partOf(both(three.replace('article: {', more)), 'resources')).toHaveProperty('Line2');
    const titled = (type: string, text: string): string =>
      text.replace('properties: { article', `properties: { title: { type: ${type} }, article`);
    const titles = (type: string): unknown =>
      partOf(both(titled(type, three), titled('string', openapi)), 'resources');
    expect(titles('integer')).toHaveProperty('Line2');
    expect(titles('string')).not.toHaveProperty('Line2');
  });

  it('share a kind of event of one name if both say the same of it; else that of the second is lost', () => {
    const same = 'order.late: { payload: { type: object, properties: { number: { type: integer } } } }';
    const late = (message: string): string =>
      three
        .replace('order.placed: { $ref: "#/components/messages/Placed" }', message)
        .replace('messages/order.placed', 'messages/order.late');
    expect(lossesOf(both(late(same))).filter((each) => each.includes('another event'))).toEqual([]);
    expect(lossesOf(both(late(same.replace('integer', 'string'))))).toContainEqual(
      '1 gap another event with the name of a kind dir/events.yaml#/webhooks/order.late/post',
    );
  });

  it('say of each loss and each message in which file it is', () => {
    expect(lossesOf(both())).toContainEqual('1 gap a server dir/events.yaml#/servers/main');
    const broken = three.replace('schemas/Line"', 'schemas/None"');
    const line = broken.split('\n').findIndex((each) => each.includes('schemas/None')) + 1;
    try {
      both(broken);
      expect.unreachable();
    } catch (error) {
      expect(at((error as { at: never }).at)).toMatch(new RegExp(`^dir/events.yaml:${line}:`));
    }
  });

  it('guesses that there are no events only if none of them has some', () => {
    const plain = openapi
      .replace(/webhooks:\n.*\n/, '')
      .replace(
        '/lines:',
        '/lines/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { "200": { description: it, content: { application/json: { schema: { $ref: "#/components/schemas/Line" } } } } } } }\n  /lines:',
      )
      .replace('article: {', 'id: { type: string }, article: {');
    const guessed = ({ guesses }: Imported): boolean => guesses.some((each) => each.at === 'events');
    expect(guessed(importDescriptions([readDescription('openapi.yaml', plain)]))).toBe(true);
    expect(guessed(both(three, plain))).toBe(false);
  });
});
