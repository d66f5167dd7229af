import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { marker } from '../../src/specification/reading/said.ts';
import { document, faults, points, specification, words } from './documents.ts';

describe('a marker is a text', () => {
  it.each([
    ['(open)', { kind: 'open', question: null, asked: true }],
    ['(open) 200 or 204?', { kind: 'open', question: '200 or 204?', asked: true }],
    ['(open)\n  two\nlines', { kind: 'open', question: 'two\nlines', asked: true }],
    [' (none) ', { kind: 'none' }],
    ['(any)', { kind: 'any' }],
    ['(none) at all', undefined],
    ['(any)thing', undefined],
    ['(open)ing', undefined],
    ['(None)', undefined],
    ['none', undefined],
    ['', undefined],
  ])('%j', (text, kind) => {
    expect(marker(text)).toEqual(kind);
  });

  it('and nothing else is one', () => {
    for (const value of [null, 0, true, undefined, ['(none)']]) expect(marker(value)).toBeUndefined();
  });
});

const endpoint = (rest: string) => document({ endpoints: `GET /:\n  ${rest}` });

describe('a marker may stand for any value (language §B)', () => {
  it.each([
    ['does: (open) what?', 'does', 'open: what?'],
    ['does: (none)', 'does', 'stated'],
    ['response: (open)', 'response', 'open'],
    ['response: { status: (open) 200 or 204? }', 'response.status', 'open: 200 or 204?'],
    ['response: { status: (any) }', 'response.status', 'stated'],
    ['response: { status: 200, body: (none) }', 'response.body', 'stated'],
    ['response: { status: 200, headers: { Location: (open) } }', 'response.headers.Location', 'open'],
    ['response: { status: 200, body: {}, media: (open) which? }', 'response.media', 'open: which?'],
    ['request: (open) any?', 'request', 'open: any?'],
    ['request: { query: { q: (open) } }', 'request.query.q', 'open'],
    ['request: { query: { q: { maxLength: (none) } } }', 'request.query.q.maxLength', 'stated'],
    ['request: { others: (open) }', 'request.others', 'open'],
    ['cors: { origins: (open) which? }', 'cors.origins', 'open: which?'],
    ['operation: (open)', 'operation', 'open'],
    ['also: (none)', 'also', 'stated'],
  ])('%s', (rest, address, state) => {
    expect(points(specification(endpoint(rest)))).toMatchObject({ [`endpoints["GET /"].${address}`]: state });
  });

  it('up to an entry, and up to a whole part', () => {
    expect(
      points(specification(document({ endpoints: 'GET /: (open) what is it for?' })), 'endpoints['),
    ).toEqual({
      'endpoints["GET /"]': 'open: what is it for?',
    });
    expect(points(specification(document({ errors: '(open) which?' })), 'errors')).toEqual({
      errors: 'open: which?',
    });
    expect(points(specification(document({ errors: '(none)' })), 'errors')).toEqual({ errors: 'stated' });
  });

  it.each([
    ['identifier: (open) which?', 'identifier', 'open: which?'],
    ['fields: (open) which?', 'fields', 'open: which?'],
    ['fields: { a: (open) what? }', 'fields.a', 'open: what?'],
    ['fields: { a: { type: (open) } }', 'fields.a.type', 'open'],
    ['fields: { a: { type: string, maxLength: (open) how long? } }', 'fields.a.maxLength', 'open: how long?'],
    ['fields: { a: { writable: (open) who? } }', 'fields.a.writable', 'open: who?'],
    ['fields: { a: { set: { create: (open) } } }', 'fields.a.set.create', 'open'],
    ['fields: { a: { set: (none) } }', 'fields.a.set', 'stated'],
    ['required: (open)', 'required', 'open'],
    ['others: (open) refused?', 'others', 'open: refused?'],
    ['unique: (none)', 'unique', 'stated'],
  ])('in part 2: %s', (rest, address, state) => {
    const content = document({ resources: `Todo:\n  ${rest}` });
    expect(points(specification(content))).toMatchObject({ [`resources.Todo.${address}`]: state });
  });

  it('in JSON as in YAML', () => {
    const json = { endpoints: { 'GET /': { response: { status: '(open) 200 or 204?' } } } };
    const yaml = document({ endpoints: 'GET /: { response: { status: (open) 200 or 204? } }' });
    expect(points(specification(yaml), 'endpoints["GET /"]')).toEqual(
      points(specification(document({ endpoints: JSON.stringify(json.endpoints) })), 'endpoints["GET /"]'),
    );
  });

  it('a field of which only the name is stated is a field still', () => {
    const { resourcesByName } = specification(document({ resources: 'Todo: { fields: { a: (open) } }' }));
    expect([...(resourcesByName.get('Todo')?.fields.keys() ?? [])]).toEqual(['a']);
  });
});

