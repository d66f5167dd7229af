import { describe, expect, it } from 'vitest';
import { holds } from '../../src/specification/openness/holds.ts';
import { ledgerText, readLedger } from '../../src/specification/openness/ledger.ts';
import { read } from '../../src/specification/read.ts';
import { document, faults, place, points, specification, words } from './documents.ts';

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

  it('that an element of a list leaves open, by its place', () => {
    const several = content.replace(
      'response: { body: Todo }',
      'response: [{ when: (open) which?, status: 200, body: Todo }, { status: 201 }]',
    );
    const response = 'endpoints["GET /{id}"].response';
    const found = (at: string, value: string | number) =>
      read('x.md', several, [{ at: `${response}${at}`, value }]);
    const { specification: of, diagnostics } = found('[0].when', '${true}');
    expect([diagnostics, points(of)[`${response}[0].when`]]).toEqual([[], 'assumed']);
    expect(points(found('[1].body', 'Todo').specification)[`${response}[1].body`]).toBe('assumed');
    expect(found('[2].status', 204).diagnostics.map(({ code }) => code)).toEqual(['assumption-differs']);
  });

  it('that lists name all there is, as the head would state it', () => {
    const { specification: of, diagnostics } = read('x.md', content, [
      { at: 'complete', value: ['endpoints', 'resources.Todo.fields', 'limits'] },
    ]);
    expect(diagnostics).toEqual([]);
    const { completeness } = of;
    for (const list of ['endpoints', 'endpoints["GET /{id}"].response', 'resources.Todo.fields'])
      expect([list, completeness.closed(list)]).not.toEqual([list, undefined]);
    // Nothing is stated of limits, and nothing is assumed of other resources.
    for (const list of ['limits', 'resources']) expect(completeness.closed(list)).toBeUndefined();
    expect(completeness.stated.closed('endpoints')).toBeUndefined();
    // Whether a list is closed is still open in the document.
    expect(points(of)).toMatchObject({ 'endpoints.*': 'open' });
  });

  it('that many lists name all there is, in a ledger of a megabyte', () => {
    const lists = ['endpoints', ...Array.from({ length: 999 }, () => 'resources.Todo.fields')];
    const written = ledgerText([
      { at: 'complete', value: [...new Set(lists), ...lists], why: 'x'.repeat(1_000_000) },
    ]);
    const { assumptions, diagnostics } = readLedger('x.json', written);
    expect(diagnostics).toEqual([]);
    const { completeness } = read('x.md', content, assumptions).specification;
    expect(completeness.closed('endpoints')).toBeDefined();
  });

  it.each([
    ['a list of what is no address', ['a b'], 'bad-address'],
    ['something else', 'endpoints', 'wrong-kind'],
  ])('but not that they do by %s', (_, value, code) => {
    const { diagnostics } = read('x.md', content, [{ at: 'complete', value }]);
    expect(diagnostics.map((each) => each.code)).toEqual([code]);
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

/** Reads the document with a ledger: every fault as `file line:column code: characters`. */
const withLedger = (ledger: string): string[] => {
  const { assumptions, diagnostics } = readLedger('l.json', ledger);
  const found = read('x.md', content, assumptions).diagnostics;
  return [...diagnostics, ...found].map(
    ({ code, span }) => `${span.text.file} ${place(span)} ${code}: ${words(span)}`,
  );
};

describe('a ledger is a list of assumptions, each in its place (language §A.6)', () => {
  it('that says of each where, what, why, who and when', () => {
    const entry = { at: 'versioning', value: '(none)', why: 'one', who: 'Ada', when: '2026-11-21T12:00:00Z' };
    const { assumptions, diagnostics } = readLedger(
      'l.json',
      JSON.stringify([entry, { at: 'a', value: [1] }]),
    );
    expect(diagnostics).toEqual([]);
    expect(assumptions.map(({ placed, ...said }) => [said, placed && place(placed.at)])).toEqual([
      [entry, '1:8'],
      [{ at: 'a', value: [1] }, '1:99'],
    ]);
  });

  it('is written as it was read, the same bytes each time', () => {
    const text = ledgerText([{ value: { b: 1, a: 2 }, at: 'limits', when: 'w', why: 'y' }]);
    expect(text).toBe(
      '[\n  {\n    "at": "limits",\n    "value": {\n      "b": 1,\n      "a": 2\n    },\n    "why": "y",\n    "when": "w"\n  }\n]\n',
    );
    expect(ledgerText(readLedger('l.json', text).assumptions)).toBe(text);
    expect(ledgerText([])).toBe('[]\n');
  });

  it('a message points into it, at the address or at the value that is at fault', () => {
    expect(
      withLedger(
        [
          '[',
          '  { "at": "resources.Todo.identifier", "value": "id" },',
          '  { "at": "errors", "value": 1 },',
          '  { "at": "nothing", "value": 1 },',
          '  { "at": "endpoints[\\"PUT /\\"]", "value": { "response": 99 } }',
          ']',
        ].join('\n'),
      ),
    ).toEqual([
      'l.json 2:11 assumption-stated: "resources.Todo.identifier"',
      'l.json 3:11 assumption-differs: "errors"',
      'l.json 4:11 bad-address: "nothing"',
      'l.json 5:58 bad-status: 99',
    ]);
  });

  it.each([
    ['', ['l.json 1:1 wrong-kind: ']],
    ['{}', ['l.json 1:1 wrong-kind: {}']],
    ['[', ['l.json 1:2 yaml-syntax: ']],
    ['[1]', ['l.json 1:2 wrong-kind: 1']],
    ['[{ "at": "limits" }]', ['l.json 1:2 wrong-kind: { "at": "limits" }']],
    ['[{ "value": 1 }]', ['l.json 1:2 wrong-kind: { "value": 1 }']],
    ['[{ "at": [], "value": 1 }]', ['l.json 1:10 wrong-kind: []']],
    [
      '[{ "at": "limits", "value": "(none)", "wy": 1, "who": {} }]',
      ['l.json 1:39 unknown-key: "wy"', 'l.json 1:55 wrong-kind: {}'],
    ],
    [
      '[{ "at": "limits.sizes", "value": "(none)" }, { "at": "limits[\\"sizes\\"]", "value": 1 }]',
      ['l.json 1:55 key-twice: "limits[\\"sizes\\"]"'],
    ],
    ['[{ "at": "limits.*", "value": 1 }]', ['l.json 1:10 bad-address: "limits.*"']],
  ])('%s is at fault', (ledger, found) => {
    expect(withLedger(ledger)).toEqual(found);
  });

  it('and an entry that is at fault leaves the others', () => {
    const { assumptions } = readLedger('l.json', '[1, { "at": "limits", "value": "(none)" }]');
    expect(assumptions.map(({ at }) => at)).toEqual(['limits']);
  });
});

describe('without a ledger', () => {
  it('nothing is assumed', () => {
    expect(Object.values(points(specification(content)))).not.toContain('assumed');
    expect(faults(content)).toEqual([]);
  });
});
