import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import type { RunEvent } from '../../src/conformance/stream.ts';
import { type Fault, startTodo } from '../faulty/todo.ts';
import { listening, type Running } from '../listening.ts';
import { specificationOf, todoDocument, violations } from './documents.ts';

const todo = specificationOf(todoDocument);

describe('whether refusals change anything', () => {
  it('is seen of several by one look before them, and one after', async () => {
    const { report, events } = await heard(null);
    const judged = report.results.filter(({ check }) => check === 'refusal.effect');
    expect(new Set(judged.map(({ verdict }) => verdict))).toEqual(new Set(['conforms']));
    const sent = events.flatMap((event) => (event.kind === 'exchange' ? [event.exchange] : []));
    const walk = sent.map(({ request: { method }, response }) =>
      method === 'GET' ? 'look' : (response?.status ?? 0) < 400 ? 'change' : 'refusal',
    );
    const looks = walk.filter((one, index) => one === 'look' && walk[index - 1] === 'refusal');
    expect(judged.length).toBeGreaterThan(40);
    expect(looks.length).toBeLessThan(judged.length / 2);
  });

  it.each([
    ['a refused creation is kept', 'POST / with ', ['GET', 'POST', 'GET']],
    ['a refused change is made', 'PATCH /{id} with ', ['POST', 'GET', 'PATCH', 'GET']],
  ] as const)('is blamed on the one that does: %s', async (fault, says, methods) => {
    const { report } = await heard(fault);
    const [first] = violations(report);
    expect(first?.check).toBe('refusal.effect');
    expect(first?.sequence?.map(({ request }) => request.method)).toEqual(methods);
    expect(violations(report).every((one) => one.says.startsWith(says))).toBe(true);
  });

  it('is judged of each by itself where what is kept has changed: somebody else may have done it', async () => {
    const [alone, meddled] = [await heard(null), await heard(null, 3)];
    expect(violations(meddled.report)).toEqual([]);
    const judged = ({ report: { results } }: typeof alone): number =>
      results.filter(({ check, verdict }) => check === 'refusal.effect' && verdict === 'conforms').length;
    expect(judged(meddled)).toBe(judged(alone));
  });
});

/** @param meddled after how many refusals in a row somebody else adds something, once; nobody does where it is left out */
async function heard(
  fault: Fault | null,
  meddled?: number,
): Promise<{ readonly report: Report; readonly events: readonly RunEvent[] }> {
  const running = await startTodo(fault);
  const tested = meddled === undefined ? running : await meddling(running.url, meddled);
  const events: RunEvent[] = [];
  try {
    const onEvent = (event: RunEvent): void => void events.push(event);
    const report = await testService(todo, { url: tested.url, seed: 1, sequences: 3, onEvent });
    return { report, events };
  } finally {
    await tested.close();
    if (tested !== running) await running.close();
  }
}

/** The same service at another address, where somebody else adds something before so many refusals are answered. */
async function meddling(url: string, after: number): Promise<Running> {
  let refused = 0;
  const json = { 'content-type': 'application/json' };
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request;
    const sent = await text(request);
    const own = (told: string): string => told.replaceAll(url, `http://${headers.host}`);
    const answer = await fetch(url + request.url, {
      method,
      headers: headers as Record<string, string>,
      ...(sent !== '' && { body: sent }),
    });
    const content = own(await answer.text());
    refused = answer.status < 400 && refused < after ? 0 : refused + 1;
    if (refused === after) await fetch(url, { method: 'POST', headers: json, body: '{"title":"theirs"}' });
    const fields = [...answer.headers].filter(([name]) => name !== 'content-length');
    response.writeHead(answer.status, Object.fromEntries(fields.map(([name, value]) => [name, own(value)])));
    response.end(content);
  });
  return await listening(server);
}
