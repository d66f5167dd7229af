import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { document, faults, specification } from './documents.ts';

const list = (...operations: readonly string[]): string =>
  document({
    resources: 'Todo: { identifier: id, fields: { id: { type: string } } }',
    endpoints: `every GET: { conditional: { etag: weak } }\nGET /a:\n${operations.map((one) => `  - { ${one} }\n`).join('')}`,
  });
const asks = (expression: string): string => `when: "\${${expression}}"`;
const one = `operation: one, ${asks('request.query.x != null')}, does: (none), request: { query: { x: {} } }`;
const two = 'operation: two, does: (none), response: 204';

describe('a list of operations under one METHOD /path (language §4.1)', () => {
  it('has an address for each, by the name of the operation', () => {
    const found = specification(list(one, two));
    expect(found.operations.map(({ name, method, address }) => [name, method, address])).toEqual([
      ['one', 'GET', 'endpoints["GET /a"].one'],
      ['two', 'GET', 'endpoints["GET /a"].two'],
    ]);
    expect(found.points.get('endpoints["GET /a"].two.response.status')?.state).toBe('stated');
    expect(found.points.get('endpoints["GET /a"].one.response')?.state).toBe('open');
    const [first] = found.operations;
    expect(first && stated(first.endpoint.conditional)).toBeDefined();
  });

  it.each([
    [[one], 'contradiction'],
    [[one, 'does: (none)'], 'alternative-unnamed'],
    [[one, 'operation: (open) two?, does: (none)'], 'alternative-unnamed'],
    [[one, one], 'operation-twice'],
    [[two, one], 'contradiction'],
    [[one.replace('request.query.x', 'request.body'), two], 'alternative-reads'],
    [[one.replace('request.query.x', 'actor'), two], 'alternative-reads'],
    [[one.replace('request.query.x', 'Todo.filter(t, t.id == now)'), two], 'alternative-reads'],
    [[one.replace('request.query.x', 'request.query.y'), two], 'unknown-parameter'],
    [[one.replace(' != null', ''), two], 'expression-type'],
  ])('%j is %s', (operations, code) => {
    expect(faults(list(...operations)).map((one) => one.split(':')[0])).toContain(code);
  });

  it('may differ in an older version, and be assumed', () => {
    const base = list(one, two);
    const versioning = `\n## Versioning\n\n\`\`\`yaml\nversions: { "2": {}, "1": { differs: { 'endpoints["GET /a"].two.response': 205 } } }\n\`\`\`\n`;
    const found = read('x.md', base + versioning).specification;
    const older = found.older.get('1')?.specification.operations.find(({ name }) => name === 'two');
    const answers = older && stated(older.response);
    expect(answers?.map(({ status }) => stated(status))).toEqual([[205]]);
    const at = 'endpoints["GET /a"].one.response.status';
    const assumed = read('x.md', base, [{ at, value: 200 }]);
    expect(assumed.specification.points.get(at)?.state).toBe('assumed');
  });

  it('may be asked without a condition of the last, and no other endpoint has one', () => {
    expect(faults(list(one, two))).toEqual([]);
    expect(faults(document({ endpoints: `GET /a: { ${asks('true')} }` }))).toEqual(['idle: "${true}"']);
    expect(faults(document({ endpoints: 'GET /a two: { operation: two }' }))).toEqual([
      'bad-endpoint: GET /a two',
    ]);
  });
});
