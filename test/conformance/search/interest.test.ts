import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { interestIn } from '../../../src/conformance/search/interest.ts';
import { specificationOf } from '../../service/served.ts';

const todo = specificationOf(readFileSync('examples/todo.md', 'utf8'));
const all = deviationsOf(todo);
const weights = (deviations: typeof all) =>
  new Map(todo.operations.map((operation) => [operation.key, interestIn(deviations, todo)(operation)]));

it('an operation weighs the more, the more deviations are about it', () => {
  const [none, some] = [weights([]), weights(all)];
  expect(new Set(none.values()).size).toBe(1);
  const add = all.filter(({ said }) => said.address.startsWith('endpoints["POST /"]'));
  const ofAdd = weights(add);
  expect(ofAdd.get('POST /')).toBe((none.get('POST /') ?? 0) + add.length);
  expect(ofAdd.get('GET /')).toBe(none.get('GET /'));
  expect(some.get('POST /')).toBeGreaterThan(some.get('DELETE /{id}') ?? 0);
});

it('a deviation that is about several operations counts for each in part', () => {
  const title = all.filter(({ said }) => said.address === 'resources.Todo.fields.title.minLength');
  expect(title.length).toBeGreaterThan(0);
  const sum = (deviations: typeof all): number =>
    [...weights(deviations).values()].reduce((total, weight) => total + weight, 0);
  expect(sum(title) - sum([])).toBeCloseTo(title.length);
});
