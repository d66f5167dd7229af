import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readAsyncApi } from '../../../src/interchange/asyncapi/description.ts';
import type { ReadFile } from '../../../src/interchange/openapi/description.ts';
import { type Imported, importDescriptions, outlined } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import { readOutlined } from '../../../src/specification/read.ts';
import type { Part } from '../../../src/specification/reading/address.ts';

/** What an AsyncAPI description says in each of the two forms: the same. */
export const two = `
asyncapi: 2.6.0
info: { title: Orders, version: "1", description: Tells what becomes of orders. }
servers:
  main: { url: broker.example, protocol: nats, security: [{ user: [] }] }
channels:
  orders.{place}.placed:
    description: Orders as they come
    parameters: { place: { schema: { type: string } } }
    bindings: { nats: {}, amqp: { is: queue } }
    subscribe:
      operationId: tellPlaced
      tags: [{ name: a }]
      message: { $ref: "#/components/messages/Placed" }
    publish:
      message: { name: order.cancel, payload: { type: object, properties: { id: { type: string } } } }
components:
  messages:
    Placed:
      name: order.placed
      title: Order placed
      summary: An order was placed
      contentType: application/json
      headers: { type: object, properties: { trace: { type: string } } }
      correlationId: { location: $message.header#/trace }
      examples: [{ payload: { id: x } }]
      payload:
        type: object
        required: [id]
        properties:
          id: { type: string, format: uuid }
          lines: { type: array, items: { $ref: "#/components/schemas/Line" } }
  schemas:
    Line: { type: object, properties: { article: { type: string }, amount: { type: integer, minimum: 1 } } }
  securitySchemes: { user: { type: userPassword } }
`;

export const three = `
asyncapi: 3.0.0
info: { title: Orders, version: "1", description: Tells what becomes of orders. }
servers:
  main: { host: broker.example, protocol: nats, security: [{ $ref: "#/components/securitySchemes/user" }] }
channels:
  placed:
    address: orders.{place}.placed
    description: Orders as they come
    parameters: { place: {} }
    bindings: { nats: {}, amqp: { is: queue } }
    messages:
      order.placed: { $ref: "#/components/messages/Placed" }
      order.cancel: { payload: { type: object, properties: { id: { type: string } } } }
operations:
  tellPlaced:
    action: send
    channel: { $ref: "#/channels/placed" }
    tags: [{ name: a }]
    messages: [{ $ref: "#/channels/placed/messages/order.placed" }]
  hearCancel:
    action: receive
    channel: { $ref: "#/channels/placed" }
    messages: [{ $ref: "#/channels/placed/messages/order.cancel" }]
${two.slice(two.indexOf('components:'))}`;

export function imported(content: string, readFile?: ReadFile): Imported {
  return importDescriptions([readAsyncApi('dir/events.yaml', content, readFile)]);
}

/** A part as it is stated; undefined: nothing is. */
export function partOf({ parts }: Imported, name: Part): unknown {
  const piece = parts.get(name);
  return piece && jsonOf(piece);
}

/** What the reader of documents finds wrong with it. */
export function faultsOf(of: Imported): readonly string[] {
  return readOutlined('x.yaml', outlined(of)).diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

/** What is lost, each with its first place: `gap  a server  /servers/main`. */
export function lossesOf({ losses }: Imported): readonly string[] {
  return losses
    .counts()
    .map(({ kind, what, pointer, count }) => `${count} ${kind} ${what} ${pointer}`)
    .sort();
}

/** What a validator finds wrong with a description. */
export async function problemsIn(source: string): Promise<readonly string[]> {
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
  const problems = await lintFromString({ source, absoluteRef: '/asyncapi.yaml', config });
  return problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`);
}
