import { describe, expect, it } from 'vitest';
import { importOpenApi } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import { Unreadable } from '../../../src/interchange/openapi/unreadable.ts';
import { at } from '../../../src/source/text.ts';

const main = `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders: { $ref: paths/orders.yaml }
  /orders/{id}: { $ref: "paths/all.yaml#/~1orders~1{id}" }
components:
  schemas:
    Order: { $ref: schemas/order.yaml }
    Money: { type: object, properties: { amount: { type: integer } } }
`;

const files: Readonly<Record<string, string>> = {
  'paths/orders.yaml': `
post:
  operationId: addOrder
  requestBody: { required: true, content: { application/json: { schema: { $ref: ../schemas/order.yaml } } } }
  responses: { "201": { $ref: "../answers.yaml#/made" } }
`,
  'paths/all.yaml': `
/orders/{id}:
  parameters: [{ $ref: "#/id" }]
  get: { operationId: readOrder, responses: { "200": { $ref: "../answers.yaml#/made" } } }
id: { name: id, in: path, required: true, schema: { type: string } }
`,
  'answers.yaml': `
made: { description: it, content: { application/json: { schema: { $ref: schemas/order.yaml } } } }
`,
  'schemas/order.yaml': `
type: object
properties:
  id: { type: string, readOnly: true }
  total: { $ref: "../shop.yaml#/components/schemas/Money" }
  lines: { type: array, items: { $ref: "line.yaml#/OrderLine" } }
  example: { type: string }
required: [lines]
`,
  'schemas/line.yaml': `
OrderLine: { type: object, properties: { article: { type: string }, parts: { type: array, items: { $ref: "#/OrderLine" } } } }
`,
};

const imported = (
  content = main,
  others: Readonly<Record<string, string>> = files,
): ReturnType<typeof importOpenApi> =>
  importOpenApi('dir/shop.yaml', content, (path) => others[path] ?? null);

describe('a description in several files', () => {
  it('has the paths, answers and parameters of the other files', () => {
    const endpoints = imported().parts.get('endpoints');
    expect(endpoints && jsonOf(endpoints)).toMatchObject({
      'POST /orders': {
        operation: 'addOrder',
        request: { body: 'Order' },
        response: { status: 201, shape: 'Order' },
      },
      'GET /orders/{id}': { operation: 'readOrder', response: { status: 200, shape: 'Order' } },
    });
  });

  it('names a schema as the description names it, else as it is called there', () => {
    const resources = imported().parts.get('resources');
    const all = (resources ? jsonOf(resources) : {}) as Record<string, { fields: object }>;
    expect(Object.keys(all)).toEqual(['Order', 'Money', 'OrderLine']);
    expect(all['Order']?.fields).toMatchObject({
      total: 'Money',
      lines: { type: 'array', items: 'OrderLine' },
      example: { type: 'string' },
    });
    expect(all['OrderLine']?.fields).toMatchObject({ parts: { type: 'array', items: 'OrderLine' } });
  });

  it('points into the file in which something stands', () => {
    const endpoints = imported().parts.get('endpoints');
    const add = endpoints && 'entries' in endpoints ? endpoints.entries.get('POST /orders') : undefined;
    expect(add && at(add.at)).toMatch(/^dir\/paths\/orders\.yaml:\d+:\d+$/);
  });

  it.each([
    ['paths/none.yaml', /there is no file paths\/none\.yaml/],
    ['"paths/all.yaml#/none"', /is nowhere in paths\/all\.yaml/],
    ['../other.yaml', /leads out of the folder/],
    ['/etc/other.yaml', /leads out of the folder/],
    ['https://shop.example/paths.yaml', /at another address, and nothing is fetched/],
  ])('refuses a reference to %s, and says where it stands', (ref, message) => {
    const content = main.replace('paths/orders.yaml', ref);
    try {
      imported(content);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Unreadable);
      expect((error as Unreadable).message).toMatch(message);
      expect(at((error as Unreadable).at)).toMatch(/^dir\/shop\.yaml:4:/);
    }
  });

  it('refuses files that refer to one another without end', () => {
    const others = { 'a.yaml': '{ $ref: b.yaml }', 'b.yaml': '{ $ref: a.yaml }' };
    expect(() => imported(main.replace('paths/orders.yaml', 'a.yaml'), { ...files, ...others })).toThrow(
      /refers to itself/,
    );
  });

  it('refuses files that make more of a few than anybody reads', () => {
    const names = Array.from({ length: 30 }, (_, at) => `f${at}.yaml`);
    const more = names.map((name, at) => {
      const to = names[at + 1] ?? 'answers.yaml';
      return [name, `{ a: { $ref: ${to} }, b: { $ref: ${to} } }`] as const;
    });
    const others = { ...files, ...Object.fromEntries(more) };
    expect(() => imported(main.replace('paths/orders.yaml', 'f0.yaml'), others)).toThrow(/for more than/);
  });

  it('refuses a reference whose percent signs encode nothing', () => {
    expect(() => imported(main.replace('paths/orders.yaml', '"a%zz.yaml"'))).toThrow(/no file a%zz.yaml/);
    expect(() => imported(main.replace('paths/orders.yaml', '"#/a%zz"'))).toThrow(/is nowhere/);
  });

  it('follows no reference in an extension, but one of a header field that is called like one', () => {
    const content = main.replace('paths:', 'x-topics: [{ content: { $ref: none.md } }]\npaths:');
    expect(() => imported(content)).not.toThrow();
    const answers = 'made: { description: it, headers: { x-rate: { $ref: none.yaml } } }\n';
    expect(() => imported(main, { ...files, 'answers.yaml': answers })).toThrow(/no file none.yaml/);
  });

  it('takes nothing in an example, or in what people read, for a reference', () => {
    const read = main.replace('title: Shop', 'title: Shop, description: { $ref: shop.md }');
    expect(() => imported(read)).not.toThrow();
    const content = main.replace(
      '{ $ref: paths/orders.yaml }',
      '{ get: { responses: {} }, x-a: { example: { $ref: none.yaml } } }',
    );
    expect(() => imported(content)).not.toThrow();
  });
});
