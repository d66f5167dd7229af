import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/conformance/http.ts';
import { testService } from '../../src/conformance/run.ts';
import { startTodo } from '../faulty/todo.ts';
import { specificationOf, todoDocument } from './documents.ts';

const todo = specificationOf(todoDocument);

/** The requests of a run, but for identifiers and the address: those are another service's. */
async function requestsOf(seed: number, now: () => number): Promise<readonly string[]> {
  const running = await startTodo(null);
  const exchanges: Exchange[] = [];
  try {
    await testService(todo, {
      url: running.url,
      seed,
      walks: 320,
      now,
      onEvent: (event) => {
        if (event.kind === 'exchange') exchanges.push(event.exchange);
      },
    });
  } finally {
    await running.close();
  }
  // A UUID, or the end of a hostile text by which it is nobody's.
  const identifier = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=etcpasswd)[a-z]{8}/g;
  return exchanges.map(({ request }) =>
    JSON.stringify(request).replaceAll(running.url, '').replaceAll(identifier, 'ID'),
  );
}

describe('a seed', () => {
  it('makes the same requests of two runs at the same time, against two new services', {
    timeout: 60_000,
  }, async () => {
    const [first, second] = [await requestsOf(4, () => 1000), await requestsOf(4, () => 1000)];
    expect(first.length).toBeGreaterThan(200);
    expect(second).toEqual(first);
  });

  it('makes others than another seed', { timeout: 60_000 }, async () => {
    expect(await requestsOf(5, () => 1000)).not.toEqual(await requestsOf(6, () => 1000));
  });
});
