import { describe, expect, it } from 'vitest';
import type { Invention } from '../../src/conformance/inventions/inventions.ts';
import { testService } from '../../src/conformance/run.ts';
import type { RunEvent } from '../../src/conformance/stream.ts';
import { type Answered, type Asked, serve } from '../faulty/kit.ts';
import { choices, type Fault } from '../faulty/todo.ts';
import { blamed, changed, incomplete, specificationOf, testTodo, todoDocument } from './documents.ts';

/** In a line each, without how often. */
const told = (
  found: readonly Pick<Invention, 'kind' | 'operation' | 'name' | 'status'>[],
): readonly string[] =>
  found.map(({ kind, operation, name, status }) =>
    [operation ?? 'elsewhere', ...(status === undefined ? [] : [status]), kind, name].join(' '),
  );

const inventedBy = async (
  content: string,
  fault: Fault | null = null,
  seed = 1,
): Promise<readonly string[]> => told((await testTodo(specificationOf(content), fault, seed)).inventions);

describe('what an implementation shows and nobody stated', () => {
  it('is nothing where it keeps to the document, complete or not', async () => {
    expect(await inventedBy(todoDocument)).toEqual([]);
    expect(await inventedBy(incomplete)).toEqual([]);
  });

  it.each(choices.filter((choice) => choice !== 'answers carry further header fields'))(
    'is nothing where it chooses among what is stated: %s',
    async (choice) => {
      expect(await inventedBy(todoDocument, choice)).toEqual([]);
    },
  );

  it('is a header field, told of with an example and how often it was seen, and fails nothing', async () => {
    const report = await testTodo(specificationOf(todoDocument), 'answers carry further header fields');
    expect(blamed(report)).toEqual([]);
    expect(report.inOrder).toBe(true);
    const own = report.inventions.filter(({ operation }) => operation === 'GET /{id}');
    expect(own.length).toBeGreaterThan(0);
    for (const { kind, name, exchange, times } of own) {
      expect(kind).toBe('header field');
      expect(exchange.response?.headers.map(([field]) => field)).toContain(name);
      expect(times).toBeGreaterThan(1);
    }
  });

  it('is a member, where one item is shown and in lists', async () => {
    expect(await inventedBy(incomplete, 'created is shown')).toEqual(
      expect.arrayContaining(['GET / 200 member /*/created', 'POST / 201 member /created']),
    );
  });

  it('is a method that no statement lists, where it is answered', async () => {
    expect(await inventedBy(incomplete, 'PUT is an endpoint')).toContain('/{id} method PUT');
  });

  it('is a status alone, where the rest of the answer is stated of another', async () => {
    expect(await inventedBy(incomplete, 'create answers 200')).toEqual(['POST / status 200']);
  });

  it('is a status, and a payload, of which nothing is stated', async () => {
    const silent = changed(
      incomplete,
      ['status: 201,', 'status: (open),'],
      [/payload: [^\n]*\n/, ''],
      [/(malformed.*), status: 400/, '$1'],
    );
    // Hardly any request is malformed if nothing is stated of the answer: some of these seeds have one.
    const found = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => inventedBy(silent, null, seed)));
    expect(found.flat()).toEqual(
      expect.arrayContaining([
        'POST / status 201',
        expect.stringMatching(/^(POST \/|PATCH \/\{id\}) 400 member \/message$/),
        'DELETE / header field Content-Type',
      ]),
    );
  });
});

describe('members of payloads', () => {
  const document = `
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, readOnly: true }
      place: { type: object, properties: { room: { type: string }, more: { type: object } } }
      by: { refers: Person, shown: "\${Person(value)}" }
  Person: { identifier: name, fields: { name: { type: string } } }
endpoints:
  GET /notes:
    does: list Note
    response: { status: 200, body: { notes: "\${page.items.map(i, Note(i))}", of: { total: 1 }, next: (open) what? } }
  GET /notes/{id}:
    does: read Note
    response: { status: 200, under: note, body: "\${this.place == null ? null : Note(this)}" }
`;
  const note = (more: object): object => ({
    id: 'a',
    place: { room: 'x', more: { any: 1 } },
    by: { name: 'y' },
    ...more,
  });

  async function invented(answer: (asked: Asked) => Answered): Promise<readonly string[]> {
    const running = await serve(answer);
    const events: RunEvent[] = [];
    try {
      const onEvent = (event: RunEvent): void => void events.push(event);
      const { inventions } = await testService(specificationOf(document, 'notes.yaml'), {
        url: running.url,
        seed: 1,
        walks: 160,
        onEvent,
      });
      const found = events.flatMap((event) => (event.kind === 'invention' ? [event.invention] : []));
      expect(told(found)).toEqual(told(inventions));
      return told(inventions).filter((one) => one.includes(' member '));
    } finally {
      await running.close();
    }
  }

  const answering =
    (more: object, beside: object = {}) =>
    ({ path }: Asked): Answered =>
      path === '/notes'
        ? {
            status: 200,
            body: { notes: [note({}), note(more)], of: { total: 1 }, next: { any: 1 }, ...beside },
          }
        : !path.startsWith('/notes/')
          ? { status: 404 }
          : { status: 200, body: { note: note(more), ...beside } };

  it('are looked for at any depth, through references, lists and choices', async () => {
    expect(await invented(answering({}))).toEqual([]);
    const more = { 'a/b': 1, place: { floor: 1 }, by: { name: 'y', age: 1 } };
    expect((await invented(answering(more, { also: 1 }))).toSorted()).toEqual([
      'GET /notes 200 member /also',
      'GET /notes 200 member /notes/*/a~1b',
      'GET /notes 200 member /notes/*/by/age',
      'GET /notes 200 member /notes/*/place/floor',
      'GET /notes/{id} 200 member /also',
      'GET /notes/{id} 200 member /note/a~1b',
      'GET /notes/{id} 200 member /note/by/age',
      'GET /notes/{id} 200 member /note/place/floor',
    ]);
  });
});
