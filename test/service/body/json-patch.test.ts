import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch, type Operation, readJsonPatch } from '../../../src/service/body/json-patch.ts';
import { tokensOf, valueAt } from '../../../src/service/body/pointer.ts';

/** Bars what reads one of these members, or the whole with one of them in it. */
const barring =
  (hidden: readonly string[]) =>
  ({ op, path, from }: Operation, document: unknown): boolean => {
    const [name] = from ?? path;
    const read = name === undefined ? Object.keys(Object(document)) : [name];
    return (op === 'test' || from !== null) && read.some((one) => hidden.includes(one));
  };

const apply = (document: unknown, patch: unknown, hidden: readonly string[] = [], most = 1000): unknown => {
  const operations = readJsonPatch(patch);
  if (operations === null) return 'no patch';
  const found = applyJsonPatch(operations, document, barring(hidden), most);
  if ('held' in found) return found.held;
  return 'document' in found ? found.document : `${found.failed.op} ${found.failed.path.join('/')}`;
};

describe('a JSON Patch (RFC 6902) leads to', () => {
  it.each([
    ['a member added', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['a member added over another', { a: 1 }, [{ op: 'add', path: '/a', value: [] }], { a: [] }],
    ['null added', {}, [{ op: 'add', path: '/a', value: null }], { a: null }],
    ['an element added between', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['an element added at the end', [1], [{ op: 'add', path: '/1', value: 2 }], [1, 2]],
    ['an element added after the last', [1], [{ op: 'add', path: '/-', value: [2] }], [1, [2]]],
    [
      'a member added deep',
      { a: { b: {} } },
      [{ op: 'add', path: '/a/b/c', value: 1 }],
      { a: { b: { c: 1 } } },
    ],
    ['the whole replaced by add', { a: 1 }, [{ op: 'add', path: '', value: [] }], []],
    ['a member removed', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['an element removed', [1, 2, 3], [{ op: 'remove', path: '/1' }], [1, 3]],
    ['a member replaced', { a: 1 }, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    ['an element replaced', [1, 2], [{ op: 'replace', path: '/0', value: 9 }], [9, 2]],
    ['the whole replaced', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
    [
      'a member moved',
      { a: { b: 1 }, c: {} },
      [{ op: 'move', from: '/a/b', path: '/c/d' }],
      { a: {}, c: { d: 1 } },
    ],
    ['an element moved', ['x', 'y', 'z'], [{ op: 'move', from: '/0', path: '/2' }], ['y', 'z', 'x']],
    ['a member moved to where it is', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
    ['a member copied', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    ['the whole copied into itself', { a: 1 }, [{ op: 'copy', from: '', path: '/b' }], { a: 1, b: { a: 1 } }],
    [
      'nothing else by a test that holds',
      { a: [1, { b: null }] },
      [{ op: 'test', path: '/a', value: [1, { b: null }] }],
      { a: [1, { b: null }] },
    ],
    [
      'nothing else by a test of numbers that are equal',
      { a: 1 },
      [{ op: 'test', path: '/a', value: 1.0 }],
      { a: 1 },
    ],
    [
      'what several lead to in turn',
      { a: 1 },
      [
        { op: 'test', path: '/a', value: 1 },
        { op: 'add', path: '/b', value: [] },
        { op: 'add', path: '/b/-', value: 1 },
        { op: 'move', from: '/b', path: '/a' },
      ],
      { a: [1] },
    ],
    [
      'the same whatever else an operation says',
      {},
      [{ op: 'add', path: '/a', value: 1, why: 'x', from: 5 }],
      { a: 1 },
    ],
    [
      'a member of any name',
      {},
      [
        { op: 'add', path: '/~0~1', value: 1 },
        { op: 'add', path: '/', value: 2 },
      ],
      { '~/': 1, '': 2 },
    ],
    ['the document where it says nothing', { a: 1 }, [], { a: 1 }],
  ])('%s', (_name, document, patch, expected) => {
    const before = structuredClone(document);
    expect(apply(document, patch)).toEqual(expected);
    expect(document).toEqual(before);
  });

  it('a member named as objects have one, and changes no prototype', () => {
    const found = apply({}, [
      { op: 'add', path: '/__proto__', value: { polluted: 1 } },
      { op: 'add', path: '/constructor', value: 1 },
    ]);
    expect(JSON.stringify(found)).toBe('{"__proto__":{"polluted":1},"constructor":1}');
    expect(apply({}, [{ op: 'add', path: '/constructor/prototype', value: 1 }])).toBe(
      'add constructor/prototype',
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('values of its own: what is copied or added is apart from what it was made of', () => {
    const value = [1];
    const found = apply({}, [
      { op: 'add', path: '/a', value },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/a/-', value: 2 },
    ]);
    expect([found, value]).toEqual([{ a: [1, 2], b: [1] }, [1]]);
  });
});

describe('a JSON Patch cannot be applied, and then none of it is,', () => {
  it.each([
    ['where a test does not hold', { a: 1 }, [{ op: 'test', path: '/a', value: '1' }], 'test a'],
    ['where a test is of nothing', {}, [{ op: 'test', path: '/a', value: null }], 'test a'],
    ['where nothing is removed', {}, [{ op: 'remove', path: '/a' }], 'remove a'],
    ['where nothing is replaced', { a: 1 }, [{ op: 'replace', path: '/b', value: 1 }], 'replace b'],
    ['where nothing is moved', {}, [{ op: 'move', from: '/a', path: '/b' }], 'move b'],
    ['where nothing is copied', {}, [{ op: 'copy', from: '/a', path: '/b' }], 'copy b'],
    ['where there is no object to add to', {}, [{ op: 'add', path: '/a/b', value: 1 }], 'add a/b'],
    ['where a text would be added to', { a: 'x' }, [{ op: 'add', path: '/a/0', value: 1 }], 'add a/0'],
    ['past the end of a list', [1], [{ op: 'add', path: '/2', value: 1 }], 'add 2'],
    ['at an index that is none', [1], [{ op: 'add', path: '/x', value: 1 }], 'add x'],
    ['at an index with a leading zero', [1, 2], [{ op: 'remove', path: '/00' }], 'remove 00'],
    ['at the length of a list', [1], [{ op: 'remove', path: '/1' }], 'remove 1'],
    ['after the last where something is to be there', [1], [{ op: 'remove', path: '/-' }], 'remove -'],
    ['to the whole where it would be gone', { a: 1 }, [{ op: 'remove', path: '' }], 'remove '],
    [
      'by its second operation either',
      { a: 1 },
      [
        { op: 'remove', path: '/a' },
        { op: 'remove', path: '/a' },
      ],
      'remove a',
    ],
  ])('%s', (_name, document, patch, expected) => {
    const before = structuredClone(document);
    expect(apply(document, patch)).toBe(expected);
    expect(document).toEqual(before);
  });

  it('where it would read what is hidden, or tell whether it is there', () => {
    const document = { a: 1, secret: 'x' };
    const read = (...patch: readonly unknown[]): unknown => apply(document, patch, ['secret']);
    expect(read({ op: 'test', path: '/secret', value: 'x' })).toBe('test secret');
    expect(read({ op: 'copy', from: '/secret', path: '/a' })).toBe('copy a');
    expect(read({ op: 'copy', from: '', path: '/a' })).toBe('copy a');
    expect(read({ op: 'move', from: '/secret', path: '/a' })).toBe('move a');
    expect(read({ op: 'test', path: '', value: document })).toBe('test ');
    expect(read({ op: 'replace', path: '/secret', value: 'y' })).toEqual({ a: 1, secret: 'y' });
  });

  it('where its copies would come to more than the host bears', () => {
    const doubling = Array.from({ length: 64 }, (_, at) => ({ op: 'copy', from: '/a', path: `/a/${at}` }));
    expect(apply({ a: {} }, doubling)).toMatch(/^copy a\/\d+$/);
  });
});

describe('what is no JSON Patch', () => {
  it.each([
    [{ op: 'add', path: '/a', value: 1 }],
    ['add'],
    [null],
    [[5]],
    [[[]]],
    [[{ path: '/a', value: 1 }]],
    [[{ op: 'spam', path: '/a' }]],
    [[{ op: 'Add', path: '/a', value: 1 }]],
    [[{ op: 'constructor', path: '/a' }]],
    [[{ op: 'remove' }]],
    [[{ op: 'remove', path: 5 }]],
    [[{ op: 'remove', path: 'a' }]],
    [[{ op: 'remove', path: '/~2' }]],
    [[{ op: 'remove', path: '/~' }]],
    [[{ op: 'remove', path: '#/a' }]],
    [[{ op: 'add', path: '/a' }]],
    [[{ op: 'replace', path: '/a' }]],
    [[{ op: 'test', path: '/a' }]],
    [[{ op: 'move', path: '/a' }]],
    [[{ op: 'copy', path: '/a', from: 'b' }]],
    [[{ op: 'move', from: '/a', path: '/a/b' }]],
    [[{ op: 'remove', path: '/a' }, { op: 'remove' }]],
  ])('%j', (document) => {
    expect(readJsonPatch(document)).toBeNull();
  });
});

describe('a JSON Pointer (RFC 6901)', () => {
  it('leads to the value that its section 5 names', () => {
    const document = { list: ['x', 'y'], '': 0, 'a/b': 1, 'm~n': 8, 'k"l': 6, ' ': 7 };
    const at = (pointer: string): unknown => valueAt(document, tokensOf(pointer) ?? ['no pointer']);
    expect(['', '/list', '/list/0', '/', '/a~1b', '/m~0n', '/k"l', '/ '].map(at)).toEqual([
      document,
      ['x', 'y'],
      'x',
      0,
      1,
      8,
      6,
      7,
    ]);
    expect(['/list/-', '/list/2', '/list/length', '/toString', '//'].map(at)).toEqual(
      Array(5).fill(undefined),
    );
  });

  it('is read back as it is written, whatever the names', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const written = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        expect(tokensOf(written)).toEqual(names);
      }),
    );
  });
});
