import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConsole, unbuilt } from '../../src/console/console.ts';
import { ask, entered, fromPage, type Opened, opened, ours } from './opened.ts';

let open: Opened;
beforeEach(async () => {
  open = await opened(ours('examples/todo.md'));
});
afterEach(() => open.console.close());

const told = (text: string): string => (JSON.parse(text) as { message: string }).message;

describe('who may use the console', () => {
  it('is whoever opens its address: the token is exchanged for a cookie that no other site sends and no script reads', async () => {
    const { port, console } = open;
    expect(console.address).toBe(`http://127.0.0.1:${port}/#token=secret1`);
    const answer = await ask(port, 'POST', '/session', fromPage(port), '{"token":"secret1"}');
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toEqual([
      `tacet-console-${port}=secret3; Path=/api; HttpOnly; SameSite=Strict`,
    ]);
    const known = { Cookie: `other=1; tacet-console-${port}=secret3` };
    expect((await ask(port, 'GET', '/api/overview', known)).status).toBe(200);
  });

  it('is nobody without a session, and nobody with the cookie of another console', async () => {
    const { port } = open;
    await entered(open);
    for (const headers of [
      {},
      { Cookie: `tacet-console-${port}=secret1` },
      { Cookie: `tacet-console-${port + 1}=secret3` },
    ]) {
      const answer = await ask(port, 'GET', '/api/overview', headers);
      expect([answer.status, told(answer.text)]).toEqual([
        401,
        'open the address that tacet printed: it has a token in it',
      ]);
    }
    expect((await ask(port, 'GET', '/api/changes')).status).toBe(401);
    expect((await ask(port, 'POST', '/api/save', fromPage(port), '{}')).status).toBe(401);
  });

  it('is let in by a token once: then a new address is printed, for whoever sees the terminal', async () => {
    const { port } = open;
    const enter = (token: string) => ask(port, 'POST', '/session', fromPage(port), JSON.stringify({ token }));
    expect((await enter('secret1')).status).toBe(200);
    const again = await enter('secret1');
    expect([again.status, told(again.text)]).toEqual([
      403,
      'this address was opened before; tacet has printed a new one',
    ]);
    expect(open.printed).toEqual([`http://127.0.0.1:${port}/#token=secret2`]);
    expect((await enter('secret2')).status).toBe(200);
  });

  it('is not let in by a guess, and nothing is printed', async () => {
    const { port } = open;
    const answer = await ask(port, 'POST', '/session', fromPage(port), '{"token":"guess"}');
    expect([answer.status, told(answer.text)]).toEqual([
      403,
      'this is not the address that tacet printed last',
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(open.printed).toEqual([]);
  });
});

describe('what no page of the console sends is turned away, also with a session', () => {
  it.each([
    ['another host, as by DNS rebinding', 421, { Host: 'evil.example:80' }, 'and not evil.example:80'],
    ['another port', 421, { Host: '127.0.0.1:1' }, 'and not 127.0.0.1:1'],
    ['another site', 403, { 'Sec-Fetch-Site': 'cross-site' }, 'another site may not use the console'],
    [
      'another port of this machine',
      403,
      { 'Sec-Fetch-Site': 'same-site' },
      'another site may not use the console',
    ],
    ['another origin', 403, { Origin: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1 may not use the console'],
    ['a page in a sandbox', 403, { Origin: 'null' }, 'null may not use the console'],
  ])('%s', async (_name, status, headers, message) => {
    const session = await entered(open);
    for (const [method, path] of [
      ['GET', '/api/overview'],
      ['POST', '/api/save'],
    ] as const) {
      const answer = await ask(
        open.port,
        method,
        path,
        { ...session, ...headers },
        method === 'GET' ? '' : '{}',
      );
      expect(answer.status).toBe(status);
      expect(told(answer.text)).toContain(message);
    }
  });

  it('a change without its origin, or as a form sends it', async () => {
    const { Origin: _, ...without } = await entered(open);
    const first = await ask(open.port, 'POST', '/api/save', without, '{}');
    expect([first.status, told(first.text)]).toEqual([403, 'a change needs the header field Origin']);
    const session = { ...(await entered(open)), 'Content-Type': 'text/plain' };
    const second = await ask(open.port, 'POST', '/api/save', session, '{}');
    expect([second.status, told(second.text)]).toEqual([415, 'a change is sent as application/json']);
  });

  it('other methods, and a change by GET', async () => {
    const session = await entered(open);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      const answer = await ask(open.port, method, '/api/save', session);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    }
    for (const path of ['/api/save', '/api/answer', '/api/send', '/api/check'])
      expect((await ask(open.port, 'GET', path, session)).status).toBe(405);
    expect((await ask(open.port, 'POST', '/api/overview', session, '{}')).status).toBe(405);
    expect((await ask(open.port, 'GET', '/api/toString', session)).status).toBe(404);
    expect((await ask(open.port, 'POST', '/', session, '{}')).status).toBe(404);
    expect((await ask(open.port, 'GET', '/session', session)).status).toBe(404);
  });

  it('content that is no JSON object, or too long', async () => {
    const session = await entered(open);
    for (const [content, message] of [
      ['{', 'the content is no JSON'],
      ['[]', 'the content is no JSON object'],
      ['null', 'the content is no JSON object'],
    ] as const) {
      const answer = await ask(open.port, 'POST', '/api/save', session, content);
      expect([answer.status, told(answer.text)]).toEqual([400, message]);
    }
    const long = JSON.stringify({ content: 'x'.repeat(8 << 20) });
    const answer = await ask(open.port, 'POST', '/api/check', session, long);
    expect([answer.status, told(answer.text)]).toEqual([413, 'a change is sent in 8388608 bytes or less']);
    expect(open.faults).toEqual([]);
  });
});

describe('the page', () => {
  it('may be opened by a link from anywhere, as it shows nothing without a session, but not within another page', async () => {
    const link = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    expect((await ask(open.port, 'GET', '/', link)).status).toBe(200);
    expect((await ask(open.port, 'GET', '/', { ...link, 'Sec-Fetch-Dest': 'iframe' })).status).toBe(403);
    expect((await ask(open.port, 'GET', '/', { Host: `localhost:${open.port}` })).status).toBe(200);
  });

  it('runs no script and no style that does not come from its files, and has another number each time', async () => {
    const answers = [await ask(open.port, 'GET', '/'), await ask(open.port, 'GET', '/')];
    expect(answers.map(({ text }) => text)).toEqual([
      '<meta name="style-nonce" content="secret2">',
      '<meta name="style-nonce" content="secret3">',
    ]);
    const { headers } = answers[0] as (typeof answers)[0];
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-secret2'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  it('is not opened where it is not built, or its port is in use', async () => {
    const desk = { document: 'x.md' } as never;
    const options = { onUsed: () => {}, onFault: () => {} };
    await expect(openConsole(desk, { ...options, files: null })).rejects.toThrow(unbuilt);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await expect(openConsole(desk, { ...options, files: new Map(), port })).rejects.toThrow(
      `the port ${port} is in use; name another with --console`,
    );
    other.close();
  });
});
