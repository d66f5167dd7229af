import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Plan, plan } from '../../../src/conformance/search/plan.ts';
import { loaded, saved } from '../../../src/conformance/search/saved.ts';
import { specificationOf } from '../../service/served.ts';

const shelves = specificationOf(readFileSync('test/semantics/shelves.yaml', 'utf8'));
const found = plan(shelves, { budgetMs: 300 });

/** The requests without the operations, which are whole specifications. */
const requestsOf = ({ walks }: Plan): unknown =>
  walks.map(({ requests }) => requests.map(({ operation, ...request }) => [operation.address, request]));

describe('a saved plan', () => {
  it.each(['shelves', 'broker', 'train-travel', 'files', 'parcel-desk', 'subscriptions'])(
    'sends the same requests when it is loaded: %s',
    (name) => {
      const specification =
        name === 'shelves' ? shelves : specificationOf(readFileSync(`examples/${name}.md`, 'utf8'));
      const made = name === 'shelves' ? found : plan(specification, { budgetMs: 150 });
      const again = loaded(saved(made), specification);
      expect(requestsOf(again as Plan)).toEqual(requestsOf(made));
      expect(again?.walks.map(({ waits, told }) => [waits, told])).toEqual(
        made.walks.map(({ waits, told }) => [waits, told]),
      );
      expect(again?.untold).toEqual(made.untold);
      expect([...(again?.told.keys() ?? [])]).toEqual([...made.told.keys()]);
    },
  );

  it('keeps what the service makes, texts of chance, times and bytes', () => {
    const text = saved(found);
    for (const kind of ['awaited', 'fresh']) expect(text).toContain(`"$value":"${kind}"`);
  });

  it('keeps an object with a member that is called as the mark', () => {
    const [walk] = found.walks;
    const [request] = walk?.requests ?? [];
    if (!walk || !request) throw new Error('the plan is empty');
    const content = { $value: 'fresh', text: 'a', ['__proto__']: 1 };
    const odd = { ...walk, requests: [{ ...request, content }], waits: [{ ms: 0 }] };
    const again = loaded(saved({ ...found, walks: [odd] }), shelves);
    expect(again?.walks[0]?.requests[0]?.content).toEqual(content);
  });

  it.each([
    ['of another specification', saved(found), readFileSync('examples/todo.md', 'utf8')],
    ['cut short', saved(found).slice(0, -9), null],
    ['something else', '{"walks":7}', null],
  ])('is none if it is %s', (_, text, other) => {
    expect(loaded(text, other === null ? shelves : specificationOf(other))).toBeNull();
  });
});
