import { EventEmitter, once } from 'node:events';
import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followPair, readPair } from '../../../src/cli/serve/tls.ts';
import { selfSigned } from '../../../src/conformance/events/certificate.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder, file } = temporaryFolder();
const document = file(
  'notes.yaml',
  `name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: refuse
  PUT /notes/{id}: { operation: put, does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  GET /notes/{id}: { operation: get, does: read Note, response: { status: 200, body: Note } }
`,
);
const [first, second] = [0, 1].map(() => selfSigned(['127.0.0.1'], Date.now())) as [
  ReturnType<typeof selfSigned>,
  ReturnType<typeof selfSigned>,
];

let count = 0;
/** Files of their own, with the first key and certificate. */
function files(): { readonly key: string; readonly cert: string } {
  count += 1;
  return { key: file(`${count}.key`, first.key), cert: file(`${count}.cert`, first.certificate) };
}

interface Serving {
  readonly url: URL;
  readonly said: () => string;
}

/** Serves over TLS until the test is over. */
async function serving({ key, cert }: ReturnType<typeof files>): Promise<Serving> {
  const end = new AbortController();
  const started = Promise.withResolvers<URL>();
  let [out, error] = ['', ''];
  const words = [
    '--port',
    '0',
    '--data',
    join(folder, `${count}.sqlite`),
    '--tls-key',
    key,
    '--tls-cert',
    cert,
  ];
  const ended = tacet(['serve', document, ...words], {
    ended: end.signal,
    out: (text) => {
      out += text;
      const [, url] = /address +(\S+)/.exec(out) ?? [];
      if (url !== undefined) started.resolve(new URL(url));
    },
    error: (text) => {
      error += text;
    },
  });
  onTestFinished(async () => {
    end.abort();
    await ended;
  });
  void ended.then(() => started.reject(new Error(error)));
  return { url: await started.promise, said: () => error };
}

/** Connects, and believes one certificate alone. */
async function connected(url: URL, ca: string, protocols = ['http/1.1']): Promise<TLSSocket> {
  const socket = connect({ host: url.hostname, port: Number(url.port), ca, ALPNProtocols: protocols });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

function get(url: URL, path: string, ca: string): Promise<{ status: number; headers: readonly string[] }> {
  return new Promise((resolve, reject) => {
    request(new URL(path, url), { ca, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.rawHeaders });
    })
      .on('error', reject)
      .end();
  });
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('tacet serve --tls-key --tls-cert', () => {
  it('answers by HTTPS, with nothing added', async () => {
    const { url } = await serving(files());
    expect(url.protocol).toBe('https:');
    const { status, headers } = await get(url, '/elsewhere', first.certificate);
    expect([status, headers.filter((_, index) => index % 2 === 0).sort()]).toEqual([
      404,
      ['Connection', 'Content-Length', 'Date'],
    ]);
    await expect(get(url, '/elsewhere', second.certificate)).rejects.toThrow('self-signed certificate');
  });

  it('speaks HTTP/1.1, and refuses a client that wants another protocol alone', async () => {
    const { url } = await serving(files());
    const socket = await connected(url, first.certificate, ['h2', 'http/1.1']);
    expect(socket.alpnProtocol).toBe('http/1.1');
    await expect(connected(url, first.certificate, ['h2'])).rejects.toThrow('no application protocol');
  });

  it('closes a connection that does not speak TLS, without an answer', async () => {
    const { url, said } = await serving(files());
    const socket = connectPlain(Number(url.port), url.hostname);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.write('GET /notes/a HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'close');
    expect(answer).not.toContain('HTTP/1.1');
    expect(said()).toBe('');
  });

  it('reads the files again on SIGHUP, and drops no connection', async () => {
    const pair = files();
    const { url, said } = await serving(pair);
    const before = await connected(url, first.certificate);
    writeFileSync(pair.key, second.key);
    writeFileSync(pair.cert, second.certificate);
    process.emit('SIGHUP', 'SIGHUP');
    expect(said()).toMatch(/^TLS: \S+\.cert is in use, valid until \d{4}-\S+Z\n$/);
    expect((await get(url, '/elsewhere', second.certificate)).status).toBe(404);
    before.write('GET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer] = (await once(before, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('keeps the former certificate while the files cannot be used, and says so', async () => {
    const pair = files();
    const { url, said } = await serving(pair);
    writeFileSync(pair.cert, second.certificate);
    process.emit('SIGHUP', 'SIGHUP');
    expect(said()).toMatch(
      /^TLS: --tls-key \S+ is not the key of the first certificate in --tls-cert \S+; the former certificate stays in use, valid until \d{4}-\S+Z\n$/,
    );
    expect((await get(url, '/elsewhere', first.certificate)).status).toBe(404);
  });

  it.each([
    [
      'one of them alone',
      () => ['--tls-key', files().key],
      '--tls-key and --tls-cert go together; name both files',
    ],
    [
      'a file that is not there',
      () => words({ ...files(), key: 'none.pem' }),
      '--tls-key cannot be read: ENOENT',
    ],
    [
      'a certificate that is none',
      () => words({ ...files(), cert: file('no.cert', 'x') }),
      'no.cert: PEM is wanted',
    ],
    ['a key that is none', () => words({ ...files(), key: file('no.key', 'x') }), 'no.key: PEM is wanted'],
    [
      'a key of another certificate',
      () => words({ ...files(), key: file('other.key', second.key) }),
      'other.key is not the key of the first certificate',
    ],
    [
      'a broken chain',
      () =>
        words({
          ...files(),
          cert: file('broken.cert', `${first.certificate}-----BEGIN CERTIFICATE-----\nx`),
        }),
      'broken.cert cannot be used',
    ],
  ])('refuses %s', async (_, given, message) => {
    const { code, error } = await tacet(['serve', document, ...given()]);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});

const words = ({ key, cert }: ReturnType<typeof files>): string[] => ['--tls-key', key, '--tls-cert', cert];

describe('files that are followed', () => {
  it('are read again when they change, also if others take their place', async () => {
    const pair = files();
    const printed: string[] = [];
    const used: unknown[] = [];
    const signals = new EventEmitter() as unknown as NodeJS.Process;
    const follower = { print: (text: string) => printed.push(text), use: (one: unknown) => used.push(one) };
    onTestFinished(followPair(pair, readPair(pair), follower, signals));
    for (const [name, content] of [
      [pair.key, second.key],
      [pair.cert, second.certificate],
    ] as const) {
      writeFileSync(`${name}.new`, content);
      unlinkSync(name);
      renameSync(`${name}.new`, name);
    }
    await until(() => used.length > 0);
    expect(used).toEqual([{ key: second.key, cert: second.certificate }]);
    expect(printed).toEqual([expect.stringMatching(/^TLS: \S+ is in use, valid until /)]);
  });
});
