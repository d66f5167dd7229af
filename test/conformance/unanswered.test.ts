import { createServer, type IncomingMessage, request as send } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Client, Exchange, Request } from '../../src/conformance/http.ts';
import { missingAnswer } from '../../src/conformance/play/missing.ts';
import { testService } from '../../src/conformance/run.ts';
import { Unanswered, untilUnanswered } from '../../src/conformance/unanswered.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { startTodo } from '../faulty/todo.ts';
import { listening, type Running } from '../listening.ts';
import { blamed, changed, specificationOf, todoDocument } from './documents.ts';

/** What becomes of a request: it is answered, it never is, its connection is ended, or all that listens is. */
type Fate = 'answered' | 'hangs' | 'cut' | 'ends';

/** The to-do service behind another that decides, of each request, what becomes of it. */
async function behind(fateOf: (method: string, count: number) => Fate): Promise<Running> {
  const todo = await startTodo();
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    const fate = fateOf(incoming.method ?? '', ++count);
    if (fate === 'ends') server.close();
    if (fate === 'ends' || fate === 'cut') incoming.destroy();
    if (fate !== 'answered') return;
    const { method, headers } = incoming;
    const inner = send(`${todo.url}${incoming.url}`, { method, headers }, (answer) => void passOn(answer));
    const passOn = async (answer: IncomingMessage): Promise<void> => {
      const content = Buffer.concat(await answer.toArray()).toString('utf8');
      const body = content.replaceAll(todo.url, running.url);
      const { 'content-length': _, 'transfer-encoding': __, ...fields } = answer.headers;
      const location = fields.location?.replace(todo.url, running.url);
      outgoing.writeHead(answer.statusCode ?? 500, { ...fields, ...(location && { location }) }).end(body);
    };
    incoming.pipe(inner);
  });
  const running = await listening(server);
  const close = async (): Promise<void> => {
    await running.close();
    await todo.close();
  };
  return { ...running, close };
}

/** How long the tester waits here for an answer, in milliseconds. */
const answerMs = 150;

async function tested(fateOf: (method: string, count: number) => Fate) {
  const running = await behind(fateOf);
  try {
    return await testService(specificationOf(todoDocument), {
      url: running.url,
      seed: 1,
      walks: 240,
      answerMs,
    });
  } finally {
    await running.close();
  }
}

