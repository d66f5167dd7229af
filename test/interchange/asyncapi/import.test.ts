import { describe, expect, it } from 'vitest';
import { at } from '../../../src/source/text.ts';
import { faultsOf, imported, lossesOf, partOf, problemsIn, three, two } from './described.ts';

/** A description in version 3 with one channel, whose messages are all sent, and some components. */
function sending(messages: string, components = '{}'): string {
  return `
asyncapi: 3.0.0
info: { title: A, version: "1" }
channels: { all: { messages: ${messages} } }
operations: { tell: { action: send, channel: { $ref: "#/channels/all" } } }
components: ${components}
`;
}

const kindsOf = (content: string): Record<string, { body: string; by: string }> =>
  (partOf(imported(content), 'events') as { kinds: Record<string, { body: string; by: string }> }).kinds;

describe.each([
  ['2.6', two],
  ['3.0', three],
])('a description of AsyncAPI %s', (_, content) => {
  it('is one by the rules of a validator', async () => {
    expect(await problemsIn(content)).toEqual([]);
  });

  it('becomes kinds of events, with named shapes of what they tell', () => {
    const found = imported(content);
    expect(faultsOf(found)).toEqual([]);
    expect(partOf(found, 'service')).toEqual({
      purpose: 'Tells what becomes of orders.',
      description: 'version: 1',
    });
    expect(partOf(found, 'resources')).toEqual({
      Line: {
        identifier: '(none)',
        fields: { article: { type: 'string' }, amount: { type: 'integer', minimum: 1 } },
      },
      OrderPlaced: {
        identifier: '(none)',
        fields: { id: { type: 'string', format: 'uuid' }, lines: { type: 'array', items: 'Line' } },
        required: ['id'],
      },
    });
    expect(partOf(found, 'events')).toMatchObject({
      kinds: {
        'order.placed': {
          by: '(open) what brings it about: An order was placed?',
          body: '(open) which OrderPlaced does it tell?',
        },
      },
    });
    expect([...found.parts.keys()]).toEqual(['service', 'resources', 'events']);
  });

  it('asks how the events of a channel get to its address', () => {
    const { delivery } = partOf(imported(content), 'events') as { delivery: object };
    expect(Object.values(delivery)).toEqual([
      '(open) how does order.placed get to orders.{place}.placed by nats?',
    ]);
  });

  it('keeps what people read of messages and channels', () => {
    const [ofMessage, ofChannel] = imported(content).prose.get('events') ?? [];
    expect(ofMessage).toBe('- `order.placed`: Order placed. An order was placed.');
    expect(ofChannel).toMatch(/^- `(placed|orders-place-placed)`: Orders as they come\.$/);
  });

  it('loses what the language has no word for, each with its place', () => {
    const channel = content === two ? '/channels/orders.{place}.placed' : '/channels/placed';
    const [received, operation] =
      content === two
        ? [`${channel}/publish/message`, `${channel}/subscribe`]
        : [`${channel}/messages/order.cancel`, '/operations/tellPlaced'];
    expect(lossesOf(imported(content))).toEqual([
      '1 dropped the version of the description /info/version',
      '1 gap a correlation id /components/messages/Placed/correlationId',
      `1 gap a message that the service receives ${received}`,
      `1 gap a parameter of an address ${channel}/parameters/place`,
      '1 gap a security scheme /components/securitySchemes/user',
      '1 gap a server /servers/main',
      '1 gap header fields of a message /components/messages/Placed/headers',
      '1 open which values an event tells, its shape being stated /components/messages/Placed/payload',
      '1 prose examples of a message /components/messages/Placed/examples',
      `1 prose tags ${operation}/tags`,
      `2 gap bindings of a protocol ${channel}/bindings/nats`,
    ]);
  });

  it('points into its own lines', () => {
    const events = imported(content).parts.get('events');
    const kinds = events && 'entries' in events ? events.entries.get('kinds') : undefined;
    const kind = kinds && 'entries' in kinds ? kinds.entries.get('order.placed') : undefined;
    const line = content.split('\n').findIndex((each) => each.includes('name: order.placed')) + 1;
    expect(kind && at(kind.at)).toBe(`dir/events.yaml:${line}:7`);
  });
});

