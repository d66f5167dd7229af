import { readFileSync } from 'node:fs';
import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { client } from '../../../src/conformance/http.ts';
import { walks } from '../../../src/conformance/play/play.ts';
import { seeded } from '../../../src/conformance/random.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { listening } from '../../listening.ts';
import { start } from '../../service/served.ts';
import { targetAt } from './target.ts';

const text = readFileSync('test/semantics/bytes.yaml', 'utf8');

interface Message {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What an implementation does otherwise: with what it is sent, or with what it sends. */
interface Fault {
  readonly asks?: (message: Message) => Message;
  readonly answers?: (answer: Answer, message: Message) => Answer;
}

const withRange = (change: (field: string) => string | undefined): Fault => ({
  asks: ({ headers: { range, ...headers }, ...message }) => {
    const other = range === undefined ? undefined : change(range);
    return { ...message, headers: { ...headers, ...(other !== undefined && { range: other }) } };
  },
});

const withIfRange = (change: (field: string) => string | undefined): Fault => ({
  asks: ({ headers: { 'if-range': field, ...headers }, ...message }) => {
    const other = field === undefined ? undefined : change(String(field));
    return { ...message, headers: { ...headers, ...(other !== undefined && { 'if-range': other }) } };
  },
});

const ofStatus = (status: number, change: (answer: Answer) => Answer): Fault => ({
  answers: (answer) => (answer.status === status ? change(answer) : answer),
});

const without =
  (name: string): ((answer: Answer) => Answer) =>
  (answer) => {
    const { [name]: _, ...headers } = answer.headers;
    return { ...answer, headers };
  };

const stored = (change: (body: Buffer) => Buffer): Fault => ({
  asks: (message) => (message.method === 'PUT' ? { ...message, body: change(message.body) } : message),
});

const isJson = ({ headers }: Message): boolean => headers['content-type'] === 'application/json';

const faults: Readonly<Record<string, Fault>> = {
  'a range is not looked at': withRange(() => undefined),
  'the last byte that is named is left out': withRange((field) =>
    field.replace(/-([1-9]\d*)$/, (_, last: string) => `-${Number(last) - 1}`),
  ),
  'the last bytes are read as the first': withRange((field) => field.replace(/=-(\d+)$/, '=0-$1')),
  'of several ranges, the first is sent': withRange((field) => field.split(',')[0]),
  'another unit is read as bytes': withRange((field) => field.replace(/^\w+=/, 'bytes=')),
  'a range past the end is answered with the whole': {
    ...withRange((field) => (/=\d{3,}-$/.test(field) ? undefined : field)),
  },
  'a part is sent with 200': ofStatus(206, (answer) => ({ ...answer, status: 200 })),
  'a part has no Content-Range': ofStatus(206, without('content-range')),
  'a part has another last byte': ofStatus(206, (answer) => ({
    ...answer,
    body: Buffer.from(answer.body.map((byte, place) => (place + 1 === answer.body.length ? byte ^ 1 : byte))),
  })),
  'a part has no tag': ofStatus(206, without('etag')),
  '416 has no Content-Range': ofStatus(416, without('content-range')),
  'the whole has no Accept-Ranges': ofStatus(200, without('accept-ranges')),
  'If-Range is not looked at': withIfRange(() => undefined),
  'If-Range is compared weakly': withIfRange((field) => field.replace(/^W\//, '')),
  'a time in If-Range holds': withIfRange((field) => (field.endsWith('GMT') ? undefined : field)),
  'If-Range always wants the whole': withIfRange(() => '"another"'),
  'HEAD is answered with a part': {
    answers: (answer, { method, headers }) =>
      method === 'HEAD' && headers.range !== undefined ? { ...answer, status: 206 } : answer,
  },
  'bytes are read as UTF-8': stored((body) => Buffer.from(body.toString())),
  'bytes end at the first NUL': stored((body) =>
    body.includes(0) ? body.subarray(0, body.indexOf(0)) : body,
  ),
  'line ends are changed': stored((body) =>
    Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  ),
  'a mark of byte order is lost': stored((body) =>
    body.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? body.subarray(3) : body,
  ),
  'the media type of bytes is lost': {
    answers: (answer) =>
      answer.headers['content-type'] === 'text/csv'
        ? { ...answer, headers: { ...answer.headers, 'content-type': 'application/octet-stream' } }
        : answer,
  },
  'one byte more than is allowed is taken': {
    asks: (message) =>
      message.method === 'PUT' && !isJson(message) && message.body.length === 41
        ? { ...message, body: message.body.subarray(1) }
        : message,
  },
  'content without a type is taken': {
    asks: (message) =>
      message.headers['content-type'] === undefined && message.method === 'PUT'
        ? { ...message, headers: { ...message.headers, 'content-type': 'image/png' } }
        : message,
  },
};

/** A service in front of another one, with a fault. */
async function faulty(url: string, { asks = (same) => same, answers = (same) => same }: Fault) {
  return await listening(
    createServer(async (incoming, outgoing) => {
      const { method = '', headers } = incoming;
      const message = asks({ method, headers, body: await whole(incoming) });
      // What is changed has another length.
      const { 'content-length': _, 'transfer-encoding': __, ...fields } = message.headers;
      const onward = ask(`${url}${incoming.url}`, { method, headers: fields }, async (came) => {
        const { statusCode: status = 0, headers } = came;
        const answer = answers({ status, headers, body: await whole(came) }, message);
        outgoing.writeHead(answer.status, answer.headers).end(answer.body);
      });
      onward.end(message.body.length > 0 || headers['content-type'] ? message.body : undefined);
    }),
  );
}

async function whole(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What walks find wrong in a service with a fault. */
async function violations(fault: Fault): Promise<readonly Result[]> {
  const { address, close } = await start(text);
  const front = await faulty(address, fault);
  const { url } = front;
  const http = client();
  const target = targetAt(url, text, http);
  const results: Result[] = [];
  for await (const play of walks(target, { requests: 640, random: seeded(1) })) {
    results.push(...(await play()));
    if (results.some(({ verdict }) => verdict === 'violates')) break;
  }
  http.close();
  await front.close();
  await close();
  return results.filter(({ verdict }) => verdict === 'violates');
}

describe('a service that stores bytes and sends parts of them', () => {
  it('is not blamed if it is right', async () => {
    expect((await violations({})).map(({ says, found }) => `${says}: ${found}`)).toEqual([]);
  });

  // The short form takes some of them.
  const isLong = process.env['TACET_LONG'] !== undefined;
  const some = Object.entries(faults).filter((_, place) => isLong || place % 4 === 0);
  it.each(some)('is found wrong: %s', async (_, fault) => {
    expect(await violations(fault)).not.toEqual([]);
  });
});
