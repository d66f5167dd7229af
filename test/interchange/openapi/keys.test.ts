import { expect, it } from 'vitest';
import { assumptionOf, importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Json } from '../../../src/source/node.ts';
import { readOutlined } from '../../../src/specification/read.ts';
import { json, to } from './guessed.ts';

const text = { type: 'string' };
const NewBill = {
  type: 'object',
  properties: { customerId: text, payerIds: { type: 'array', items: text }, note: text },
};
const Bill = {
  type: 'object',
  required: ['id'],
  properties: { id: { ...text, format: 'uuid' }, ...NewBill.properties },
};
const description = {
  ...{ openapi: '3.1.0', info: { title: 'Bills', version: '1' }, components: { schemas: { Bill, NewBill } } },
  paths: {
    '/bills': {
      get: { responses: json({ type: 'array', items: to('Bill') }) },
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: to('NewBill') } } },
        responses: { ...json(to('Bill'), '201'), 422: { description: 'The request is not valid.' } },
      },
    },
    '/bills/{id}': { get: { responses: json(to('Bill')) } },
  },
};

/** The statuses that may come of a bill. */
function statusesOf(content: Json): readonly unknown[] {
  const imported = importOpenApi('x.json', JSON.stringify(description));
  const { specification } = readOutlined('x.json', outlined(imported), imported.guesses.map(assumptionOf));
  const operation = specification.operations.find(({ key }) => key === 'POST /bills') as Request['operation'];
  const headers = { 'content-type': 'application/json' };
  const request = { operation, path: {}, query: {}, headers, credentials: [], content, url: 'http://a' };
  const steps = step(new World(specification, { mayAdd: true }), request);
  return [...new Set(steps.flatMap(({ prediction }): readonly unknown[] => [prediction.status].flat()))];
}

it.each<[Json, readonly number[]]>([
  [{ note: 'paid' }, [201]],
  [{ customerId: 'c' }, [201, 422]],
  [{ payerIds: ['c'] }, [201, 422]],
  [{ note: 5 }, [422]],
])(
  'a key of which nobody says what it leads to may be refused as what does not fit: %o',
  (content, statuses) => {
    expect(statusesOf(content)).toEqual(statuses);
  },
);
