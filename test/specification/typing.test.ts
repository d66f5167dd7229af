import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { document, faults, places } from './documents.ts';

type Parts = Parameters<typeof document>[0];

const todo = 'Todo: { identifier: id, fields: { id: { type: string }, title: { type: string } } }';
const with_ = (further: Parts): string => document({ head: 'complete: true', resources: todo, ...further });

describe('an expression that does not fit points at its words, in the Markdown', () => {
  const line = (content: string, of: string): number =>
    content.split('\n').findIndex((one) => one.includes(of)) + 1;

  it('within quotation marks, text and indents', () => {
    const content = [
      '# A',
      '',
      '1. in a list',
      '',
      '   ## not a part',
      '',
      '## Resources',
      '',
      '  ```yaml',
      '  Todo:',
      '    identifier: id',
      '    fields:',
      '      id: { set: { create: "𝒳 ${this.titel}" } }',
      '      title: { type: string }',
      '      url:',
      "        derived: '/${ nobody }/x'",
      '  ```',
    ].join('\n');
    expect(places(content)).toEqual([
      `${line(content, 'titel')}:${'      id: { set: { create: "𝒳 ${'.length + 1} expression-type`,
      `${line(content, 'nobody')}:${"        derived: '/${ ".length + 1} expression-type`,
    ]);
  });

  it.each<[string, Parts, string]>([
    [
      'an answer’s body',
      {
        endpoints:
          'GET /{id}: { does: read Todo, response: { status: 200, body: { a: ["${this.titel}"] } } }',
      },
      'expression-type: this.titel',
    ],
    [
      'a header',
      {
        endpoints:
          'GET /{id}: { does: read Todo, response: { status: 200, headers: { X: "a ${this.titel}" } } }',
      },
      'expression-type: this.titel',
    ],
    [
      'when',
      {
        endpoints: 'GET /{id}: { does: read Todo, response: [{ when: "${this.titel}", status: 200 }, 204] }',
      },
      'expression-type: this.titel',
    ],
    [
      'when, of no truth',
      {
        endpoints: 'GET /{id}: { does: read Todo, response: [{ when: "${this.title}", status: 200 }, 204] }',
      },
      'expression-type: this.title',
    ],
    [
      'a list has no this',
      { endpoints: 'GET /: { does: list Todo, response: { status: 200, body: "${this.id}" } }' },
      'expression-type: this',
    ],
    [
      'an item has no page',
      { endpoints: 'GET /{id}: { does: read Todo, response: { status: 200, body: "${page.items}" } }' },
      'expression-type: page',
    ],
    [
      'a list in text',
      { endpoints: 'GET /: { does: list Todo, response: { status: 200, body: "x ${page.items}" } }' },
      'expression-type: page.items',
    ],
    [
      'a set',
      { resources: 'Todo: { identifier: id, fields: { id: { set: { create: "${this.x}" } } } }' },
      'expression-type: this.x',
    ],
    [
      'what derives makes nothing',
      { resources: 'Todo: { fields: { a: { derived: "${uuid()}" } } }' },
      'expression-type: uuid()',
    ],
    [
      'a shape as an answer',
      {
        resources: `${todo}\nText: { identifier: (none), type: string }`,
        endpoints: 'GET /{id}: { does: read Todo, response: { status: 200, body: Text } }',
      },
      'expression-type: Text',
    ],
    [
      'a payload',
      { errors: 'payload: { body: { a: "${error.massage}" } }' },
      'expression-type: error.massage',
    ],
    [
      'a row’s message',
      { errors: 'codes: { c: { when: malformed, message: "${error.cod}" } }' },
      'expression-type: error.cod',
    ],
    [
      'a row’s extra',
      { errors: 'codes: { c: { when: malformed, extra: { a: "${error.cod}" } } }' },
      'expression-type: error.cod',
    ],
    [
      'a row’s header',
      { errors: 'codes: { c: { when: malformed, headers: { A: "${error.cod}" } } }' },
      'expression-type: error.cod',
    ],
    ['a message', { errors: 'messages: { type: "${error.limits}" }' }, 'expression-type: error.limits'],
    [
      'a condition',
      {
        endpoints: 'GET /{id}: { operation: one, does: read Todo }',
        errors: 'codes: { c: { when: "${this.titel == 1}", operations: [one] } }',
      },
      'expression-type: this.titel',
    ],
    [
      'a condition of no truth',
      { errors: 'codes: { c: { when: "${request.method}" } }' },
      'expression-type: request.method',
    ],
    ['in syntax', { resources: 'Todo: { fields: { a: { derived: "${1 +}" } } }' }, 'expression-syntax: '],
    [
      'in part 3',
      { states: 'Todo.title: { transitions: { a: { from: a, to: b, when: always } } }' },
      'not-an-expression: always',
    ],
  ])('%s', (_what, further, expected) => {
    expect(faults(with_(further))[0]).toBe(expected);
  });

  it('and what fits is none, with every name of its place', () => {
    const names = ['this.title', 'old', 'outcome', 'request.method', 'actor', 'service.url', 'now'];
    const body = names.map((name, index) => `m${index}: "\${${name}}"`).join(', ');
    expect(
      faults(
        with_({ endpoints: `GET /{id}: { does: read Todo, response: { status: 200, body: { ${body} } } }` }),
      ),
    ).toEqual([]);
    const page = ['items', 'total', 'size', 'offset', 'number', 'next', 'previous', 'links'];
    const list = page.map((name) => `${name}: "\${page.${name}}"`).join(', ');
    expect(
      faults(
        with_({ endpoints: `GET /: { does: list Todo, response: { status: 200, body: { ${list} } } }` }),
      ),
    ).toEqual([]);
    const error = ['code', 'status', 'message', 'field', 'extra', 'operation', 'failures', 'fields'];
    const payload = error.map((name) => `${name}: "\${error.${name}}"`).join(', ');
    expect(faults(with_({ errors: `payload: { body: { ${payload} } }` }))).toEqual([]);
  });
});

