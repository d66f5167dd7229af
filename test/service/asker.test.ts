import { describe, expect, it } from 'vitest';
import { ask, start } from './served.ts';

const text = (per: string): string => `
tacet: 1
complete: true
name: orders
service: { purpose: (none), actors: { clerk: a clerk }, scope: (none) }
resources:
  Person: { identifier: name, fields: { name: { type: string } }, items: [{ name: ann }, { name: bob }] }
  Order:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      what: { type: string }
    required: [what]
states: (none)
endpoints:
  others: refuse
  POST /orders:
    operation: order
    does: create Order
    request: { body: Order }
    idempotency: { header: Idempotency-Key, required: false, life: PT1H, per: ${per}, remembers: all }
    response: { status: 201, body: Order }
  GET /orders:
    operation: orders
    does: list Order
    request: { query: { n: { type: integer, taken: { handled: half } } } }
    response: { status: 200, body: "\${Order(page.items)}" }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: operator, actor: Person.name, challenge: Key }
    desk: { type: http, scheme: bearer, credentials: operator, actor: clerk, challenge: Bearer }
  several: refuse
  otherwise: known
events: (none)
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    unknown: { when: not authenticated, status: 401 }
    invalid: { when: invalid, status: 422 }
    reused: { when: key reused, status: 409 }
    sold_out: { when: "\${request.body.what == 'moon'}", operations: [order], status: 410 }
    internal: { when: internal, status: 500 }
limits: (none)
versioning: (none)
`;

const credentials = { key: { ann: 'a', bob: 'b' }, desk: { one: 'first', two: 'second' } };
const key = 'Idempotency-Key: k';

async function ordering(per: string) {
  const calls: unknown[] = [];
  const half = ({ value }: { value: unknown }): unknown => {
    calls.push(value);
    return Number(value) / 2;
  };
  const service = await start(text(per), { credentials, handlers: { half } as never });
  const order = async (by: string, what = 'tea') => {
    const { status, body } = await ask(service, 'POST /orders', { what }, [by, key]);
    return [status, (body as { id?: number; code?: string }).id ?? (body as { code?: string }).code];
  };
  return { service, order, calls };
}

describe('a key that comes again from somebody else', () => {
  it('is theirs where each actor has keys of their own', async () => {
    const { order } = await ordering('actor');
    expect(await order('X-Key: a')).toEqual([201, 1]);
    expect(await order('X-Key: b')).toEqual([201, 2]);
    expect(await order('X-Key: a')).toEqual([201, 1]);
    expect(await order('Authorization: Bearer first')).toEqual([201, 3]);
    expect(await order('Authorization: Bearer second')).toEqual([201, 4]);
    expect(await order('Authorization: Bearer first')).toEqual([201, 3]);
  });

  it('is used already where it is one for the whole service', async () => {
    const { order } = await ordering('key');
    expect(await order('X-Key: a')).toEqual([201, 1]);
    expect(await order('X-Key: b')).toEqual([409, 'reused']);
    expect(await order('Authorization: Bearer first')).toEqual([409, 'reused']);
    expect(await order('X-Key: a')).toEqual([201, 1]);
  });

  it.each(['actor', 'key'])('is refused by a row of its own as any other (per: %s)', async (per) => {
    const { order } = await ordering(per);
    expect(await order('X-Key: a', 'moon')).toEqual([410, 'sold_out']);
    expect(await order('X-Key: a', 'moon')).toEqual([410, 'sold_out']);
  });
});

describe('what the operator gives', () => {
  it('is called once it is known who asks', async () => {
    const { service, calls } = await ordering('key');
    expect((await ask(service, 'GET /orders?n=4')).status).toBe(401);
    expect((await ask(service, 'GET /orders?n=4', undefined, ['X-Key: c'])).status).toBe(401);
    expect(calls).toEqual([]);
  });
});