describe('where a literal could stand, a marker is a fault that says how the text is written (language §B)', () => {
  const field = (rest: string) => document({ resources: `Todo: { fields: { a: { ${rest} } } }` });

  it.each(['enum: [x, (none)]', 'const: (any)', 'default: (open) which?', 'const: { deep: [(none)] }'])(
    '%s',
    (rest) => {
      const [fault] = faults(field(rest));
      expect(fault).toMatch(/^marker-in-literal: \((none|any|open)\)/);
    },
  );

  it('in a list of a payload, and in a value that is no payload', () => {
    expect(faults(endpoint('does: { create: Todo, with: { a: (none) } }'))).toEqual([
      'marker-in-literal: (none)',
    ]);
    expect(faults(endpoint('response: { status: 200, body: [x, (any)] }'))).toEqual([
      'marker-in-literal: (any)',
    ]);
  });

  it('where the scopes of one scheme stand', () => {
    const rule = (scopes: string): string =>
      document({
        authentication: `schemes: { login: (open) }\nauthorization: { list: { rule: known, schemes: [{ login: ${scopes} }] } }`,
      });
    expect(faults(rule('(open)')).filter((fault) => fault.startsWith('marker'))).toEqual([
      'marker-in-literal: (open)',
    ]);
    expect(faults(rule('[read]')).filter((fault) => fault.startsWith('marker'))).toEqual([]);
  });

  it('and written so, it is that text', () => {
    const { resourcesByName } = specification(
      field('enum: ["${\\"(none)\\"}", "$${x}", y], default: \'${"(any)"}\''),
    );
    const a = resourcesByName.get('Todo')?.fields.get('a');
    expect(a?.shape.keywords.get('enum')).toMatchObject({ value: ['(none)', '${x}', 'y'] });
    expect(a?.default).toMatchObject({ value: '(any)' });
    expect(faults(endpoint('response: { status: 200, body: { a: "${\'(none)\'}" } }'))).toEqual([]);
  });

  it('an expression is no literal', () => {
    expect(faults(field('default: "${now}"'))).toEqual(['wrong-kind: "${now}"']);
    expect(faults(field('enum: ["${"]'))).toEqual(['expression-syntax: ${']);
  });
});

describe('a question that would be lost is refused', () => {
  const hints = (content: string) =>
    read('x.md', content).diagnostics.map((one) => `${one.code} ${words(one.span)}: ${one.hint}`);

  it.each([
    ['required: [id, (open) is c?]', 'resources.Todo.required: is c?'],
    ['unique: [[id, (open) x]]', 'resources.Todo.unique: x'],
  ])('as an element of a list: %s', (rest, asked) => {
    const content = document({ resources: `Todo: { identifier: id, ${rest}, fields: { id: {} } }` });
    expect(hints(content)).toEqual([
      expect.stringContaining(`: to ask about the list, write in the head: open: { ${asked} }`),
    ]);
  });

  it('as one of several identifiers', () => {
    expect(
      hints(document({ resources: 'Todo: { identifier: [id, (open) x], fields: { id: {} } }' })),
    ).toEqual([
      'marker-in-literal (open) x: write (open) in place of the whole list, or leave the field out of it',
    ]);
  });

  it('in a description', () => {
    const content = document({
      resources: 'Todo: { identifier: id, fields: { id: { description: (open) in which form? } } }',
      endpoints: 'GET /: { description: (open) why? }',
    });
    expect(hints(content)).toEqual([
      'marker-in-literal (open) in which form?: ask at the point that it is about: a description states nothing',
      'marker-in-literal (open) why?: ask at the point that it is about: a description states nothing',
    ]);
  });

  it('and the head asks about such a list', () => {
    const content = document({
      head: 'open: { resources.Todo.required: is c? }',
      resources: 'Todo: { identifier: id, fields: { id: {} }, required: [id] }',
    });
    expect(points(specification(content))).toMatchObject({ 'resources.Todo.required.*': 'open: is c?' });
  });
});
