import { describe, expect, it } from 'vitest';
import { difference } from '../../src/conformance/alike.ts';
import type { Json } from '../../src/source/node.ts';

const [a, b, c]: readonly Json[] = [{ id: 1, tags: ['x'] }, { id: 2 }, { id: 3 }] as const;

describe('what is in one list and not in the other', () => {
  it.each<[string, readonly Json[], readonly Json[], readonly Json[], readonly Json[]]>([
    ['nothing, where both are the same', [a, b], [a, b], [], []],
    ['nothing, in whatever order they stand', [a, b, c], [c, a, b], [], []],
    ['nothing, in whatever order members stand', [a, b], [{ tags: ['x'], id: 1 }, { id: 2 }], [], []],
    ['what came at the end', [a], [a, b], [], [b]],
    ['what came before the others', [b, c], [a, b, c], [], [a]],
    ['what went', [a, b, c], [a, c], [b], []],
    ['what changed', [a, b], [a, { id: 2, more: null }], [b], [{ id: 2, more: null }]],
    ['one of two that are alike', [a, a], [a], [a], []],
  ])('%s', (_, before, after, gone, come) => {
    expect(difference(before, after)).toEqual({ gone, come });
  });
});
