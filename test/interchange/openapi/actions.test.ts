import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { serve } from '../../../src/service/service.ts';
import { readOutlined } from '../../../src/specification/read.ts';
import { body, guessed, json, to } from './guessed.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-actions-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Orders, each with a status, and an action upon one. */
function orders(action: string, status: object, more: object = {}, answer: object = to('Order')) {
  return {
    paths: {
      '/orders': {
        get: { responses: json({ type: 'array', items: to('Order') }) },
        post: { requestBody: body('Order'), responses: json(to('Order'), '201') },
      },
      '/orders/{orderId}': { get: { responses: json(to('Order')) } },
      [`/orders/{orderId}/${action}`]: { post: { responses: json(answer) } },
    },
    schemas: {
      Order: {
        type: 'object',
        properties: { id: { type: 'string', format: 'uuid', readOnly: true }, status, ...more },
      },
    },
  };
}

const said = (values: readonly string[]): object => ({ type: 'string', enum: values });
const at = (action: string): string => `endpoints["POST /orders/{orderId}/${action}"]`;

describe('an action upon an item', () => {
  it.each([
    ['cancel', 'cancelled'],
    ['cancel', 'canceled'],
    ['close', 'CLOSED'],
    ['submit', 'submitted'],
    ['pay', 'paid'],
    ['apply', 'applied'],
    ['void', 'void'],
  ])('%s makes its status %s, if that is one of those listed', (action, value) => {
    const { paths, schemas } = orders(action, said(['open', value]));
    const { all, sure, waiting } = guessed(paths, schemas);
    expect(waiting).toEqual([]);
    expect(all[`${at(action)}.does`]).toEqual({ update: 'Order', with: { status: value } });
    expect(all[`${at(action)}.request.path.orderId`]).toBe('Order.id');
    expect(all[`${at(action)}.response.body`]).toBe('Order');
    // Nobody says when it is refused, so nobody is judged by it.
    expect(
      ['does', 'request.path.orderId', 'response.body'].map((each) => sure[`${at(action)}.${each}`]),
    ).toEqual(['stand-in', 'stand-in', 'stand-in']);
  });

  it.each([
    ['the status has no such value', orders('cancel', said(['open', 'closed']))],
    ['two of its values might be meant', orders('cancel', said(['canceled', 'cancelled']))],
    ['it is only on the way there', orders('cancel', said(['open', 'cancelling']))],
    ['no values are listed', orders('cancel', { type: 'string' })],
    ['two members tell a state', orders('cancel', said(['canceled']), { state: said(['canceled']) })],
    ['it answers something else', orders('cancel', said(['canceled']), {}, { type: 'object' })],
  ])('stays open if %s', (_, { paths, schemas }) => {
    expect(guessed(paths, schemas).waiting).toEqual([at('cancel').slice('endpoints["'.length, -2)]);
  });

  it('is carried out upon the item that the path names', async () => {
    const { paths, schemas } = orders('cancel', said(['open', 'cancelled']));
    const content = {
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      paths,
      components: { schemas },
    };
    const imported = importOpenApi('x.json', JSON.stringify(content));
    const { specification } = readOutlined('x.json', outlined(imported), imported.guesses);
    const service = await serve(specification, { data: join(folder, 'orders.sqlite') });
    const ask = async (method: string, path: string, given?: object): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${service.address}${path}`, {
        method,
        ...(given && { body: JSON.stringify(given), headers: { 'content-type': 'application/json' } }),
      });
      return { code: answer.status, ...((await answer.json()) as object) };
    };
    const { id } = await ask('POST', '/orders', { status: 'open' });
    await ask('POST', '/orders', { status: 'open' });
    expect(await ask('POST', `/orders/${id}/cancel`)).toEqual({ code: 200, id, status: 'cancelled' });
    expect(await ask('GET', `/orders/${id}`)).toEqual({ code: 200, id, status: 'cancelled' });
    await service.close();
  });
});
