import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server } from 'node:net';

/** Where webhooks go: one receiver that takes each, and targets that are dead, each in its way; all on loopback. */
export interface Receivers {
  readonly good: string;
  /** The address of a dead target, by its number: a third are not found, a third hang, a third answer 500. */
  readonly dead: (index: number) => string;
  /** The port of the DNS server that finds the good one's name. */
  readonly dnsPort: number;
  /** How many attempts have reached a dead target, or asked for its name. */
  readonly attempts: () => number;
}

/** @param arrived told of the body of each message that the good one was sent */
export async function startReceivers(arrived: (body: string) => void): Promise<Receivers> {
  let attempts = 0;
  const good = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk;
    });
    request.on('end', () => {
      arrived(body);
      response.writeHead(204).end();
    });
  });
  const failing = createServer((request, response) => {
    attempts += 1;
    request.resume().on('end', () => response.writeHead(500).end());
  });
  const hanging = createTcpServer((socket) => {
    attempts += 1;
    socket.resume().on('error', () => {});
  });
  const [goodPort, failingPort, hangingPort] = await Promise.all([good, failing, hanging].map(listen));
  const dnsPort = await startDns(() => {
    attempts += 1;
  });
  return {
    good: `http://good.test:${goodPort}/`,
    dead: (index) =>
      [
        `http://dead-${index}.test/`,
        `http://127.0.0.1:${hangingPort}/${index}`,
        `http://127.0.0.1:${failingPort}/${index}`,
      ][index % 3] as string,
    dnsPort,
    attempts: () => attempts,
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** A server of DNS (RFC 1035 §4) that finds `good.test`; of other names, it fails on some, denies some, and ignores most. */
function startDns(asked: () => void): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const name = nameIn(query);
    const reply = Buffer.from(query);
    reply.writeUInt16BE(0x8180, 2);
    const send = (message: Buffer): void => socket.send(message, port, address);
    if (name === 'good.test') {
      const isIpv4 = query.readUInt16BE(query.indexOf(0, 12) + 1) === 1;
      // What follows the question, such as EDNS, is left out.
      const question = reply.subarray(0, query.indexOf(0, 12) + 5);
      question.writeUInt16BE(isIpv4 ? 1 : 0, 6);
      question.writeUInt32BE(0, 8);
      send(isIpv4 ? Buffer.concat([question, answer]) : question);
      return;
    }
    asked();
    const turn = Number(name.match(/\d+/)?.[0]) % 4;
    if (turn > 1) return;
    reply.writeUInt16BE(turn === 0 ? 0x8182 : 0x8183, 2);
    send(reply);
  });
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)));
}

/** 127.0.0.1, for a minute, by the name at the 12th byte. */
const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += (query[at] as number) + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] as number)));
  return labels.join('.').toLowerCase();
}
