import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { comparedIn, turned } from '../../../src/conformance/explore/turning.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { unknown } from '../../../src/semantics/value/value.ts';
import type { Json } from '../../../src/source/node.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/shelves.yaml', 'utf8'));

/** The contents that come of a request when two values of it are compared. */
function contentsOf(content: Json, compared: Parameters<typeof turned>[1]): Set<string> {
  const pool = new Pool(specification, seeded(1));
  const [operation] = specification.operations as readonly [Operation];
  const url = 'http://localhost';
  const request: Request = { operation, path: {}, query: {}, headers: {}, credentials: [], content, url };
  return new Set(
    Array.from({ length: 60 }, () => JSON.stringify(turned(request, compared, pool)?.content ?? null)),
  );
}

describe('a request at which a comparison turns', () => {
  it('has the number that its own is compared with, or the one beside it', () => {
    const found = contentsOf({ quantity: 30, note: 'x' }, [[30, 7]]);
    for (const quantity of [6, 7, 8]) expect(found).toContain(JSON.stringify({ quantity, note: 'x' }));
  });

  it('has a number with which a sum comes to what it is compared with', () => {
    // Twelve are there, and five more would make 17, which is compared with 20.
    expect(contentsOf({ delta: 5 }, [[17, 20]])).toContain(JSON.stringify({ delta: 8 }));
  });

  it('moves its times together, or one of them', () => {
    const content = { from: '2026-01-01T10:00:00Z', to: '2026-01-01T11:00:00Z' };
    const found = contentsOf(content, [['2026-01-01T10:00:00Z', '2026-01-01T12:00:00Z']]);
    const [ten, noon, one] = ['11:00:00Z', '2026-01-01T12:00:00.000Z', '2026-01-01T13:00:00.000Z'];
    expect(found).toContain(JSON.stringify({ from: noon, to: one }));
    expect(found).toContain(JSON.stringify({ from: noon, to: `2026-01-01T${ten}` }));
  });

  it('has the day on which a time that is worked out of it comes to another, or the day beside it', () => {
    // The end of the day is compared with noon on the 5th.
    const found = contentsOf({ due: '2026-01-01' }, [['2026-01-02T00:00:00Z', '2026-01-05T12:00:00Z']]);
    for (const due of ['2026-01-03', '2026-01-04', '2026-01-05'])
      expect(found).toContain(JSON.stringify({ due }));
  });

  it('has the text that its own is compared with', () => {
    expect(contentsOf({ name: 'b' }, [['a', 'b']])).toContain(JSON.stringify({ name: 'a' }));
  });

  it('is none where nothing of it is of the kind that was compared', () => {
    expect(contentsOf({ name: 'b' }, [[1, 2]])).toEqual(new Set(['null']));
    expect(contentsOf({ name: 'b' }, [])).toEqual(new Set(['null']));
  });
});

describe('what was compared', () => {
  it('is two values of one kind that a request could give', () => {
    expect(comparedIn([1, 2])).toEqual([1, 2]);
    expect(comparedIn([1, 'a'])).toBeNull();
    expect(comparedIn([1, null])).toBeNull();
    expect(comparedIn([unknown([]), 2])).toBeNull();
  });
});
