import { writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type NamesOptions, systemNames } from '../../../src/service/events/names.ts';
import { dataFile } from '../served.ts';
import { dns } from './dns.ts';

function file(text: string): string {
  const path = dataFile();
  writeFileSync(path, text);
  return path;
}

const never = (): AbortSignal => new AbortController().signal;

/** Names by files of the test's own. */
function names(server: string, { hosts = '', configuration = '' } = {}, more: NamesOptions = {}) {
  const find = systemNames({
    hosts: file(hosts),
    configuration: file(configuration),
    servers: [server],
    hasIpv6: () => false,
    ...more,
  });
  return async (name: string, stop = never()) => (await find(name, stop)).map(({ address }) => address);
}

describe('a name', () => {
  it('is found in the file of hosts before anybody is asked, as containers are', async () => {
    const { server, asked } = await dns(() => ['192.0.2.1']);
    const find = names(server, {
      hosts: '# ours\n10.0.0.7 desk desk.local # here\n10.0.0.8 DESK\nnonsense\n',
    });
    expect(await find('desk')).toEqual(['10.0.0.7', '10.0.0.8']);
    expect(await find('Desk.Local.')).toEqual(['10.0.0.7']);
    expect(asked).toEqual([]);
    expect(await find('other.test')).toEqual(['192.0.2.1']);
  });

  it('is found anew once the file of hosts is another', async () => {
    const { server } = await dns(() => 3);
    const clock = { now: 0 };
    const hosts = file('10.0.0.7 desk\n');
    const find = names(server, {}, { hosts, milliseconds: () => clock.now });
    expect(await find('desk')).toEqual(['10.0.0.7']);
    writeFileSync(hosts, '10.0.0.77 desk\n');
    clock.now += 1000;
    expect(await find('desk')).toEqual(['10.0.0.77']);
  });

  it('that stands for this machine is asked of nobody', async () => {
    const { server, asked } = await dns(() => ['192.0.2.1']);
    const find = names(server);
    expect(await find('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await find('a.localhost')).toEqual(['127.0.0.1', '::1']);
    expect(asked).toEqual([]);
  });

  it('is searched in the domains of the machine: short ones first there, others last', async () => {
    const { server, asked } = await dns((name) =>
      name === 'desk.two.test' || name === 'a.desk' ? ['192.0.2.1'] : 3,
    );
    const find = names(server, {
      configuration: 'domain x\nsearch one.test two.test.\noptions ndots:1 edns0\n',
    });
    expect(await find('desk')).toEqual(['192.0.2.1']);
    expect(asked.splice(0)).toEqual(['desk.one.test', 'desk.two.test']);
    expect(await find('a.desk')).toEqual(['192.0.2.1']);
    expect(asked.splice(0)).toEqual(['a.desk']);
    await expect(find('desk.')).rejects.toThrow('desk. is not found: ENOTFOUND');
    expect(asked).toEqual(['desk']);
  });

  it.each([
    [3, 'ENOTFOUND'],
    [2, 'ESERVFAIL'],
  ])('of which a server says %i is not found: %s', async (code, problem) => {
    const { server } = await dns(() => code);
    await expect(names(server)('dead.test')).rejects.toThrow(`dead.test is not found: ${problem}`);
  });

  it('of which no server says anything is not found in time', async () => {
    const { server } = await dns(() => null);
    const find = names(server, {}, { timeoutMs: 60 });
    await expect(find('dead.test')).rejects.toThrow('dead.test is not found: no server answered in time');
  });

  it('is not waited for any longer once it is called off', async () => {
    const { server } = await dns(() => null);
    const ending = new AbortController();
    const found = names(server)('dead.test', ending.signal);
    ending.abort();
    await expect(found).rejects.toThrow('aborted');
    await expect(names(server)('dead.test', ending.signal)).rejects.toThrow('aborted');
  });

  it('takes no thread of the pool, however many are waited for', async () => {
    const { server } = await dns(() => null);
    const ending = new AbortController();
    const find = names(server);
    const found = Array.from({ length: 100 }, (_, index) => find(`dead-${index}.test`, ending.signal));
    // Of four threads each would be busy for five seconds.
    expect((await stat('/')).isDirectory()).toBe(true);
    ending.abort();
    expect(new Set((await Promise.allSettled(found)).map(({ status }) => status))).toEqual(
      new Set(['rejected']),
    );
  });

  it('has a channel to itself while it is looked for, and leaves it to the next for ten seconds', async () => {
    const made = vi.spyOn(process.getBuiltinModule('node:dns').promises, 'Resolver');
    onTestFinished(() => made.mockRestore());
    const { server } = await dns(() => ['192.0.2.1']);
    const clock = { now: 0 };
    const find = names(server, {}, { milliseconds: () => clock.now });
    for (let index = 0; index < 20; index += 1) await find(`a${index}.test`);
    expect(made).toHaveBeenCalledTimes(1);
    await Promise.all(['b', 'c', 'd'].map((name) => find(`${name}.test`)));
    expect(made).toHaveBeenCalledTimes(3);
    clock.now += 10_000;
    expect(await find('e.test')).toEqual(['192.0.2.1']);
    expect(made).toHaveBeenCalledTimes(4);
  });

  it('is found by a channel on which another was called off', async () => {
    const { server, asked } = await dns((name) => (name === 'dead.test' ? null : ['192.0.2.1']));
    const find = names(server);
    const ending = new AbortController();
    const dead = find('dead.test', ending.signal);
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    ending.abort();
    await expect(dead).rejects.toThrow('aborted');
    expect(await find('good.test')).toEqual(['192.0.2.1']);
  });
});