describe('a message', () => {
  it('is called by its name, else by its key; a name that no kind can have is made one', () => {
    const content = sending(
      '{ a: { name: b.made, payload: true }, "user/signed up": { payload: true }, "1": { payload: true } }',
    );
    expect(Object.keys(kindsOf(content))).toEqual(['b.made', 'user-signed-up', 'event']);
    expect(lossesOf(imported(content))).toContainEqual(
      '2 spelling a name that no kind of event can have /channels/all/messages/user~1signed up',
    );
  });

  it('of version 2 without a name is called by its operation, and several stand in oneOf', () => {
    const of = (message: string, operation = ''): string[] =>
      Object.keys(
        kindsOf(
          `asyncapi: 2.0.0\ninfo: { title: A, version: "1" }\nchannels: { a/b: { subscribe: { ${operation} message: ${message} } } }`,
        ),
      );
    expect(of('{ payload: { type: string } }', 'operationId: tellB,')).toEqual(['tellB']);
    expect(of('{ payload: { type: string } }')).toEqual(['a-b']);
    expect(of('{ oneOf: [{ name: x, payload: true }, { messageId: y, payload: true }] }')).toEqual([
      'x',
      'y',
    ]);
  });

  it('with the name of another is one kind with it exactly if it is the same', () => {
    const both = (second: string): string[] =>
      Object.keys(kindsOf(sending(`{ a: { name: n, payload: { type: string } }, b: ${second} }`)));
    expect(both('{ name: n, title: N, payload: { type: string } }')).toEqual(['n']);
    expect(both('{ name: n, payload: { type: integer } }')).toEqual(['n', 'n2']);
  });

  it('that refers to a schema of the components tells that, by its name', () => {
    const content = sending(
      '{ made: { payload: { $ref: "#/components/schemas/thing" } } }',
      '{ schemas: { thing: { type: object, properties: { a: { type: string } } } } }',
    );
    expect(kindsOf(content)['made']?.body).toBe('(open) which Thing does it tell?');
  });

  it('tells a shape that is no object by name, too', () => {
    const found = imported(sending('{ counted: { payload: { type: integer, minimum: 0 } } }'));
    expect(faultsOf(found)).toEqual([]);
    expect(partOf(found, 'resources')).toEqual({
      Counted: { identifier: '(none)', type: 'integer', minimum: 0 },
    });
    expect(partOf(found, 'events')).toMatchObject({
      kinds: { counted: { body: '(open) which Counted does it tell?' } },
    });
  });

  it('of CloudEvents alone states the envelope, and its data is what is told', () => {
    const event = (type: string): string =>
      `{ contentType: ${type}, payload: { type: object, properties: { id: { type: string }, data: { type: object, properties: { total: { type: number } } } } } }`;
    const found = imported(sending(`{ paid: ${event('application/cloudevents+json')} }`));
    expect(faultsOf(found)).toEqual([]);
    expect(partOf(found, 'resources')).toMatchObject({ Paid: { fields: { total: { type: 'number' } } } });
    expect(partOf(found, 'events')).toMatchObject({ envelope: 'cloudevents' });
    const mixed = imported(
      sending(`{ paid: ${event('application/cloudevents+json')}, other: ${event('application/json')} }`),
    );
    expect(partOf(mixed, 'events')).not.toHaveProperty('envelope');
  });

  it('has what its traits say: in version 3 it comes first, in version 2 the trait does', () => {
    const traits =
      '{ messageTraits: { t: { name: of.trait, summary: From a trait, headers: { type: object } } } }';
    const message = '{ name: own, traits: [{ $ref: "#/components/messageTraits/t" }], payload: true }';
    const content = sending(`{ m: ${message} }`, traits);
    expect(kindsOf(content)).toMatchObject({ own: { by: '(open) what brings it about: From a trait?' } });
    expect(lossesOf(imported(content))).toContainEqual(
      '1 gap header fields of a message /components/messageTraits/t/headers',
    );
    const older = `asyncapi: 2.4.0\ninfo: { title: A, version: "1" }\nchannels: { c: { subscribe: { message: ${message} } } }\ncomponents: ${traits}`;
    expect(Object.keys(kindsOf(older))).toEqual(['of.trait']);
  });

  it('has its schema in another language as a loss, and nothing in it is read', () => {
    const avro = 'application/vnd.apache.avro;version=1.9.0';
    const schema = '{ type: record, fields: [{ $ref: none.avsc }] }';
    const three = imported(sending(`{ m: { payload: { schemaFormat: ${avro}, schema: ${schema} } } }`));
    const two = imported(
      `asyncapi: 2.0.0\ninfo: { title: A, version: "1" }\nchannels: { m: { subscribe: { message: { schemaFormat: ${avro}, payload: ${schema} } } } }`,
    );
    for (const [found, place] of [
      [three, '/channels/all/messages/m'],
      [two, '/channels/m/subscribe/message'],
    ] as const) {
      expect(partOf(found, 'events')).toMatchObject({
        kinds: { m: { body: '(open) which values does it tell?' } },
      });
      expect(lossesOf(found)).toContainEqual(`1 gap a schema in ${avro} ${place}`);
    }
  });

  it('has its schema in the words of OpenAPI or JSON Schema read', () => {
    const schema = '{ type: object, properties: { a: { type: string, nullable: true } } }';
    const format = 'application/vnd.oai.openapi+yaml;version=3.0.0';
    const found = imported(sending(`{ m: { payload: { schemaFormat: "${format}", schema: ${schema} } } }`));
    expect(partOf(found, 'resources')).toMatchObject({ M: { fields: { a: { type: ['string', 'null'] } } } });
  });

  it('of an older JSON Schema says of each of the first elements what it looks like', () => {
    const pair = '{ type: array, items: [{ type: string }, { type: integer }], additionalItems: false }';
    expect(partOf(imported(sending(`{ m: { payload: ${pair} } }`)), 'resources')).toEqual({
      M: {
        identifier: '(none)',
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'integer' }],
        items: false,
      },
    });
  });
});

