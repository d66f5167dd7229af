import { describe, expect, it } from 'vitest';
import { faults, inventions, invisible } from '../faulty/todo.ts';
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

describe('what no request can tell is not looked for', () => {
  it.each(Object.entries(invisible))('%s: %s', (fault) => {
    expect([...faults, ...inventions]).not.toContain(fault);
  });
});
