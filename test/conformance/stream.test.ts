import { describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import type { RunEvent } from '../../src/conformance/stream.ts';
import { byPart } from '../../src/conformance/summary.ts';
import { type Fault, startTodo } from '../faulty/todo.ts';
import { specificationOf, todoDocument, violations } from './documents.ts';

const todo = specificationOf(todoDocument);

async function heard(fault: Fault | null): Promise<{ events: readonly RunEvent[]; report: Report }> {
  const events: RunEvent[] = [];
  const running = await startTodo(fault);
  try {
    const onEvent = (event: RunEvent): void => void events.push(event);
    return { report: await testService(todo, { url: running.url, seed: 1, walks: 320, onEvent }), events };
  } finally {
    await running.close();
  }
}

const kind = <Kind extends RunEvent['kind']>(events: readonly RunEvent[], of: Kind) =>
  events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === of);

describe('the stream of events of a run', () => {
  it('holds all that the report does, and each request, in the order in which it came about', async () => {
    const { events, report } = await heard(null);
    const [first, last] = [events[0], events.at(-1)];
    expect(first).toEqual({
      kind: 'run begins',
      version: 2,
      specification: report.specification,
      url: report.url,
      seed: 1,
      began: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const { requests, tookMs, counts, unnoticed, inventions, examples, cutShort, inOrder } = report;
    expect(last).toEqual({
      kind: 'run ends',
      requests,
      tookMs,
      counts,
      unnoticed,
      repeated: [],
      inventions,
      examples,
      cutShort,
      inOrder,
    });
    const results = kind(events, 'result').map(({ result }) => result);
    expect([...byPart(results).values()].flat()).toEqual(report.results);
    expect(kind(events, 'exchange')).toHaveLength(requests);
    expect(kind(events, 'run begins')).toHaveLength(1);
    expect(kind(events, 'run ends')).toHaveLength(1);
  });

  it('tells of which part an exchange and a result are', async () => {
    const { events } = await heard(null);
    let part = 0;
    for (const event of events) {
      if (event.kind === 'part begins') expect(event.part).toBe(++part);
      if (event.kind === 'exchange') expect(event.part).toBe(part);
    }
    expect(part).toBeGreaterThan(3);
  });

  it('gives a violation with the exchanges that led to it, the one that decides last', async () => {
    const { events, report } = await heard('remove answers 200');
    const blamed = violations(report);
    expect(blamed.length).toBeGreaterThan(0);
    for (const { sequence = [], request, response } of blamed)
      expect(sequence.at(-1)).toEqual({ request, response, failure: null });
    const removed = blamed.find(({ sequence = [] }) => sequence.length > 1);
    expect(removed?.sequence?.map(({ request }) => request.method)).toContain('DELETE');
    const sent = kind(events, 'exchange').map(({ exchange }) => exchange);
    for (const one of blamed.flatMap(({ sequence = [] }) => sequence)) expect(sent).toContainEqual(one);
    expect(report.results.filter(({ verdict }) => verdict !== 'violates')).not.toContainEqual(
      expect.objectContaining({ sequence: expect.anything() }),
    );
  });
});
