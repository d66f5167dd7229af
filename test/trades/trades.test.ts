import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { status } from '../../src/report/status.ts';
import type { Assumption } from '../../src/specification/openness/ledger.ts';
import { read } from '../../src/specification/read.ts';
import { start } from '../service/served.ts';
import { auction } from './auction/faults.ts';
import { booking } from './booking/faults.ts';
import { chat } from './chat/faults.ts';
import { clinic } from './clinic/faults.ts';
import { devices } from './devices/faults.ts';
import { folders } from './folders/faults.ts';
import { ledger } from './ledger/faults.ts';
import { library } from './library/faults.ts';
import { stock } from './stock/faults.ts';
import { studio } from './studio/faults.ts';
import { surveys } from './survey/faults.ts';
import { type Clock, play, type Trade } from './witness.ts';
import { workshop } from './workshop/faults.ts';

const trades: readonly Trade[] = [
  // Each has a line of its own.
  folders,
  auction,
  booking,
  chat,
  clinic,
  devices,
  ledger,
  library,
  stock,
  studio,
  surveys,
  workshop,
];

/** The others have 40 faults. */
const withThirty: readonly Trade[] = [studio, workshop];

const clockOf = (): Clock => ({ milliseconds: Date.parse('2026-03-02T10:00:00Z') });

describe.each(trades)('the trade of $name', (trade) => {
  const text = readFileSync(trade.document, 'utf8');
  afterAll(() => trade.end?.());

  it('has a document without diagnostics and open points, and faults of statements in it', () => {
    const { specification, diagnostics } = read('trade.md', text);
    expect(diagnostics).toEqual([]);
    const points = status(specification).parts.flatMap((part) => part.points);
    expect(points.filter(({ state }) => state === 'open').map(({ address }) => address)).toEqual([]);
    expect(new Set(trade.faults.map(({ id }) => id)).size).toBe(withThirty.includes(trade) ? 30 : 40);
    const statements = [...new Set(trade.faults.map(({ statement }) => statement))];
    // What a ledger would say otherwise is stated in the document (language §A.6).
    const assumptions = statements.map((at): Assumption => ({ at, value: '?' }));
    const stated = read('trade.md', text, assumptions)
      .diagnostics.filter(({ code }) => code === 'assumption-differs')
      .map(({ message }) => message.split(' is assumed to be ')[0] ?? '');
    expect(statements.filter((at) => !stated.includes(at))).toEqual([]);
  });

  it.each(trade.faults)('$id: $what', async ({ id, witness }) => {
    const clock = clockOf();
    const right = await trade.start({ fault: null, now: () => clock.milliseconds });
    expect(await play(trade, witness, right, clock)).toBe(null);
    await right.close();
    const clockOfFault = clockOf();
    const faulty = await trade.start({ fault: id, now: () => clockOfFault.milliseconds });
    const found = await play(trade, witness, faulty, clockOfFault);
    await faulty.close();
    expect(found).toMatchObject({
      step: witness.length - 1,
      why: expect.not.stringMatching(/: 500 in place/),
    });
  });

  it('is served from its document as its witnesses expect', async () => {
    const differences: string[] = [];
    for (const { id, witness } of trade.faults) {
      const clock = clockOf();
      const served = await start(text, {
        milliseconds: () => clock.milliseconds,
        // Receivers of webhooks are on loopback.
        allowPrivate: ['127.0.0.1'],
      });
      const found = await play(trade, witness, served, clock);
      if (found !== null) differences.push(`${id}, step ${found.step}: ${found.why}`);
      await served.close();
    }
    expect(differences).toEqual([]);
  });
});
