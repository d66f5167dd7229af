import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Answer, ask, type Served, start } from '../service/served.ts';

type Options = Parameters<typeof start>[1];

/** Serves an example, with parts of its text replaced. */
function serve(name: string, options?: Options, ...changes: [string, string][]): Promise<Served> {
  const text = readFileSync(new URL(`../../examples/${name}.md`, import.meta.url), 'utf8');
  const changed = changes.reduce((so, [what, by]) => {
    expect(so).toContain(what);
    return so.replace(what, () => by);
  }, text);
  return start(changed, options);
}

const bearer = (key: string): string[] => [`Authorization: Bearer ${key}`];
const said = ({ status, body }: Answer): unknown => [status, body];

it('the parcel desk takes scans that arrive after delivery, and no others than those of the courier', async () => {
  const service = await serve('parcel-desk', { credentials: { desk: { office: 'open sesame' } } });
  const office = [`Authorization: Basic ${Buffer.from('office:open sesame').toString('base64')}`];
  const key = async (name: string, role: string): Promise<string[]> => {
    const made = await ask(service, 'POST /accounts', { email: `${name}@example.org`, role }, office);
    return [`X-Desk-Key: ${(made.body as { key: string }).key}`];
  };
  const [ada, carl, dora] = [
    await key('ada', 'sender'),
    await key('carl', 'courier'),
    await key('dora', 'courier'),
  ];
  const parcel = { recipient: 'Ada', address: { street: 'Low 1', town: 'Ely', country: 'GB' }, weight: 900 };
  const { id } = (await ask(service, 'POST /parcels', parcel, ada)).body as { id: string };
  const status = async (line: string, by: string[], body?: object): Promise<number> =>
    (await ask(service, line, body, by)).status;
  const place = { place: 'Ely' };
  expect(await status(`POST /parcels/${id}/scans`, carl, place)).toBe(403);
  expect(await status(`POST /parcels/${id}/pick-up`, carl, place)).toBe(200);
  expect(await status(`POST /parcels/${id}/scans`, dora, place)).toBe(403);
  expect(await status(`POST /parcels/${id}/delivery`, dora)).toBe(403);
  expect(await status(`POST /parcels/${id}/delivery`, carl)).toBe(200);
  expect(await status(`POST /parcels/${id}/scans`, carl, place)).toBe(201);
  const old = [...ada, 'Desk-Version: 2026-01-15'];
  const heavier = async (mass: string): Promise<unknown> =>
    ((await ask(service, `GET /parcels?heavier=${mass}`, undefined, old)).body as { items: unknown[] }).items
      .length;
  expect([await heavier('0.5'), await heavier('1')]).toEqual([1, 0]);
  expect(await status('GET /parcels', [])).toBe(401);
});

it('a merchant sees nothing of the payments and customers of another, and captures no more than was asked for', async () => {
  const keys = ['sk_aaaaaaaaaaaaaaaaaaaaaaaa', 'sk_bbbbbbbbbbbbbbbbbbbbbbbb'] as const;
  const service = await serve(
    'payments',
    undefined,
    ['(open) which merchants are there?', `[{ id: a, key: ${keys[0]} }, { id: b, key: ${keys[1]} }]`],
    ["(open) the account's own; where is that kept?", "'2026-01-01'\nversions: { 2026-01-01: {} }"],
    [
      'initial: "${this.payment_method',
      "initial: \"${this.description == 'held' ? 'requires_capture' : this.payment_method",
    ],
  );
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const post = (path: string, key: string, body?: string): Promise<Answer> =>
    ask(service, `POST /v1${path}`, body, [...bearer(key), ...(body === undefined ? [] : [form])]);
  const [own, other] = keys;
  const made = await post('/payment_intents', own, 'amount=1000&currency=eur&description=held');
  const { id } = made.body as { id: string };
  const customer = ((await post('/customers', own, 'name=Ada')).body as { id: string }).id;
  expect((await post(`/payment_intents/${id}/capture`, own, 'amount_to_capture=1001')).status).toBe(400);
  expect((await post(`/payment_intents/${id}`, own, 'amount=5')).status).toBe(400);
  expect((await post(`/payment_intents/${id}`, own, 'metadata[a]=b')).status).toBe(200);
  expect((await post(`/payment_intents/${id}/capture`, own)).body).toMatchObject({
    status: 'succeeded',
    amount_received: 1000,
  });
  for (const [path, found, unknown] of [
    ['/refunds', `payment_intent=${id}&amount=1`, 'payment_intent=pi_none&amount=1'],
    [
      '/payment_intents',
      `customer=${customer}&amount=1&currency=eur`,
      'customer=cus_none&amount=1&currency=eur',
    ],
  ] as const)
    expect(said(await post(path, other, found))).toEqual(said(await post(path, other, unknown)));
  expect((await post('/refunds', own, `payment_intent=${id}&amount=1&status=failed`)).status).toBe(400);
  expect((await post('/refunds', own, `payment_intent=${id}&amount=1`)).status).toBe(200);
  expect((await ask(service, 'GET /v1/customers')).status).toBe(401);
});