describe('an answer that does not come', () => {
  it('is not exercised where nothing states how long one may take', async () => {
    const report = await tested((method) => (method === 'DELETE' ? 'hangs' : 'answered'));
    expect(blamed(report)).toEqual([]);
    expect(report.cutShort).toBeNull();
  });

  it('is missing where the connection was ended', async () => {
    const report = await tested((method) => (method === 'PATCH' ? 'cut' : 'answered'));
    expect(blamed(report)).toContainEqual(expect.stringMatching(/^PATCH \/.*: "no answer: /));
  });

  it('is missing where part 8 states less time than it was waited for', () => {
    const request = { method: 'GET', url: 'http://127.0.0.1/7', headers: [], body: null };
    const late: Exchange = { request, response: null, failure: 'no answer within 10 s', lateMs: 10_000 };
    const given = (times: string): boolean => {
      const document = changed(todoDocument, [
        /(## Limits\n[\s\S]*?)```yaml[\s\S]*?```/,
        `$1\`\`\`yaml\n${times}\n\`\`\``,
      ]);
      const specification = specificationOf(document);
      const read = specification.operations.find(({ name }) => name === 'readTodo') as Operation;
      return missingAnswer(specification, read, late) !== null;
    };
    expect(given('rates: (none)')).toBe(false);
    expect(given('times: { request: PT5S }')).toBe(true);
    expect(given('times: { request: PT9.5S }')).toBe(false);
    expect(given('times: { request: PT5S, operations: { readTodo: PT1M } }')).toBe(false);
  });

  it('is missing of the request that the implementation ended at, and of no other', async () => {
    // The 61st and the 70th request are sent together with others.
    for (const end of [50, 61, 70]) {
      const report = await tested((_, count) => (count >= end ? 'ends' : 'answered'));
      expect(report.cutShort).toBe('nobody listened any more, and what is left was not tested');
      expect(blamed(report)).toEqual([expect.stringMatching(/: "no answer: connect ECONNREFUSED/)]);
    }
  });

  it('ends the run where none comes any more, and what is left is told of once', async () => {
    const report = await tested((_, count) => (count > 60 ? 'hangs' : 'answered'));
    expect(report.cutShort).toBe('nothing was answered any more for 0.9 s, and what is left was not tested');
    expect([report.inOrder, blamed(report)]).toEqual([false, []]);
    expect(report.requests).toBeLessThan(150);
  });
});

describe('a client that hears whether anything is answered', () => {
  const get = (path: string): Request => ({ method: 'GET', url: `http://x${path}`, headers: [], body: null });
  const answer = { response: { status: 204, headers: [], body: '' }, failure: null };
  const none = { response: null, failure: 'no answer', lateMs: 10 };
  const gone = { response: null, failure: 'connect ECONNREFUSED' };
  /** Each answer that does not come is waited for 10 ms. */
  function over(isAnswered: (path: string) => boolean) {
    const sent: string[] = [];
    let now = 0;
    const client: Client = {
      send: async (request) => {
        const path = request.url.slice('http://x'.length);
        sent.push(path);
        const since = now;
        await Promise.resolve();
        if (!isAnswered(path)) now = Math.max(now, since + none.lateMs);
        return { request, ...(isAnswered(path) ? answer : none) };
      },
      sent: () => sent.length,
      close: () => undefined,
    };
    return { sent, send: untilUnanswered(client, 30, () => now).send };
  }

  it('goes on where what was read last is read again', async () => {
    const { sent, send } = over((path) => path === '/well');
    for (const path of ['/well', '/slow', '/slow', '/slow', '/slow']) await send(get(path));
    expect(sent).toEqual(['/well', '/slow', '/slow', '/slow', '/well', '/slow']);
  });

  it('takes the silence of requests that are sent together for one', async () => {
    const { sent, send } = over((path) => path === '/well');
    await send(get('/well'));
    await Promise.all(['/a', '/b', '/c', '/d', '/e'].map((path) => send(get(path))));
    expect(sent).toEqual(['/well', '/a', '/b', '/c', '/d', '/e']);
  });

  it('sends again what reached nobody, until somebody listens', async () => {
    let left = 3;
    const sent: string[] = [];
    const client: Client = {
      send: async (request) => {
        sent.push(request.url);
        const isRefused = left-- > 0;
        return { request, ...(isRefused ? { ...gone, isRefused } : answer) };
      },
      sent: () => sent.length,
      close: () => undefined,
    };
    const within = (times: number) => untilUnanswered(client, 30, () => 0, { afterMs: 0, times });
    expect((await within(3).send(get('/a'))).response?.status).toBe(204);
    expect(sent.length).toBe(4);
    left = 3;
    const { send, goOn } = within(2);
    expect(goOn()).toBe(undefined);
    for (const path of ['/a', '/b']) expect((await send(get(path))).failure).toBe('connect ECONNREFUSED');
    expect(sent.length).toBe(7);
    expect(goOn).toThrow('nobody listened any more');
  });

  it('gives up where that is not answered either, and sends nothing more', async () => {
    let isWell = true;
    const { sent, send } = over(() => isWell);
    await send(get('/well'));
    isWell = false;
    await send(get('/a'));
    await send(get('/b'));
    await expect(send(get('/c'))).rejects.toThrow(Unanswered);
    await expect(send(get('/d'))).rejects.toThrow('nothing was answered any more for 0.03 s');
    expect(sent).toEqual(['/well', '/a', '/b', '/c', '/well']);
  });
});
