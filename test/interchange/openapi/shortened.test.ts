import { describe, expect, it } from 'vitest';
import { type LeftOut, leftOut, shortened } from '../../../src/interchange/openapi/shortened.ts';
import type { Json } from '../../../src/source/node.ts';

const told = { title: 'T', description: 'D', examples: ['e'], $comment: 'C' };

const part: Json = {
  'GET /a': {
    operation: 'a',
    description: 'What it does.\n\ntags: x',
    request: { query: { description: { type: 'string', ...told } } },
    response: {
      status: 200,
      headers: { ETag: { type: 'string', ...told, value: '(open) which value?' } },
      shape: { fields: { title: { type: 'string', ...told }, examples: 'Name' }, ...told },
      description: 'It.\n\nexamples: {"a":1}',
    },
  },
};

/** The part, where these entries of its shapes are left. */
function left(kept: object, ofHeader: object, ofContent: string): Json {
  const endpoint = (part as Record<string, Record<string, Json>>)['GET /a'];
  return {
    'GET /a': {
      ...endpoint,
      request: { query: { description: { type: 'string', ...kept } } },
      response: {
        status: 200,
        headers: { ETag: { type: 'string', ...ofHeader, value: '(open) which value?' } },
        shape: { fields: { title: { type: 'string', ...kept }, examples: 'Name' }, ...kept },
        description: ofContent,
      },
    },
  } as Json;
}

describe('a document that would be too large', () => {
  it.each<readonly [readonly LeftOut[], Json]>([
    [[], part],
    [leftOut.slice(0, 1), left(told, { examples: ['e'], $comment: 'C' }, 'It.\n\nexamples: {"a":1}')],
    [leftOut.slice(0, 2), left(told, { examples: ['e'], $comment: 'C' }, 'It.')],
    [leftOut.slice(0, 3), left({ title: 'T', description: 'D', $comment: 'C' }, { $comment: 'C' }, 'It.')],
    [leftOut.slice(0, 4), left({ title: 'T', description: 'D' }, {}, 'It.')],
    [leftOut, left({}, {}, 'It.')],
  ])('lacks %j, and nothing that is stated', (without, expected) => {
    expect(shortened(part, without)).toEqual(expected);
  });

  it('keeps values as they are', () => {
    const values = { A: { default: { title: 'T', description: 'D' }, enum: [{ description: 'D' }] } };
    expect(shortened(values, leftOut)).toEqual(values);
  });
});
