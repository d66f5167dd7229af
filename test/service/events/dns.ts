import { createSocket } from 'node:dgram';
import { onTestFinished } from 'vitest';

/** What a server of DNS says of a name: its addresses, a code (RFC 1035 §4.1.1: 2 it failed, 3 there is none), or nothing. */
export type Says = readonly string[] | number | null;

/** A server of DNS on loopback, and the names that it was asked for addresses of IPv4, in order. */
export interface Dns {
  readonly server: string;
  readonly asked: string[];
}

export async function dns(say: (name: string) => Says): Promise<Dns> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const name = nameIn(query);
    const isIpv4 = query.readUInt16BE(end - 4) === 1;
    if (isIpv4) asked.push(name);
    const said = say(name);
    if (said === null) return;
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(0x8180 | (typeof said === 'number' ? said : 0), 2);
    const addresses = typeof said === 'number' || !isIpv4 ? [] : said;
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = addresses.map((one) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...one.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += (query[at] as number) + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] as number)));
  return labels.join('.').toLowerCase();
}
