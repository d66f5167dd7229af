import { describe, expect, it } from 'vitest';
import { stated } from '../../src/specification/reading/said.ts';
import { document, points, specification } from './documents.ts';
import { findings } from './findings.ts';

const service = (body: string, head?: string) =>
  document({
    ...(head === undefined ? {} : { head }),
    resources:
      'Issue: { identifier: id, fields: { id: { type: integer }, title: { type: string }, state: { type: string } } }\nNote: { identifier: (none), fields: { text: { type: string } } }',
    endpoints: `POST /issues: { operation: open, does: create Issue, request: { body: ${body} }, response: 204 }`,
  });

const address = 'endpoints["POST /issues"].request.body';

describe('a body of some of the members (language §E.4)', () => {
  it.each([
    ['{ of: Issue, omits: [state] }', undefined, ['state']],
    ['{ of: Issue, shows: [title], minProperties: 1 }', ['title'], undefined],
    ['{ of: Note, omits: text }', undefined, ['text']],
    ['Issue', undefined, undefined],
    ['{ type: object }', undefined, undefined],
  ])('%s', (written, shows, omits) => {
    const found = specification(service(written));
    const body = stated(found.operations[0]?.request?.body);
    expect(stated(body?.shows)?.map(({ text }) => text)).toEqual(shows);
    expect(stated(body?.omits)?.map(({ text }) => text)).toEqual(omits);
  });

  it('is a point', () => {
    expect(points(specification(service('{ of: Issue, omits: [state] }')), address)).toEqual({
      [address]: 'stated',
      [`${address}.omits`]: 'stated',
    });
  });

  it.each([
    [
      '{ of: Issue, shows: [title], omits: [state] }',
      'contradiction omits: a body either has these members or is without some → take one of the two out, or mend it',
    ],
    [
      '{ of: Issue, omits: [stat] }',
      'unknown-name stat: stat is not the name of a field → did you mean state?',
    ],
    ['{ of: Note, omits: [txt] }', 'unknown-name txt: txt is not the name of a member → did you mean text?'],
    [
      '{ type: object, omits: [a] }',
      `unknown-key omits: ${address} has no key omits → a shape holds the keywords of JSON Schema 2020-12`,
    ],
  ])('%s is refused', (body, expected) => {
    expect(findings(service(body))).toEqual([expected]);
  });
});
