import { describe, expect, it } from 'vitest';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Unknown } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const document = `
tacet: 1
complete: true
resources:
  Note:
    identifier: id
    fields:
      id:          { type: string }
      constructor: { type: string, maxLength: 3 }
      link:        { type: string, writable: true, shown: "\${Note(value)}" }
endpoints:
  protocol: RFC 9110
  others: refuse
  PUT /notes/{id}: { operation: put, does: { create: Note }, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}: { operation: change, does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
authentication: (none)
errors:
  payload: { body: { fields: "\${error.fields}" } }
  codes:
    failed: { when: internal, status: 500 }
    unfit: { when: invalid, status: 422 }
  messages: { maxLength: is too long }
  order: listed
`;
const specification = specificationOf(document);

function steps(name: string, content: Request['content']) {
  const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
  const usual = { query: {}, headers: {}, credentials: [], url: 'http://a' };
  return step(new World(specification), { ...usual, operation, path: { id: 'a' }, content });
}

function statuses(name: string, content: Request['content']): readonly (number | '?')[] {
  return steps(name, content).flatMap(({ prediction: { status } }): readonly (number | '?')[] =>
    status instanceof Unknown ? ['?'] : status,
  );
}

describe('a request that is refused', () => {
  it('may be answered by a condition that no row lists, whatever the order of the codes is', () => {
    expect(statuses('change', { constructor: 'long' }).toSorted()).toEqual([404, 422]);
  });

  it('may fail where a member of its answer may not be computable', () => {
    expect(statuses('put', { link: 'b' }).toSorted()).toEqual([201, 500]);
    expect(statuses('put', { constructor: 'abc' })).toEqual([201]);
  });

  it('tells of fields that are named like something of every object', () => {
    const [only] = steps('put', { constructor: 'long' });
    expect(only?.prediction.body).toEqual({ fields: { constructor: ['is too long'] } });
  });
});
