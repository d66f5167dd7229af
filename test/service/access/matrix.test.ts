import { afterAll, describe, expect, it } from 'vitest';
import { bench, reader } from '../running.ts';
import { columnsOf } from './askers.ts';
import { matrix } from './matrix.ts';
import { example } from './stage.ts';
import { broker } from './stages/broker.ts';
import { parcelDesk } from './stages/parcel-desk.ts';
import { payments } from './stages/payments.ts';
import { publishing } from './stages/publishing.ts';
import { subscriptions } from './stages/subscriptions.ts';

const { serving, end } = bench();
afterAll(end);

/** By example, how many operations there are, each about something of everybody's, and how many ask, each with something. */
describe('whom each operation is for, in every example that states it (language §5)', () => {
  it.each([
    ['parcel-desk', parcelDesk, 22, 26],
    ['broker', broker, 9, 10],
    ['publishing', publishing, 31, 12],
    ['subscriptions', subscriptions, 18, 24],
    ['payments', payments, 29, 23],
  ] as const)('is kept to in each cell of %s', { timeout: 240_000 }, async (_, stage, rows, askers) => {
    const { columns, ...tried } = await matrix(serving, stage);
    expect(tried).toEqual({ rows, askers, wrong: [] });
    const { specification } = reader(stage.document);
    expect([...columnsOf(specification)].filter((one) => !columns.has(one))).toEqual([]);
  });

  it('is seen not to be, where it is not', async () => {
    const served = broker.document.replace('otherwise: platform', 'otherwise: anyone');
    const { wrong } = await matrix(serving, broker, served);
    expect(new Set(wrong.map(({ what }) => what))).toContain('it changed something');
    expect(wrong.length).toBeGreaterThan(9);
  });

  it.each([
    ['scanParcel', parcelDesk, /^ {2}not_scanned: .*\n/m, '', 'it changed something'],
    ['createPayment', payments, /createPayment: .*/, 'createPayment: known', 'it changed something'],
    ['createRefund', payments, /createRefund: .*/, 'createRefund: known', 'charge_already_refunded'],
  ] as const)(
    'is seen not to be, where of %s another rule is kept to',
    async (operation, stage, from, to, due) => {
      const { wrong } = await matrix(serving, stage, stage.document.replace(from, to), [operation]);
      expect(wrong.map(({ what }) => what).join()).toContain(due);
    },
  );
});

describe('an example that leaves open who has credentials', () => {
  it.each(['issue-tracker', 'train-travel'])('lets nobody through: %s', async (name) => {
    const { specification } = reader(example(name));
    await serving(example(name), async ({ call, rows, held }) => {
      const before = await rows();
      for (const { key } of specification.operations)
        for (const credential of [undefined, 'Bearer x', 'Bearer ', 'Basic eDp4']) {
          const [method = '', path = ''] = key.split(' ');
          const fields = credential === undefined ? {} : { Authorization: credential };
          const { status } = await call({
            method,
            target: path.replace(/\{\w+\}/g, '1'),
            fields,
            body: null,
          });
          expect(`${key} with ${credential}: ${status}`).toBe(`${key} with ${credential}: 501`);
        }
      expect(await rows()).toEqual(before);
      expect(held().some((address) => address.startsWith('authentication'))).toBe(true);
    });
  });
});