describe('what a field is set to, or derived from, is of its type (language §A.4, §H.2)', () => {
  const field = (a: string) =>
    document({ resources: `Todo: { identifier: id, fields: { id: {}, a: ${a} } }` });

  it.each([
    ['{ type: string, set: { create: [x] } }', 'wrong-kind: [x]'],
    ['{ type: string, set: { update: ["${uuid()}"] } }', 'wrong-kind: ["${uuid()}"]'],
    ['{ type: string, taken: { b: "${value}" } }', 'wrong-kind: { b: "${value}" }'],
    ['{ type: string, format: date-time, set: { create: [[[]]] } }', 'wrong-kind: [[[]]]'],
    ['{ refers: Todo, set: { create: { b: "${now}" } } }', 'wrong-kind: { b: "${now}" }'],
    ['{ type: string, derived: 5 }', 'wrong-kind: 5'],
    ['{ type: integer, derived: ["${this.id}"] }', 'wrong-kind: ["${this.id}"]'],
    ['{ type: boolean, derived: "${now}" }', 'expression-type: now'],
  ])('%s', (written, fault) => {
    expect(faults(field(written))).toEqual([fault]);
  });

  it.each([
    '{ type: array, set: { create: ["${uuid()}"] } }',
    '{ type: object, derived: { at: "${this.id}" } }',
    '{ type: string, derived: "/${this.id}" }',
    '{ type: string, set: { create: { handled: name } } }',
    '{ derived: [1] }',
  ])('but: %s', (written) => {
    expect(faults(field(written))).toEqual([]);
  });
});

describe('what needs itself is refused', () => {
  const resource = (a: string, b: string) =>
    document({
      resources: `Todo: { identifier: id, fields: { id: { type: string }, a: { ${a} }, b: { ${b} } } }`,
    });
  const circles = (content: string) =>
    read('x.md', content).diagnostics.map((one) => `${one.code}: ${one.message.split(': ')[1]}`);

  it('fields that are worked out from one another', () => {
    expect(circles(resource('derived: "${this.b}"', 'derived: "${this.a}"'))).toEqual([
      'circle: Todo.a → Todo.b → Todo.a',
    ]);
    expect(circles(resource('set: { create: "${this.a}" }', ''))).toEqual(['circle: Todo.a → Todo.a']);
    expect(circles(resource('set: { create: "${this.b}" }', 'derived: "${this.a}"'))).toHaveLength(1);
    expect(circles(resource('derived: "${Todo(this)}"', ''))).toEqual(['circle: Todo.a → Todo(…) → Todo.a']);
    expect(circles(resource('derived: "${this.b}"', 'set: { create: x }'))).toEqual([]);
  });

  it('keys that refer to one another', () => {
    const keys = (a: string, b: string) =>
      document({
        resources: `A: { identifier: id, fields: { id: { ${a} }, b: { refers: B } } }\nB: { identifier: [id, n], fields: { id: { ${b} }, n: { type: string } } }`,
      });
    expect(circles(keys('refers: B', 'refers: A'))).toEqual(['circle: A.id → B.id → A.id']);
    expect(circles(keys('refers: A', 'type: string'))).toEqual(['circle: A.id → A.id']);
    expect(circles(keys('refers: A.b, unique: true', 'refers: A.id'))).toHaveLength(1);
    expect(circles(keys('refers: B', 'type: string'))).toEqual([]);
  });

  it('shapes that consist of one another', () => {
    const shapes = (a: string, b: string) =>
      document({ resources: `A: { identifier: (none), ${a} }\nB: { identifier: (none), ${b} }` });
    expect(circles(shapes('allOf: [B]', 'not: A'))).toEqual(['circle: A → B → A']);
    expect(circles(shapes('dependentSchemas: { x: A }', 'type: string'))).toEqual(['circle: A → A']);
    expect(circles(shapes('items: B', 'items: A'))).toEqual([]);
    expect(circles(shapes('fields: { a: A }', 'anyOf: [A, { type: string }]'))).toEqual([]);
  });
});