describe('what nothing says is sent', () => {
  it('is a loss: channels, messages and components that no operation uses', () => {
    const found = imported(`
asyncapi: 3.0.0
info: { title: A, version: "1" }
channels: { idle: { address: idle, messages: { a: { payload: true } } } }
components:
  messages: { b: { payload: true } }
  correlationIds: { c: { location: $message.header#/c } }
x-ours: { any: thing }
`);
    expect(partOf(found, 'events')).toBeUndefined();
    expect(lossesOf(found)).toEqual([
      '1 dropped a component that nothing uses, in correlationIds /components/correlationIds/c',
      '1 dropped a component that nothing uses, in messages /components/messages/b',
      '1 dropped an extension /x-ours',
      '1 dropped the version of the description /info/version',
      '1 gap a channel that no operation uses /channels/idle',
      '1 gap a message that no operation uses /channels/idle/messages/a',
    ]);
  });

  it('is a loss where it is a key that AsyncAPI does not have, or a list', () => {
    const keys = 'constructor: 1, servers: [main], x-tacet-stated: no, tags: []';
    const content = `asyncapi: 2.6.0\ninfo: { title: A }\nchannels: { c: { ${keys}, publish: {} } }\n`;
    expect(lossesOf(imported(content))).toEqual([
      '1 dropped an extension /channels/c/x-tacet-stated',
      '1 dropped the key constructor /channels/c/constructor',
      '1 gap a server /channels/c/servers',
    ]);
    const head = `${three}\nx-tacet-events-kinds: { mine: { by: [a] } }\n`;
    expect(partOf(imported(head), 'events')).toEqual(partOf(imported(three), 'events'));
  });

  it('and what the description of a service has elsewhere is no endpoint and no scheme', () => {
    const content = `${three}\npaths: { /a: { get: { responses: { "200": { description: it } } } } }\nwebhooks: { w: { post: {} } }\n`;
    expect([...imported(content).parts.keys()]).toEqual(['service', 'resources', 'events']);
  });
});
