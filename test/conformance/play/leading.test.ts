import { describe, expect, it } from 'vitest';
import { leadingTo } from '../../../src/conformance/play/leading.ts';

/** An exchange with what it reads and writes. */
const step = (path: string, reads: string[], writes: string[], token = '', body = '') => ({
  exchange: {
    request: {
      method: 'POST',
      url: path,
      headers: [['Authorization', `Bearer ${token}`] as const],
      body: null,
    },
    response: { status: 200, headers: [], body },
    failure: null,
  },
  reads: new Set(reads),
  writes: new Set(writes),
});

const paths = (steps: readonly ReturnType<typeof step>[]): readonly string[] =>
  leadingTo(steps).map(({ request }) => request.url);

describe('the exchanges that lead to the last one of a walk', () => {
  it('are those that wrote what it reads, and what these read', () => {
    const steps = [
      step('/people', [], ['Person 1']),
      step('/other', [], ['Person 2']),
      step('/notes', ['Person 1'], ['Note 3']),
      step('/look', ['Note 3'], []),
      step('/last', ['Note 3'], []),
    ];
    expect(paths(steps)).toEqual(['/people', '/notes', '/last']);
  });

  it('are those, too, that gave the credential that it carries', () => {
    const steps = [
      step('/login', [], [], '', '{"token":"abcdefghijkl"}'),
      step('/login', [], [], '', '{"token":"mnopqrstuvwx"}'),
      step('/last', [], [], 'abcdefghijkl'),
    ];
    expect(paths(steps)).toEqual(['/login', '/last']);
  });
});
