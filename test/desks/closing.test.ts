import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startDesk } from './fastify/desk.ts';
import { passing } from './passing.ts';
import { credentials } from './running.ts';

it('ends what is on its way to a host that never answers when it is closed', async () => {
  const host = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void host.close());
  await once(host, 'listening');
  const { port } = host.address() as AddressInfo;
  const comes = once(host, 'connection');
  const desk = await startDesk({ port: 0, secrets: credentials.desk, clock: passing() });
  const ask = async (path: string, key: string, body: object): Promise<Record<string, string>> => {
    const headers = { 'Content-Type': 'application/json', ...(key && { 'X-Desk-Key': key }) };
    const answer = await fetch(`${desk.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 201]);
    return (await answer.json()) as Record<string, string>;
  };
  const { key = '' } = await ask('/accounts', '', { email: 'ada@example.org', role: 'sender' });
  await ask('/hooks', key, { url: `https://127.0.0.1:${port}/`, kinds: ['parcel.registered'] });
  const address = { street: 'Mill Lane 1', town: 'Bath', country: 'GB' };
  await ask('/parcels', key, { recipient: 'Grace', address, weight: 900 });
  const [socket] = (await comes) as [Socket];
  const ends = once(socket, 'close');
  socket.resume();
  await desk.close();
  await ends;
  expect(socket.destroyed).toBe(true);
});
