import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ask, start } from '../service/served.ts';

it('the parcel desk tells nobody who may not act on parcels which of them there are', async () => {
  const text = readFileSync(new URL('../../examples/parcel-desk.md', import.meta.url), 'utf8');
  const service = await start(text, { credentials: { desk: { office: 'open sesame' } } });
  const office = [`Authorization: Basic ${Buffer.from('office:open sesame').toString('base64')}`];
  const version = 'Desk-Version: 2026-11-01';
  const account = async (name: string): Promise<string> => {
    const made = await ask(service, 'POST /accounts', { email: `${name}@example.org`, role: 'sender' }, [
      ...office,
      version,
    ]);
    return (made.body as { key: string }).key;
  };
  const [ada, bob] = [await account('ada'), await account('bob')];
  const parcel = { recipient: 'Ada', address: { street: 'Low 1', town: 'Ely', country: 'GB' }, weight: 900 };
  const { id } = (await ask(service, 'POST /parcels', parcel, [`X-Desk-Key: ${ada}`, version])).body as {
    id: string;
  };
  const unknown = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const told = async (line: string, body?: object): Promise<unknown> => {
    const { status, body: said } = await ask(service, line, body, [`X-Desk-Key: ${bob}`, version]);
    return [status, (said as { code: string }).code];
  };
  const actions: (readonly [string, string, object?])[] = [
    ['POST', 'pick-up', { place: 'Ely' }],
    ['POST', 'delivery'],
    ['POST', 'cancellation'],
    ['POST', 'scans', { place: 'Ely' }],
    ['GET', 'scans'],
  ];
  for (const [method, action, body] of actions) {
    const found = await told(`${method} /parcels/${id}/${action}`, body);
    expect([action, found]).toEqual([action, await told(`${method} /parcels/${unknown}/${action}`, body)]);
  }
});
