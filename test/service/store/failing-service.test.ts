import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { FateUnknown, NotKept, NotRead } from '../../../src/service/store/store.ts';
import { ask, type Served, start } from '../served.ts';
import { desk } from './desk.ts';
import { type Around, copied, diskError, dump, watched } from './failing.ts';

/** A request, and the status that it is answered by. */
interface Asked {
  readonly line: string;
  readonly body?: unknown;
  readonly fields?: readonly string[];
  readonly status: number;
}

/** One kind of write, about items of its own for each `n`: what goes before it, and the write. */
interface Kind {
  readonly before: (n: number) => readonly Asked[];
  readonly write: (n: number) => Asked;
}

const newDesk = (n: number): Asked => ({ line: 'POST /desks', body: { id: `d${n}` }, status: 201 });
const newParcel = (n: number, id = `p${n}`): Asked => ({
  line: 'POST /parcels',
  body: { id, desk: `d${n}`, code: id },
  fields: [`Idempotency-Key: ${id}`],
  status: 201,
});
const both = (n: number): readonly Asked[] => [newDesk(n), newParcel(n)];
const at = (method: string, n: number, end = '', body?: unknown): Asked => ({
  line: `${method} /parcels/p${n}${end}`,
  body,
  status: 204,
});

const kinds: Readonly<Record<string, Kind>> = {
  'a create': { before: () => [], write: newDesk },
  'a create with a reference, a unique field, a sequence, a machine and a key': {
    before: (n) => [newDesk(n)],
    write: newParcel,
  },
  'an update': { before: both, write: (n) => at('PATCH', n, '', { note: 'n' }) },
  'a replace': { before: both, write: (n) => at('PUT', n, '', { desk: `d${n}`, code: `c${n}` }) },
  'an update with a further change': { before: both, write: (n) => at('POST', n, '/both') },
  'a transition with further changes and a timer': { before: both, write: (n) => at('POST', n, '/pick-up') },
  'a delete that clears a reference': {
    before: (n) => [...both(n), at('POST', n, '/pick-up')],
    write: (n) => at('DELETE', n),
  },
  'a delete of all that refers to it': {
    before: (n) => [...both(n), at('POST', n, '/pick-up'), newParcel(n, `q${n}`)],
    write: (n) => ({ line: `DELETE /desks/d${n}`, status: 204 }),
  },
  'a delete of every item': {
    before: (n) => [...both(n), at('POST', n, '/both')],
    write: () => ({ line: 'DELETE /labels', status: 204 }),
  },
};

/** Whether the fault comes before the call has an effect or after it, and whether it stays. */
const faults = (
  [
    ['once, before it has an effect', 'before', false],
    ['and all that follow, after they had their effect', 'after', true],
    ['once, after it had its effect', 'after', false],
    ['and all that follow, before they have an effect', 'before', true],
  ] as const
).slice(0, process.env['TACET_LONG'] ? 4 : 2);

/** The status of the answer; null where the connection ended before one came. */
async function sent(service: Served, { line, body, fields }: Asked): Promise<number | null> {
  return ask(service, line, body, fields).then(
    ({ status }) => status,
    () => null,
  );
}

async function prepared(service: Served, kind: Kind, n: number): Promise<void> {
  for (const one of kind.before(n))
    expect([one.line, await sent(service, one)]).toEqual([one.line, one.status]);
}

/** A service of which every storage call is seen once it is armed, and for which time stands still. */
async function watchedService(): Promise<{ service: Served; arm: (around: Around) => void }> {
  let armed: Around = {};
  const connectTo = watched({
    before: (call) => armed.before?.(call),
    after: (call) => armed.after?.(call),
  });
  const service = await start(desk, {
    open: (file, tables) => openSqlite(file, tables, connectTo),
    milliseconds,
  });
  return {
    service,
    arm: (around) => {
      armed = around;
    },
  };
}

const milliseconds = (): number => 1_800_000_000_000;

describe.each(Object.entries(kinds))('%s, of which one storage call fails', (_, kind) => {
  it.each(faults)(
    'is answered 503 and leaves nothing, or is whole; then it succeeds: %s',
    { timeout: 60_000 },
    async (__, moment, stays) => {
      const { service, arm } = await watchedService();
      for (let n = 1, isOver = false; !isOver; n++) {
        await prepared(service, kind, n);
        const before = dump(service.data);
        const write = kind.write(n);
        let calls = 0;
        let isStruck = false;
        const strike = (): void => {
          calls += 1;
          if (calls !== n && !(stays && calls > n)) return;
          isStruck = true;
          throw diskError();
        };
        arm({ [moment]: strike });
        const status = await sent(service, write);
        if (stays && isStruck) expect(await sent(service, newDesk(-n))).toBe(503);
        if (stays && isStruck) expect(await sent(service, { line: 'GET /desks', status: 503 })).toBe(503);
        arm({});
        isOver = !isStruck;
        const found = dump(service.data);
        if (isOver) expect(status).toBe(write.status);
        else expect([503, null]).toContain(status);
        if (status === 503) expect({ n, isAsBefore: found === before }).toEqual({ n, isAsBefore: true });
        expect(await sent(service, { line: 'GET /parcels', status: 200 })).toBe(200);
        // The fate of a transaction that nobody was told is either one: it is not repeated where it was kept.
        if (status !== write.status && found === before)
          expect(await sent(service, write)).toBe(write.status);
        expect(dump(service.data)).not.toBe(before);
        if (isOver) expect(n).toBeGreaterThan(3);
      }
      for (const fault of service.faults)
        expect([NotKept, NotRead, FateUnknown].some((one) => fault instanceof one)).toBe(true);
      expect(service.faults.length).toBeGreaterThan(0);
    },
  );
});

describe.each(Object.entries(kinds))('%s, amid which the process is killed', (_, kind) => {
  it('at any storage call is whole or was never made, and so it is once the service begins again', {
    timeout: 120_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-killed-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { service, arm } = await watchedService();
    await prepared(service, kind, 1);
    const before = dump(service.data);
    const copies: string[] = [];
    const copy = (): void => {
      copies.push(copied(service.data, join(folder, `${copies.length}.sqlite`)));
    };
    arm({ before: copy, after: copy });
    const write = kind.write(1);
    expect(await sent(service, write)).toBe(write.status);
    arm({});
    const after = dump(service.data);
    expect(after).not.toBe(before);
    copy();
    const found: string[] = [];
    for (const data of copies) {
      await (await start(desk, { data, milliseconds })).close();
      found.push(dump(data));
    }
    // First as it was, and from one call on, COMMIT, as it is: so also when it was acknowledged.
    const first = found.indexOf(after);
    expect(found).toEqual(found.map((_one, index) => (index < first ? before : after)));
    expect(first).toBeGreaterThan(0);
  });
});
