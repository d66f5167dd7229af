import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Made, seen, Unknown, type Value } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { specificationOf, start } from '../service/served.ts';

const runs = process.env['TACET_LONG'] ? 2_000 : 20;

/** One request of a sequence: an operation, an item, and what is given. */
interface Move {
  readonly operation: number;
  /** Which of the items that are there; null: one that is not there. */
  readonly item: number | null;
  /** By the place of the field: a value of its type, or an odd one. */
  readonly members: readonly {
    readonly field: number;
    readonly value: number;
    readonly odd: Json | undefined;
  }[];
  readonly query: readonly (readonly [number, Json])[];
}

const odd = fc.constantFrom<Json>(null, true, 0, 2.5, '', [], ['a'], { a: 1 });
const move: fc.Arbitrary<Move> = fc.record({
  operation: fc.nat(),
  item: fc.option(fc.nat(3), { freq: 8, nil: null }),
  members: fc.array(
    fc.record({
      field: fc.nat(),
      value: fc.nat(3),
      odd: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd }),
    }),
    { maxLength: 4 },
  ),
  query: fc.array(fc.tuple(fc.nat(), fc.constantFrom<Json>('a', 'b', 'tea', 0, 1, 2, 3)), { maxLength: 2 }),
});

/** Values that most fields of a type take. */
const fitting: Readonly<Record<string, readonly Json[]>> = {
  string: ['tea', 'a', '1', 'hall'],
  integer: [0, 1, 2, 7],
  boolean: [true, false],
};

/** The value of an identifying field of an item that is there, or one that no item has. */
function keyOf(world: World, resource: string, field: string, place: number | null): Value {
  const items = world.items(resource);
  const stored = place === null ? undefined : items[place % Math.max(1, items.length)];
  return seen(stored?.members.get(field) ?? 'nobody');
}

function requestOf({ operation: index, item, members, query }: Move, world: World, url: string): Request {
  const { operations } = world.specification;
  const operation = operations[index % operations.length] as Operation;
  const { subject, request } = operation;
  const path = [...operation.bindings].map(([name, binding]): [string, Value] => {
    if (binding.kind === 'text') return [name, 'any'];
    const resource = binding.kind === 'subject' ? (subject?.name ?? '') : binding.resource;
    return [name, keyOf(world, resource, binding.field, item)];
  });
  const fields = [...(subject?.fields.values() ?? [])];
  const body = members.map(({ field: place, value, odd }): [string, Value] => {
    const field = fields[place % (fields.length + 1)];
    if (field === undefined) return ['other', value];
    const to = stated(field.refers);
    const values = fitting[String(stated(field.shape.keywords.get('type')))] ?? ['a'];
    const own = to
      ? keyOf(world, to.resource, to.field ?? 'id', value)
      : (values[value % values.length] as Json);
    return [field.name, odd === undefined ? own : odd];
  });
  const parameters = [...((request && stated(request.query))?.values() ?? [])].flatMap(
    (said) => stated(said) ?? [],
  );
  const asked = query.flatMap(([place, given]): [string, Value][] => {
    const parameter = parameters[place % Math.max(1, parameters.length)];
    if (parameter === undefined) return [];
    const isNumber = stated(parameter.roles.page) !== undefined;
    return isNumber === (typeof given === 'number') ? [[parameter.name, given]] : [];
  });
  return {
    operation,
    path: Object.fromEntries(path),
    query: Object.fromEntries(asked),
    content: request && stated(request.body) ? Object.fromEntries(body) : undefined,
    url,
  };
}

async function send({ operation, path, query, content, url }: Request): Promise<Parameters<typeof judge>[1]> {
  const segments = operation.path.map((segment) =>
    'literal' in segment ? segment.literal : encodeURIComponent(String(path[segment.parameter])),
  );
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, given]): [string, string] => [name, String(given)]),
  );
  const answer = await fetch(`${url}/${segments.join('/')}?${asked}`, {
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

/** Whether the request needs a value that the service made and never showed. */
function isUnseen({ path, content }: Request): boolean {
  const parts = [...Object.values(path), ...Object.values((content ?? {}) as object)];
  return parts.some((part) => part instanceof Made || part instanceof Unknown);
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
      if (predicted.world === null) return;
      world = predicted.world;
    }
  } finally {
    await close();
  }
}

const documents = ['examples/todo.md', 'test/semantics/shelves.yaml'];

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
