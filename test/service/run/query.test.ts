import { describe, expect, it } from 'vitest';
import { inQuery } from '../../../src/service/content/style.ts';
import { type Pair, readPairs } from '../../../src/service/http/pairs.ts';
import { queryPairs } from '../../../src/service/run/query.ts';
import { compileSpelling } from '../../../src/service/shape/spelling.ts';
import type { Json } from '../../../src/source/node.ts';

const json = { depth: 9, nodes: 99 };
const text = { type: 'string' };
const list = { type: 'array', items: text };
const members = { type: 'object', properties: { a: text, b: { type: 'integer' } } };
const odd = 'ä &=+%';

describe('a parameter of a query is read as it was written', () => {
  it.each<[string, boolean, Record<string, Json>, Json]>([
    ['form', true, text, odd],
    ['form', true, { type: 'boolean' }, true],
    ['form', true, list, [odd, 'b']],
    ['form', false, list, [odd, 'b,c']],
    ['spaceDelimited', false, list, ['b', 'c']],
    ['pipeDelimited', false, list, [odd, 'b']],
    ['form', true, members, { a: odd, b: 1 }],
    ['form', false, members, { a: odd, b: 1 }],
    ['deepObject', true, members, { a: odd, b: 1 }],
    ['json', false, members, { a: odd, b: 1 }],
  ])('%s, explode %s: %j', (word, explode, schema, value) => {
    const style = { word, explode, json };
    const written = queryPairs('of', value, style).join('&');
    const pairs = Map.groupBy(readPairs(written) as readonly Pair[], ({ name }) => name);
    expect(inQuery('of', style, compileSpelling(schema, {}))(pairs)).toEqual({ value });
  });
});
