import { describe, expect, it } from 'vitest';
import { faults, inventions } from '../faulty/todo.ts';
import { blamed, incomplete, specificationOf, testTodo, todoDocument, violations } from './documents.ts';

const todo = specificationOf(todoDocument);

describe('a planted fault is found', () => {
  it.each(faults)('%s', async (fault) => {
    expect(blamed(await testTodo(todo, fault))).not.toEqual([]);
  });
});

describe('what nobody stated is found where the document says that it is complete, and is not blamed where it does not', () => {
  const silent = specificationOf(incomplete);

  it.each(inventions)('%s', async (invention) => {
    expect(violations(await testTodo(todo, invention)).length).toBeGreaterThan(0);
    expect(blamed(await testTodo(silent, invention))).toEqual([]);
  });
});
