import { expect, it } from 'vitest';
import { client, documentOf } from './resources/kept.ts';
import { start } from './served.ts';

const resources = `
Note:
  identifier: id
  fields:
    id: { type: string }
    tag: { type: string, default: none, shown: "\${value == 'none' ? absent() : upper(value)}" }
    own: { type: string, shown: "\${absent()}" }
  required: [id]`;

it('a field that is shown as absent() is left out', async () => {
  const { call } = await client(documentOf(resources, ['Note']));
  expect(await call('POST /Note', { id: 'a', own: 'x' })).toEqual([201, { id: 'a' }]);
  expect(await call('POST /Note', { id: 'b', tag: 'red' })).toEqual([201, { id: 'b', tag: 'RED' }]);
  expect(await call('GET /Note')).toEqual([200, [{ id: 'a' }, { id: 'b', tag: 'RED' }]]);
});

it('what is no item is not shown as one: the expression cannot be computed (language §G.6)', async () => {
  const own = 'Note: { identifier: id, fields: { id: { type: string }, of: { shown: "${Note(value)}" } } }';
  const service = await start(documentOf(own, ['Note']));
  const headers = { 'Content-Type': 'application/json' };
  const made = await fetch(`${service.address}/Note`, {
    method: 'POST',
    headers,
    body: '{"id":"a","of":"b"}',
  });
  expect(made.status).toBe(500);
  expect(service.faults.map(String)).toEqual(['Error: this is no item, and is shown as one']);
});
