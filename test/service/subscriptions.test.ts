import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { Got } from './publishing.ts';
import { bench, type Running } from './running.ts';

const { serving, end } = bench();
afterAll(end);

const document = readFileSync(new URL('../../examples/subscriptions.md', import.meta.url), 'utf8');
const dayMs = 86_400_000;
const office = `Basic ${Buffer.from('office:canary').toString('base64')}`;

interface House {
  readonly ask: (line: string, asking?: Asking) => Promise<Got & { readonly fields: Fields }>;
  /** A customer of a plan, by the key that was told once. */
  readonly join: (email: string, plan?: string) => Promise<string>;
  readonly pass: (ms: number) => void;
  readonly running: Running;
}

type Fields = Readonly<Record<string, string>>;
interface Asking {
  readonly key?: string;
  readonly as?: string;
  readonly version?: string;
  readonly body?: unknown;
}

/** The example, with a clock that stands still but where it is let pass. */
async function house<T>(use: (house: House) => Promise<T>): Promise<T> {
  let time = Date.UTC(2026, 10, 21);
  return serving(
    document,
    async (running) => {
      const ask: House['ask'] = async (line, { key, as, version, body } = {}) => {
        const [method = '', target = ''] = line.split(' ');
        const answer = await running.call({
          method,
          target,
          body: body === undefined ? null : JSON.stringify(body),
          fields: {
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
            ...(key !== undefined && { 'X-Api-Key': key }),
            ...(as !== undefined && { Authorization: as }),
            ...(version !== undefined && { 'Subscriptions-Version': version }),
          },
        });
        return {
          status: answer.status,
          body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown),
          challenge: [],
          fields: Object.fromEntries(answer.fields),
        };
      };
      const join = async (email: string, plan = 'team'): Promise<string> => {
        const { body } = await ask('POST /customers', { body: { email, plan } });
        return (body as { readonly key: string }).key;
      };
      const pass = (ms: number): void => {
        time += ms;
      };
      return use({ ask, join, pass, running });
    },
    { milliseconds: () => time, counter: 'process', credentials: { accounts: { office: 'canary' } } },
  );
}

const invoicesOf = async ({ ask }: House, key: string) =>
  (
    (await ask('GET /invoices', { key })).body as {
      invoices: { id: string; status: string; amount: number }[];
    }
  ).invoices;

describe('the example subscriptions', () => {
  it('ends a trial after two weeks, and asks for the month', async () => {
    await house(async (here) => {
      const key = await here.join('ann@example.org');
      const made = await here.ask('POST /subscriptions', { key });
      const { id } = made.body as { readonly id: string };
      const status = async () => (await here.ask(`GET /subscriptions/${id}`, { key })).body;
      here.pass(14 * dayMs - 1000);
      expect(await status()).toMatchObject({ status: 'trial', owed: 0 });
      here.pass(1000);
      expect(await status()).toMatchObject({ status: 'active', owed: 4900 });
      const [first] = await invoicesOf(here, key);
      await here.ask(`POST /invoices/${first?.id}/payment`, { as: office });
      here.pass(30 * dayMs);
      expect(await invoicesOf(here, key)).toMatchObject([
        { number: 1, status: 'paid', amount: 4900 },
        { number: 2, status: 'open', amount: 4900 },
      ]);
    });
  });

  it('suspends who has not paid after a week, until that is paid', async () => {
    await house(async (here) => {
      const key = await here.join('ann@example.org', 'basic');
      const { id } = (await here.ask('POST /subscriptions', { key })).body as { readonly id: string };
      const status = async () => (await here.ask(`GET /subscriptions/${id}`, { key })).body;
      here.pass(14 * dayMs);
      const [invoice] = await invoicesOf(here, key);
      here.pass(7 * dayMs);
      expect(await status()).toMatchObject({ status: 'suspended', owed: 900 });
      expect(await here.ask(`POST /invoices/${invoice?.id}/payment`, { key })).toMatchObject({ status: 403 });
      expect(await here.ask(`POST /invoices/${invoice?.id}/payment`, { as: office })).toMatchObject({
        status: 200,
        body: { status: 'paid' },
      });
      expect(await status()).toMatchObject({ status: 'active', owed: 0 });
    });
  });

  it('shows nobody what is another customer’s', async () => {
    await house(async (here) => {
      const [ann, ben] = [await here.join('ann@example.org'), await here.join('ben@example.org')];
      const { id } = (await here.ask('POST /subscriptions', { key: ann })).body as { readonly id: string };
      here.pass(14 * dayMs);
      expect(await here.ask(`GET /subscriptions/${id}`, { key: ben })).toMatchObject({
        status: 404,
        body: { code: 'subscription_unknown' },
      });
      expect(await here.ask(`GET /subscriptions/${id}`)).toMatchObject({ status: 401 });
      expect(await invoicesOf(here, ben)).toEqual([]);
      expect(await here.ask('GET /invoices', { key: `${ann}x` })).toMatchObject({
        body: { code: 'key_wrong' },
      });
    });
  });

  it('lets each ask as often as the plan has it', async () => {
    await house(async (here) => {
      const key = await here.join('ann@example.org', 'basic');
      for (let count = 60; count > 0; count -= 1)
        expect((await here.ask('GET /invoices', { key })).fields['RateLimit']).toBe(
          `"basic";r=${count - 1};t=60`,
        );
      const refused = await here.ask('GET /invoices', { key });
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } });
      expect(refused.fields['Retry-After']).toBe('60');
      const other = await here.join('ben@example.org', 'team');
      expect((await here.ask('GET /invoices', { key: other })).fields['RateLimit']).toMatch(/^"team";r=599/);
      here.pass(60_000);
      expect(await here.ask('GET /invoices', { key })).toMatchObject({ status: 200 });
    });
  });

  it('speaks three versions', async () => {
    await house(async (here) => {
      const key = await here.join('ann@example.org');
      const { id } = (await here.ask('POST /subscriptions', { key })).body as { readonly id: string };
      here.pass(14 * dayMs);
      const line = `GET /subscriptions/${id}`;
      expect((await here.ask(line, { key, version: '2026-06-01' })).body).toMatchObject({ plan: 'team' });
      const oldest = await here.ask(line, { key, version: '2026-01-15' });
      expect(oldest.body).toMatchObject({ tier: 'team', owed: 4900 });
      expect(oldest.body).not.toHaveProperty('plan');
      expect(oldest.fields).toMatchObject({
        Deprecation: '@1780272000',
        Sunset: 'Mon, 01 Mar 2027 00:00:00 GMT',
      });
      for (const version of ['2026-06-01', '2026-01-15'])
        expect((await here.ask('GET /invoices', { key, version })).body).toMatchObject({
          invoices: [{ total: 49 }],
        });
      const end = { key, version: '2026-01-15' };
      expect(await here.ask(`POST /subscriptions/${id}/cancellation`, end)).toMatchObject({ status: 404 });
      here.pass(200 * dayMs);
      expect(await here.ask(line, end)).toMatchObject({ status: 400, body: { code: 'version_unknown' } });
    });
  });
});
