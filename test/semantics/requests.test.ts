import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { seen, Unknown, type Value } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { specificationOf, start } from '../service/served.ts';

const runs = process.env['TACET_LONG'] ? 2_000 : 20;

/** One request of a sequence: an operation, an item that is there or not, and members of a body. */
interface Move {
  readonly operation: number;
  /** Which item of those that are there; past their number: one that is not there. */
  readonly item: number;
  readonly members: readonly (readonly [number, Json])[];
}

const value = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, -1, 2.5, '', 'a', 'b', 'tea', '2026-01-01'),
  fc.constantFrom<Json>([], ['a'], { a: 1 }),
);
const move: fc.Arbitrary<Move> = fc.record({
  operation: fc.nat(),
  item: fc.nat(3),
  members: fc.array(fc.tuple(fc.nat(), value), { maxLength: 4 }),
});

function requestOf({ operation: index, item, members }: Move, world: World, url: string): Request {
  const { operations } = world.specification;
  const operation = operations[index % operations.length] as Operation;
  const { subject } = operation;
  const stored = subject && world.items(subject.name)[item];
  const path = [...operation.bindings].map(([name, binding]): [string, Value] => [
    name,
    binding.kind === 'subject' ? (seen(stored?.members.get(binding.field) ?? null) ?? 'nobody') : 'nobody',
  ]);
  const names = [...(subject?.fields.keys() ?? []), 'other'];
  const body = members.map(([place, given]) => [names[place % names.length] as string, given]);
  return {
    operation,
    path: Object.fromEntries(path),
    query: {},
    content: operation.request && stated(operation.request.body) ? Object.fromEntries(body) : undefined,
    url,
  };
}

async function send({ operation, path, content, url }: Request): Promise<Parameters<typeof judge>[1]> {
  const segments = operation.path.map((segment) =>
    'literal' in segment ? segment.literal : encodeURIComponent(String(path[segment.parameter])),
  );
  const answer = await fetch(`${url}/${segments.join('/')}`, {
    method: operation.method,
    ...(content !== undefined && {
      body: JSON.stringify(content),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: text === '' ? undefined : (JSON.parse(text) as Json),
  };
}

/** Whether a made value that a path needs was never seen. */
function isUnseen({ path }: Request): boolean {
  return Object.values(path).some((part) => typeof part === 'object');
}

interface Tally {
  determined: number;
  undetermined: number;
}

async function played(text: string, moves: readonly Move[], tally: Tally): Promise<void> {
  const specification = specificationOf(text);
  const { address: url, close } = await start(text);
  try {
    let world = new World(specification);
    for (const each of moves) {
      const request = requestOf(each, world, url);
      if (isUnseen(request)) continue;
      const predicted = step(world, request);
      const answer = await send(request);
      const { differences, determined, undetermined } = judge(predicted.prediction, answer);
      expect({
        request: request.operation.name,
        content: request.content,
        path: request.path,
        differences,
      }).toMatchObject({ differences: [] });
      tally.determined += determined;
      tally.undetermined += undetermined;
      if (predicted.world === null || predicted.prediction.status instanceof Unknown) return;
      world = predicted.world;
    }
  } finally {
    await close();
  }
}

const documents = ['examples/todo.md'];

describe('what a document says of a request is what the service does', () => {
  it.each(documents)('%s', async (file) => {
    const text = readFileSync(file, 'utf8');
    const tally: Tally = { determined: 0, undetermined: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), (moves) =>
        played(text, moves, tally),
      ),
      { numRuns: runs, seed: 20_261_123 },
    );
    // Unknown agrees with everything, so it is counted.
    expect(tally.determined / (tally.determined + tally.undetermined)).toBeGreaterThan(0.95);
  });
});
