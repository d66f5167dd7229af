import { describe, expect, it } from 'vitest';
import { behindProxies } from '../../src/service/http/client-address.ts';
import { StartRefused, serve } from '../../src/service/service.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { document, specification } from '../specification/documents.ts';

const { path: folder } = temporaryFolder();

/** Whom a request comes from that came from an address, through proxies in 10.0.0.0/8. */
const clientOf = (remoteAddress: string, headers: Readonly<Record<string, string | readonly string[]>>) =>
  behindProxies(['10.0.0.0/8', 'fd00::1'])({
    method: 'GET',
    url: '/',
    from: { remoteAddress },
    headers,
    content: () => null,
  }).from.remoteAddress;

describe('a request through a proxy of the operator', () => {
  it.each([
    ['X-Forwarded-For', { 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
    ['X-Forwarded-For, with a port', { 'x-forwarded-for': '192.0.2.1:4711' }, '192.0.2.1'],
    ['X-Forwarded-For twice', { 'x-forwarded-for': ['192.0.2.1', '10.9.9.9'] }, '192.0.2.1'],
    ['Forwarded', { forwarded: 'proto=https;for=192.0.2.1;by=10.0.0.1' }, '192.0.2.1'],
    ['Forwarded, quoted', { forwarded: 'For="[2001:db8::17]:4711"' }, '2001:db8::17'],
    ['both alike', { forwarded: 'for=192.0.2.1', 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
  ])('comes from whom it says: %s', (_, headers, client) => {
    expect(clientOf('10.0.0.1', headers)).toBe(client);
    expect(clientOf('::ffff:10.0.0.1', headers)).toBe(client);
  });

  it('comes from the last that is no proxy: all before it can be made up', () => {
    expect(clientOf('10.0.0.1', { 'x-forwarded-for': '198.51.100.7, 192.0.2.1, 10.0.0.2' })).toBe(
      '192.0.2.1',
    );
    expect(clientOf('10.0.0.1', { forwarded: 'for=198.51.100.7, for=192.0.2.1, for=10.0.0.2' })).toBe(
      '192.0.2.1',
    );
  });

  it('comes from the proxy where that does not say, or hides it', () => {
    expect(clientOf('10.0.0.1', {})).toBe('10.0.0.1');
    expect(clientOf('10.0.0.1', { forwarded: 'for=unknown' })).toBe('10.0.0.1');
    expect(clientOf('10.0.0.1', { forwarded: 'for=192.0.2.1, for=_hidden' })).toBe('10.0.0.1');
    expect(clientOf('10.0.0.1', { 'x-forwarded-for': 'nonsense' })).toBe('10.0.0.1');
  });

  it('comes from the proxy where both fields came and disagree, since a client wrote one of them', () => {
    const headers = { forwarded: 'for=198.51.100.7', 'x-forwarded-for': '192.0.2.1' };
    expect(clientOf('10.0.0.1', headers)).toBe('10.0.0.1');
  });
});

it('what anybody else sends says nothing of whom a request comes from', () => {
  expect(clientOf('192.0.2.9', { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' })).toBe(
    '192.0.2.9',
  );
});

const limited = document({
  endpoints: 'GET /news: { operation: news, does: (none), response: 204 }',
  limits: 'rates: { each: { allow: 1, every: PT1H, window: fixed, per: address } }',
});

it('a rate per address counts clients, and not the proxy that they share', async () => {
  const asked = async (trustedProxies: readonly string[]): Promise<number[]> => {
    const service = await serve(specification(limited), {
      data: `${folder}/${trustedProxies.length}.sqlite`,
      trustedProxies,
    });
    const statuses: number[] = [];
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) {
      const headers = { 'X-Forwarded-For': client };
      statuses.push((await fetch(`${service.address}/news`, { headers })).status);
    }
    await service.close();
    return statuses;
  };
  expect(await asked(['127.0.0.1'])).toEqual([204, 204, 400]);
  expect(await asked([])).toEqual([204, 400, 400]);
});

it('a service does not start where a proxy is no address', async () => {
  const starting = serve(specification(document({})), {
    data: `${folder}/never.sqlite`,
    trustedProxies: ['10.0.0.0/99'],
  });
  await expect(starting).rejects.toThrow(
    new StartRefused('10.0.0.0/99 is no address, and no range of addresses'),
  );
});
