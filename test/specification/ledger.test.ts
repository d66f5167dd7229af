import { describe, expect, it } from 'vitest';
import { holds } from '../../src/specification/holds.ts';
import { read } from '../../src/specification/read.ts';
import { document, faults, points, specification, words } from './documents.ts';

const content = document({
  resources:
    'Todo: { identifier: id, fields: { id: { type: string, set: { create: "${uuid()}" } }, title: Text } }\nText: { identifier: (none), type: string }',
  endpoints:
    'GET /{id}:\n  does: read Todo\n  response: { body: Todo }\nPUT /: (open) what?\nDELETE /: { response: 204 }',
  errors: '(none)',
});

const assumed = (at: string, value: unknown) => {
  const found = read('x.md', content, [{ at, value: value as never, why: 'because' }]);
  return {
    points: points(found.specification),
    diagnostics: found.diagnostics.map((one) => `${one.severity} ${one.code}: ${words(one.span)}`),
  };
};

describe('an assumption answers an open point, for the time being (language §A.6)', () => {
  it('that nothing was said of', () => {
    const { points: found, diagnostics } = assumed('endpoints["GET /{id}"].response.status', 200);
    expect(diagnostics).toEqual([]);
    expect(found).toMatchObject({ 'endpoints["GET /{id}"].response.status': 'assumed' });
  });

  it('and with it the operation that it held up is not held up any more', () => {
    const before = specification(content);
    const after = specification(content, [
      { at: 'endpoints["GET /{id}"].response.status', value: 200 },
      { at: 'authentication', value: '(none)' },
    ]);
    const [one, other] = [before.operations[0], after.operations[0]];
    expect(one && holds(before, one).map((hold) => hold.address)).toEqual([
      'endpoints["GET /{id}"].response.status',
    ]);
    expect(other && holds(after, other)).toEqual([]);
  });

  it('that the document asks about', () => {
    const { points: found } = assumed('endpoints["PUT /"]', { does: 'list Todo', response: 204 });
    expect(found).toMatchObject({
      'endpoints["PUT /"].does.list': 'assumed',
      'endpoints["PUT /"].response.status': 'assumed',
    });
    expect(found).not.toHaveProperty('endpoints["PUT /"]');
  });

  it('within a place of which nothing was said, or that the document asks about', () => {
    expect(assumed('endpoints["PUT /"].response.status', 204).points).toMatchObject({
      'endpoints["PUT /"].response.status': 'assumed',
      'endpoints["PUT /"].does': 'open',
    });
    expect(assumed('limits.sizes.body', 1024).points).toMatchObject({ 'limits.sizes.body': 'assumed' });
    expect(assumed('versioning', '(none)').points).toMatchObject({ versioning: 'assumed' });
  });

  it('in shorthand as in longhand', () => {
    expect(assumed('endpoints["GET /{id}"].response.status', 200).points).toEqual(
      assumed('endpoints["GET /{id}"]["response"]["status"]', 200).points,
    );
    expect(assumed('endpoints["DELETE /"].does', 'delete every Todo').points).toEqual(
      assumed('endpoints["DELETE /"].does.delete', 'every Todo').points,
    );
  });

  it('and what notation states because of it is assumed too', () => {
    expect(assumed('resources.Todo.fields.note', { set: { create: 'x' } }).points).toMatchObject({
      'resources.Todo.fields.note.set.create': 'assumed',
      'resources.Todo.fields.note.writable': 'assumed',
    });
    expect(assumed('endpoints["PUT /"].request', { body: 'Todo' }).points).toMatchObject({
      'endpoints["PUT /"].request.body': 'assumed',
      'endpoints["PUT /"].request.media': 'assumed',
    });
  });
});

describe('a statement governs, whatever is assumed', () => {
  it('one that agrees makes the assumption a notice to remove', () => {
    const { points: found, diagnostics } = assumed('resources.Todo.identifier', 'id');
    expect(diagnostics).toEqual(['warning assumption-stated: "resources.Todo.identifier"']);
    expect(found).toMatchObject({ 'resources.Todo.identifier': 'stated' });
    expect(assumed('endpoints["DELETE /"].response.status', 204).diagnostics).toEqual([
      'warning assumption-stated: "endpoints[\\"DELETE /\\"].response.status"',
    ]);
  });

  it.each([
    ['resources.Todo.identifier', 'title'],
    ['endpoints["DELETE /"].response.status', 200],
    ['errors.codes', {}],
    ['errors', '(open)'],
    ['resources.Todo.fields.title.maxLength', 3],
    ['resources.Todo', { identifier: 'id' }],
  ])('one that differs makes it an error: %s', (at, value) => {
    const { points: found, diagnostics } = assumed(at, value);
    expect(diagnostics).toEqual([`error assumption-differs: ${JSON.stringify(at)}`]);
    expect(found).toEqual(points(specification(content)));
  });

  it('and the message points at both', () => {
    const { diagnostics } = read('x.md', content, [{ at: 'resources.Todo.identifier', value: 'title' }]);
    expect(diagnostics[0]?.related.map(words)).toEqual(['id']);
  });
});

describe('an assumption at no point', () => {
  it.each(['nothing', 'endpoints.*', 'resources..x', ''])('%j is an error', (at) => {
    expect(assumed(at, 1).diagnostics).toEqual([`error bad-address: ${JSON.stringify(at)}`]);
  });

  it('may be wrong as any statement may', () => {
    expect(assumed('endpoints["PUT /"].response.status', 99).diagnostics).toEqual([
      'error bad-status: "endpoints[\\"PUT /\\"].response.status"',
    ]);
  });
});

describe('without a ledger', () => {
  it('nothing is assumed', () => {
    expect(Object.values(points(specification(content)))).not.toContain('assumed');
    expect(faults(content)).toEqual([]);
  });
});
