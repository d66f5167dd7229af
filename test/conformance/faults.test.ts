import { describe, expect, it } from 'vitest';
import { type Fault, faults, inventions, invisible, startTodo } from '../faulty/todo.ts';
import { sampled } from '../long.ts';
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

/** Walks without a search miss these: what tells them is seldom sent, or others could have made what is shown. */
const missed: readonly string[] = [
  'url is missing in the list',
  'a refused creation is kept',
  'an empty body is an empty object',
  'text that is none is taken',
  'preflight allows PUT',
];

/** What blames a service for a fault, in the first of three runs that does; null: none does. */
async function blame(fault: string): Promise<string | null> {
  for (const seed of [1, 2, 3]) {
    const found = await firstBlame(todo, service, fault, seed);
    if (found !== null) return found;
  }
  return null;
}

describe('a planted fault is found by walks', () => {
  it.each(
    sampled(
      faults.filter((fault) => !missed.includes(fault)),
      6,
    ),
  )('%s', async (fault) => {
    expect(await blame(fault)).not.toBeNull();
  });
});

describe('what nobody stated is found where the document says that it is complete, and is not blamed where it does not', () => {
  const silent = specificationOf(incomplete);

  it.each(
    sampled(
      inventions.filter((invention) => !missed.includes(invention)),
      4,
    ),
  )('%s', async (invention) => {
    expect(await blame(invention)).not.toBeNull();
    expect(blamed(await testTodo(silent, invention))).toEqual([]);
  });
});

describe('what no request can tell is not looked for', () => {
  it.each(Object.entries(invisible))('%s: %s', (fault) => {
    expect([...faults, ...inventions]).not.toContain(fault);
  });
});
