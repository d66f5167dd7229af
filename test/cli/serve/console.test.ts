import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import type { Overview } from '../../../src/console/overview.ts';
import type { Recorded } from '../../../src/console/requests.ts';
import type { Texts } from '../../../src/console/texts.ts';
import { ask, fromPage, notes, taken } from '../../console/opened.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { file } = temporaryFolder();

/** A document that `tacet serve --console` serves; gives how its page reads and does things. */
async function served(document: string) {
  const ended = new AbortController();
  const printed = Promise.withResolvers<string>();
  let all = '';
  const print = (text: string): void => {
    all += text;
    const found = /console +(http:\S+)\n/.exec(all)?.[1];
    if (found) printed.resolve(found);
  };
  const words = [
    'serve',
    document,
    '--port',
    '0',
    '--data',
    `${document}.sqlite`,
    '--console',
    '127.0.0.1:0',
  ];
  const terminal = { out: print, error: print, environment: {}, colours: false, ended: ended.signal };
  const code = main(words, terminal);
  const address = await printed.promise;
  const [origin = '', token = ''] = address.split('/#token=');
  const port = Number(new URL(origin).port);
  const { headers } = await ask(port, 'POST', '/session', fromPage(port), JSON.stringify({ token }));
  const session = { ...fromPage(port), Cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
  return {
    service: / address +(\S+)/.exec(all)?.[1] ?? '',
    query: async <T>(path: string): Promise<T> => taken(await ask(port, 'GET', `/api/${path}`, session)),
    act: async (path: string, content: unknown) =>
      taken(await ask(port, 'POST', `/api/${path}`, session, JSON.stringify(content))),
    end: async () => {
      ended.abort();
      return code;
    },
  };
}

describe('tacet serve --console', () => {
  it('opens a console on an address of its own, in which nothing is edited, tested or moved', async () => {
    const document = file('notes.md', notes);
    const { service, query, act, end } = await served(document);
    await fetch(`${service}/notes`);
    expect(await query<Overview>('overview')).toMatchObject({
      isFixed: true,
      service: { address: service, aheadMs: 0 },
      requests: 1,
    });
    expect(await query<readonly Recorded[]>('requests')).toMatchObject([{ path: '/notes', status: 200 }]);
    expect((await query<Texts>('texts')).isEditable).toBe(false);
    const addresses = ['endpoints["POST /notes"].response.status'];
    await act('answer', { addresses, value: '201', isTried: true });
    const refused = '400 tacet serve does not follow its document';
    await expect(act('answer', { addresses, value: '201' })).rejects.toThrow(refused);
    await expect(act('save', { file: document, content: '', before: notes })).rejects.toThrow(refused);
    await expect(act('begin-test', {})).rejects.toThrow('400 there is no tester here');
    await expect(act('pass', { ms: 1 })).rejects.toThrow('400 the clock cannot be moved');
    expect(readFileSync(document, 'utf8')).toBe(notes);
    expect(await end()).toBe(0);
  });

  it.each([
    ['0.0.0.0:4000', 'the console is for this machine alone; listen on 127.0.0.1:4000'],
    ['example.org:80', 'the console is for this machine alone'],
    ['[::1]:80', '127.0.0.1:PORT is wanted, or PORT'],
    ['127.0.0.1:70000', '127.0.0.1:PORT is wanted, or PORT'],
    ['no', '127.0.0.1:PORT is wanted, or PORT'],
  ])('is refused at %s', async (place, message) => {
    const { code, error } = await tacet(['serve', file('a.md', notes), '--port', '0', '--console', place]);
    expect([code, error]).toEqual([2, expect.stringContaining(`--console ${place}: ${message}`)]);
  });

  it('is refused at a port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { readonly port: number };
    const { code, error } = await tacet([
      'serve',
      file('b.md', notes),
      '--port',
      '0',
      '--console',
      `${port}`,
    ]);
    expect([code, error]).toEqual([2, expect.stringContaining('is in use')]);
    other.close();
  });
});
