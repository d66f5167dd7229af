import { expect, it } from 'vitest';
import { exampleOf } from '../conformance/examples.ts';
import { ofTranslations } from '../conformance/surroundings.ts';
import { ask, start } from './served.ts';

it('the functions that the example translations shows do what it says', async () => {
  const { document, service: told } = await ofTranslations(exampleOf('translations'));
  const service = await start(document, told);
  const estimate = await ask(service, 'POST /estimates', { texts: ['one', 'two'] });
  const order = await ask(service, 'POST /orders', { into: 'de', texts: ['one', 'two', 'three'] });
  const dropped = await ask(service, 'POST /texts/2/withdrawal');
  const finished = await ask(service, 'POST /orders/1/translation');
  const text = await ask(service, 'GET /texts/1');
  expect([estimate, order, dropped, finished, text].map(({ status, body }) => [status, body])).toEqual([
    [200, { cents: 12 }],
    [201, { id: 1, into: 'de', orderedAt: expect.any(String), left: 3, texts: [1, 2, 3] }],
    [200, { id: 2, order: 1, original: 'two', translation: null, status: 'dropped' }],
    [200, { finished: [1, 3] }],
    [200, { id: 1, order: 1, original: 'one', translation: 'ONE', status: 'translated' }],
  ]);
});
