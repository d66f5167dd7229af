import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { redisCounter } from '../../../src/service/limits/redis.ts';
import { NotRead, StoreRefused } from '../../../src/service/store/store.ts';

/** A server that answers as Redis does until it is told to say nothing any more, whoever asks. */
async function redis(isSilent: boolean) {
  const sockets = new Set<Socket>();
  const state = { isSilent };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (state.isSilent) return;
      // A command is a list: each is answered with an error, but for those that begin a connection and ask for life.
      const commands = String(data).match(/^\*\d+\r\n\$\d+\r\n(\w+)/gm) ?? [];
      for (const command of commands)
        socket.write(
          /PING$/i.test(command)
            ? '+PONG\r\n'
            : /EVALSHA$/i.test(command)
              ? '*3\r\n:1\r\n:1\r\n:1\r\n'
              : '+OK\r\n',
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, state };
}

const counted = { rate: { name: 'all', window: 'fixed', allow: 1, everyMs: 1000 }, whose: '' } as never;

describe('a Redis that takes connections and says nothing', () => {
  it('is as one that is away when a service starts', async () => {
    const { address } = await redis(true);
    await expect(redisCounter(address, 'notes')).rejects.toThrow(StoreRefused);
  });

  it('is as one that is away when it falls silent: once in time, and then at once', async () => {
    const { address, state } = await redis(false);
    const counter = await redisCounter(address, 'notes');
    expect(await counter.take([counted])).toHaveLength(1);
    state.isSilent = true;
    await expect(counter.take([counted])).rejects.toThrow(NotRead);
    const began = performance.now();
    for (let request = 0; request < 100; request += 1)
      await expect(counter.take([counted])).rejects.toThrow(NotRead);
    expect(performance.now() - began).toBeLessThan(1000);
    await counter.close();
  });
});
