import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clockOfTester, movedBy, movedClock } from '../../../src/cli/serve/moved-clock.ts';
import type { Service } from '../../../src/service/service.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder } = temporaryFolder();

/** A service that carries out nothing but what its clock wakes. */
const idle = { settle: async () => {}, underway: () => ({ own: 0, awaited: 0 }) };

/** A process with a channel to the one that began it. */
function child() {
  const heard: ((message: unknown) => void)[] = [];
  const said: unknown[] = [];
  const told = Promise.withResolvers<void>();
  const channel = {
    ppid: 7,
    connected: true,
    on: (_name: string, hear: (message: unknown) => void) => void heard.push(hear),
    send: (message: unknown) => {
      said.push(message);
      told.resolve();
    },
    disconnect: () => void Object.assign(channel, { connected: false }),
  } as unknown as NodeJS.Process;
  return { channel, heard, said, told: told.promise };
}

describe('the clock that a tester moves', () => {
  it('wakes all that is due by then, in its order, and tells what is due next', async () => {
    const { options, move } = movedClock(() => 0);
    const woken: string[] = [];
    const wake = (at: number) =>
      options.wake(at, () => void woken.push(`${at} at ${options.milliseconds()}`));
    for (const at of [3000, 1000, 2000, 86_400_000]) wake(at);
    wake(1500)();
    expect([await move(0, idle), woken]).toEqual([1000, []]);
    expect([await move(2000, idle), woken]).toEqual([3000, ['1000 at 2000', '2000 at 2000']]);
    expect(await move(90_000_000, idle)).toBe(null);
    expect(woken.slice(2)).toEqual(['3000 at 90000000', '86400000 at 90000000']);
  });

  it('never goes back, and waits for what is under way', async () => {
    const { options, move } = movedClock(() => 0);
    const told: string[] = [];
    const settle = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      told.push(`settled at ${options.milliseconds()}`);
    };
    await move(5000, { ...idle, settle });
    await move(0, { ...idle, settle });
    expect(told).toEqual(['settled at 5000', 'settled at 5000']);
  });

  it.each([
    ['as long as the service has something of its own under way', [1, 1, 1, 0, 0], [0, 0, 0, 0, 0], 0, 6],
    ['as long as receivers answer', [0, 0, 0, 0, 0], [5, 4, 3, 1, 1, 1], 0, 6],
    ['no longer for receivers that do not answer', [0, 0, 0, 0, 0], [2, 2, 2, 2, 2], 0, 3],
    ['longer for receivers if the machine has too much to do', [0, 0, 0, 0, 0], [2, 2, 2, 2, 2], 3, 5],
    ['not for ever', [1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0], 0, 8],
  ])('waits %s', async (_how, own, awaited, lateLooks, looks) => {
    let looked = 0;
    // The first looks come late.
    let now = 0;
    const machine = (): number => {
      now += looked < lateLooks ? 10 : 0;
      return now;
    };
    const { move } = movedClock(machine, { lookMs: 1, mostMs: 8 });
    const underway = () => {
      looked += 1;
      return { own: own[looked - 1] ?? 0, awaited: awaited[looked - 1] ?? 0 };
    };
    await move(5000, { settle: () => new Promise(() => {}), underway });
    expect(looked).toBe(looks);
  });

  it('is moved by the process that began the service', async () => {
    const { channel, heard, said, told } = child();
    const tested = clockOfTester({ [movedBy]: '7' }, channel);
    tested?.heed(idle as Service);
    const before = Date.now();
    heard.at(-1)?.({ turn: 4, aheadMs: 3_600_000 });
    await told;
    expect(said).toEqual([{ turn: 4, next: null }]);
    expect(tested?.clock.options.milliseconds()).toBeGreaterThanOrEqual(before + 3_600_000);
  });

  it('says nothing more to a tester that is no more heard', async () => {
    const { channel, heard, said } = child();
    const held = Promise.withResolvers<void>();
    const tester = clockOfTester({ [movedBy]: '7' }, channel)?.heed({
      ...idle,
      settle: () => held.promise,
    } as Service);
    heard.at(-1)?.({ turn: 1, aheadMs: 0 });
    tester?.leave();
    tester?.leave();
    held.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect([said, channel.connected]).toEqual([[], false]);
  });

  it('is no other service’s: it takes a channel, and to the process that says so', () => {
    const { channel } = child();
    expect(clockOfTester({}, channel)).toBe(null);
    const why = `${movedBy} is for the service that tacet test starts; leave it out`;
    expect(() => clockOfTester({ [movedBy]: '1' }, channel)).toThrow(why);
    const { send: _, ...alone } = channel;
    expect(() => clockOfTester({ [movedBy]: '7' }, alone as NodeJS.Process)).toThrow(why);
  });

  it('ends with its tester', async () => {
    const words = ['serve', 'examples/todo.md', '--port', '0', '--data', join(folder, 'todo.sqlite')];
    const service = spawn(process.execPath, ['bin/tacet.js', ...words], {
      env: { ...process.env, [movedBy]: String(process.pid) },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    onTestFinished(() => void service.kill('SIGKILL'));
    await once(service.stdout as NodeJS.EventEmitter, 'data');
    service.disconnect();
    expect(await once(service, 'exit')).toEqual([0, null]);
  });

  it('is refused by a plain tacet serve', async () => {
    const { code, error } = await tacet(['serve', 'examples/todo.md', '--port', '0', '--data', ':memory:'], {
      environment: { [movedBy]: '1' },
    });
    expect([code, error]).toEqual([
      2,
      `tacet: ${movedBy} is for the service that tacet test starts; leave it out\nhelp: tacet serve --help\n`,
    ]);
  });
});
