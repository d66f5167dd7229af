import { describe, expect, it } from 'vitest';
import { choices } from '../faulty/todo.ts';
import {
  blamed,
  changed,
  otherSeeds,
  shareJudged,
  specificationOf,
  testTodo,
  todoDocument,
} from './documents.ts';

const todo = specificationOf(todoDocument);

describe('an implementation that keeps to a complete document', () => {
  it.each(otherSeeds)('is never blamed: seed %i', async (seed) => {
    const report = await testTodo(todo, null, seed);
    expect(blamed(report)).toEqual([]);
    expect(report.inOrder).toBe(true);
  });

  it('is never blamed, and nearly every check is made', async () => {
    const report = await testTodo(todo);
    expect(blamed(report)).toEqual([]);
    expect(report.inOrder).toBe(true);
    expect(shareJudged(report)).toBeGreaterThan(0.95);
    expect(report.counts['not stated']).toEqual({ stated: 0, assumed: 0 });
    expect(report.requests).toBeLessThan(400);
  });

  it('has each statement that can be seen looked at, or a reason told', async () => {
    const { results, unchecked } = await testTodo(todo);
    const cited = [
      ...results.map(({ statement }) => statement.address),
      ...unchecked.map(({ address }) => address),
    ];
    const isSeen = (address: string): boolean =>
      cited.some((one) => one === address || address.startsWith(`${one}.`));
    // Names, what others are derived from, and the payload, which is spelled out in each row (language §E.16).
    const names =
      /\.operation$|\.request\.(path|body)|\.does\.with$|\.(message|readable|writable)$|^errors\.payload|\.\*$/;
    const passedOver = [...todo.points.values()].filter(
      ({ address, state }) => state === 'stated' && !isSeen(address),
    );
    expect(passedOver.map(({ address }) => address).filter((address) => !names.test(address))).toEqual([]);
  });

  it.each(choices)('may choose: %s (language §F.1)', async (choice) => {
    expect(blamed(await testTodo(todo, choice))).toEqual([]);
  });
});

describe('a report', () => {
  it('cites a statement, by its address and its place, in every result', async () => {
    const { results } = await testTodo(todo, 'an empty title is taken');
    for (const { statement } of results) {
      expect(statement.at).toMatch(/^todo\.md:\d+:\d+$/);
      expect(statement.address).toMatch(/^[a-z]+/);
    }
    const [refused] = results.filter(({ verdict, check }) => verdict === 'violates' && check === 'refused');
    const line = todoDocument.split('\n').findIndex((text) => text.includes('minLength: 1')) + 1;
    expect(refused).toMatchObject({
      says: 'POST / with title: "" is refused',
      statement: {
        address: 'resources.Todo.fields.title.minLength',
        at: expect.stringContaining(`todo.md:${line}:`),
      },
      expected: 'a refusal: status 422',
      found: 'status 201',
    });
    expect(refused?.request?.body).toContain('"title":""');
    expect(refused?.response?.status).toBe(201);
    expect(refused?.curl).toMatch(
      /^curl -sS -i -X POST --path-as-is 'http:.*' -H 'Content-Type: application\/json' --data-raw '\{/,
    );
  });

  it('counts what rests on an assumption apart, and fails nothing by it', async () => {
    const open = changed(todoDocument, ['status: 201,', 'status: (open) 200 or 201?,']);
    const of = specificationOf(open, 'todo.md', [{ at: 'endpoints["POST /"].response.status', value: 200 }]);
    const report = await testTodo(of);
    expect(report.counts.violates).toEqual({ stated: 0, assumed: 1 });
    expect(report.inOrder).toBe(true);
    expect(report.results.find(({ verdict }) => verdict === 'violates')).toMatchObject({
      statement: {
        address: 'endpoints["POST /"].response.status',
        at: expect.stringMatching(/^assumptions:1:/),
      },
      assumed: true,
    });
  });

  it('is the same for the same seed, but for what the service picks', async () => {
    const [one, other] = [await testTodo(todo), await testTodo(todo)];
    const shape = ({ results }: typeof one) =>
      results.map(({ check, says, verdict }) => [check, says, verdict]);
    expect(shape(one)).toEqual(shape(other));
  });
});
