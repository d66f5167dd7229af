import { describe, expect, it } from 'vitest';
import { type Fault, faults, inventions, invisible, startTodo } from '../faulty/todo.ts';
import {
  blamed,
  firstBlame,
  incomplete,
  type Service,
  specificationOf,
  testTodo,
  todoDocument,
} from './documents.ts';

const todo = specificationOf(todoDocument);
const service: Service = {
  file: 'todo.md',
  faults,
  elusive: [],
  start: (fault) => startTodo(fault as Fault | null),
};

describe('a planted fault is found', () => {
  it.each(faults)('%s', async (fault) => {
    expect(await firstBlame(todo, service, fault)).not.toBeNull();
  });
});

describe('what nobody stated is found where the document says that it is complete, and is not blamed where it does not', () => {
  const silent = specificationOf(incomplete);

  it.each(inventions)('%s', async (invention) => {
    expect(await firstBlame(todo, service, invention)).not.toBeNull();
    expect(blamed(await testTodo(silent, invention))).toEqual([]);
  });
});

describe('what no request can tell is not looked for', () => {
  it.each(Object.entries(invisible))('%s: %s', (fault) => {
    expect([...faults, ...inventions]).not.toContain(fault);
  });
});
