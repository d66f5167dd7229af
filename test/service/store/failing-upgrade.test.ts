import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { StoreRefused } from '../../../src/service/store/store.ts';
import { dataFile, start } from '../served.ts';
import { type Around, type Call, copied, diskError, dump, watched } from './failing.ts';
import { after, before, laidOut } from './parcels.ts';

async function begin(text: string, data: string, around: Around = {}): Promise<void> {
  const connectTo = watched(around);
  const service = await start(text, { data, open: (file, tables) => openSqlite(file, tables, connectTo) });
  await service.close();
}

describe('a file that is brought over to another specification', () => {
  it('is as before, or as it is to be, where one storage call fails; and then is brought over', async () => {
    const data = await laidOut(dataFile());
    const old = dump(data);
    await begin(after, copied(data, `${data}-sound`));
    const whole = dump(`${data}-sound`);
    expect(whole).toContain('{\\"tags\\":[\\"all\\",\\"t3\\"],\\"weight\\":1500}');
    expect(whole).toContain('{\\"note\\":\\"n\\"}');
    for (const moment of ['before', 'after'] as const) {
      let isOver = false;
      let at = 0;
      while (!isOver) {
        at += 1;
        isOver = true;
        const file = copied(data, `${data}-${moment}-${at}`);
        const strike = ({ number }: Call): void => {
          if (number !== at) return;
          isOver = false;
          throw diskError();
        };
        const refused = await begin(after, file, { [moment]: strike }).catch((error: unknown) => error);
        // What comes after the file was brought over is no reason to refuse it.
        const isRefused = refused instanceof StoreRefused;
        expect({ at, isFit: isRefused ? [old, whole].includes(dump(file)) : dump(file) === whole }).toEqual({
          at,
          isFit: true,
        });
        await begin(after, file);
        expect({ at, isWhole: dump(file) === whole }).toEqual({ at, isWhole: true });
      }
      expect(at).toBeGreaterThan(20);
    }
  });

  it('is as before, or as it is to be, where the process is killed at any storage call', async () => {
    const data = await laidOut(dataFile());
    const old = dump(data);
    const killed = copied(data, `${data}-killed`);
    const copies: string[] = [];
    const copy = (): void => {
      copies.push(copied(killed, `${data}-${copies.length}`));
    };
    await begin(after, killed, { before: copy, after: copy });
    const whole = dump(killed);
    const found = copies.map((file) => {
      const again = copied(file, `${file}-again`);
      return dump(again);
    });
    const first = found.indexOf(whole);
    expect(found).toEqual(found.map((_one, index) => (index < first ? old : whole)));
    expect(first).toBeGreaterThan(20);
    for (const [index, file] of copies.entries()) {
      // The old one still goes on with what was not brought over.
      if (index < first) await begin(before, file);
      await begin(after, file);
      expect({ index, isWhole: dump(file) === whole }).toEqual({ index, isWhole: true });
    }
  });
});
