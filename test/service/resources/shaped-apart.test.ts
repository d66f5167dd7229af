import { expect, it } from 'vitest';
import { client } from './kept.ts';

it('what is stored fits its field, also where the body has a shape of its own (language §2.2, rule 9)', async () => {
  const { call } = await client(`
complete: true
resources:
  Thing:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      name: { type: string, minLength: 2 }
      tag: { type: string, taken: "\${trim(value)}", minLength: 1 }
    required: [name]
endpoints:
  others: refuse
  POST /things:
    operation: add
    does: create Thing
    request: { body: { fields: { name: { type: string, maxLength: 5 }, tag: { type: string } }, required: [name] } }
    response: { status: 201, body: Thing }
  PUT /things/{id}:
    operation: rename
    does: { update: Thing }
    request: { body: { fields: { name: { type: string } }, required: [name] } }
    response: { status: 200, body: Thing }
errors:
  payload: { body: "\${error.failures}" }
  codes: { misfit: { when: invalid, status: 422 } }
`);
  const tooShort = [422, [{ field: 'name', keyword: 'minLength' }]];
  expect(await call('POST /things', { name: 'a' })).toEqual(tooShort);
  expect(await call('POST /things', { name: 'ab', tag: '  ' })).toEqual([
    422,
    [{ field: 'tag', keyword: 'minLength' }],
  ]);
  expect(await call('POST /things', { name: 'ab', tag: ' x ' })).toEqual([
    201,
    { id: 1, name: 'ab', tag: 'x' },
  ]);
  expect(await call('PUT /things/1', { name: 'b' })).toEqual(tooShort);
  expect(await call('PUT /things/1', { name: 'abc' })).toEqual([200, { id: 1, name: 'abc', tag: 'x' }]);
});