it('the directory answers a manager of another tenant as one that there is not, and looks names up in any case', async () => {
  const service = await serve('directory');
  const signUp = async (name: string): Promise<string[]> =>
    bearer(((await ask(service, 'POST /Tenants', { name })).body as { key: string }).key);
  const [acme, other] = [await signUp('Acme'), await signUp('Other')];
  const { id } = (await ask(service, 'POST /Users', { userName: 'Ann' }, acme)).body as { id: string };
  const refused = async (manager: string): Promise<unknown> =>
    said(await ask(service, 'POST /Users', { userName: 'eve', manager }, other));
  expect(await refused(id)).toEqual(await refused('per_none'));
  const found = await ask(service, 'GET /Lookup?userName=aNN', undefined, acme);
  expect(said(found)).toMatchObject([200, { id }]);
});

it('older versions of subscriptions have all amounts in euros, and call every plan a tier', async () => {
  const service = await serve('subscriptions', { credentials: { accounts: { office: 'open sesame' } } });
  const at = (version: string): string[] => [`Subscriptions-Version: ${version}`];
  const plans = async (version: string): Promise<unknown> =>
    (await ask(service, 'GET /plans', undefined, at(version))).body;
  expect(await plans('2026-11-01')).toMatchObject({ plans: [{ price: 900 }, { price: 4900 }] });
  expect(await plans('2026-06-01')).toMatchObject({ plans: [{ price: 9 }, { price: 49 }] });
  expect(await plans('2026-01-15')).toMatchObject({ tiers: [{ price: 9 }, { price: 49 }] });
  const made = await ask(
    service,
    'POST /customers',
    { email: 'a@example.org', tier: 'team' },
    at('2026-01-15'),
  );
  expect(said(made)).toMatchObject([201, { tier: 'team' }]);
});

it('the broker compares the plan of a binding with that of its instance, which may have changed', async () => {
  const service = await serve('broker', { credentials: { basic: { platform: 'p' } } });
  const by = [
    `Authorization: Basic ${Buffer.from('platform:p').toString('base64')}`,
    'X-Broker-Version: 2.1',
  ];
  const status = async (line: string, body?: object): Promise<number> =>
    (await ask(service, line, body, by)).status;
  const shared = { service: 'database', plan: 'shared' };
  const dedicated = { service: 'database', plan: 'dedicated' };
  expect(await status('PUT /v2/instances/i', { ...shared, space: 's' })).toBe(201);
  expect(await status('PUT /v2/instances/i/bindings/b', dedicated)).toBe(400);
  expect(await status('PUT /v2/instances/i/bindings/b', shared)).toBe(201);
  expect(await status('PATCH /v2/instances/i?asynchronous=true', dedicated)).toBe(202);
  expect(await status('DELETE /v2/instances/i/bindings/b?service=database&plan=shared')).toBe(400);
  expect(await status('DELETE /v2/instances/i/bindings/b?service=database&plan=dedicated')).toBe(200);
});
