import { describe, expect, it } from 'vitest';
import { choices } from '../faulty/todo.ts';
import { blamed, changed, otherSeeds, specificationOf, testTodo, todoDocument } from './documents.ts';

const todo = specificationOf(todoDocument);

describe('an implementation that keeps to a complete document', () => {
  it.each(otherSeeds)('is never blamed: seed %i', async (seed) => {
    const report = await testTodo(todo, null, seed);
    expect(blamed(report)).toEqual([]);
    expect(report.inOrder).toBe(true);
  });

  it('has each statement judged, or listed with a reason', async () => {
    const { results, counts, unnoticed } = await testTodo(todo);
    expect(counts['not stated']).toEqual({ stated: 0, assumed: 0 });
    expect(unnoticed).toEqual([]);
    for (const { verdict, reason } of results)
      if (verdict === 'not exercised')
        expect(reason).toBe('nobody searched for a request that shows it (--search)');
    const cited = results.map(({ statement }) => statement.address);
    for (const address of ['resources.Todo.fields.title.minLength', 'endpoints["POST /"].response.status'])
      expect(cited).toContain(address);
  });

  it.each(choices)('may choose: %s (language §F.1)', async (choice) => {
    expect(blamed(await testTodo(todo, choice))).toEqual([]);
  });
});

describe('a report', () => {
  it('cites a statement, by its address and its place, in every result', async () => {
    const { results } = await testTodo(todo, 'invalid is 400');
    for (const { statement } of results) {
      expect(statement.at).toMatch(/^todo\.md:\d+:\d+$/);
      expect(statement.address).toMatch(/^[a-z]+/);
    }
    const refused = results.find(({ verdict }) => verdict === 'violates');
    const line = todoDocument.split('\n').findIndex((text) => text.includes('not_a_todo:')) + 1;
    expect(refused).toMatchObject({
      place: 'status',
      statement: {
        address: 'errors.codes.not_a_todo.status',
        at: expect.stringContaining(`todo.md:${line}:`),
      },
      expected: 'status 422',
    });
    expect(refused?.found).toBe('status 400');
    expect(refused?.response?.status).toBe(400);
    expect(refused?.curl).toMatch(/^curl -sS -i -X [A-Z]+ --path-as-is 'http:/);
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
