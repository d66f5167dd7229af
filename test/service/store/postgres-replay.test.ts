import { describe, expect, it } from 'vitest';
import {
  compare,
  field,
  literal,
  matchesCaseless,
  parameter,
  query,
  rowOf,
} from '../../../src/expression/query.ts';
import { forEach } from '../../../src/service/store/reads.ts';
import { statement } from '../../../src/service/store/rows.ts';
import type { Row, Store, Transaction } from '../../../src/service/store/store.ts';
import { isLong } from '../../long.ts';
import { randomFrom } from '../../random.ts';
import { ask, start } from '../served.ts';
import { statementsOf } from '../statements.ts';
import { absence, isPooled, schema, opened as shared } from './postgres.ts';
import { opened, plan } from './stores.ts';

const missing = await absence();

/** Items that are made many at once: some refer to others, and some have what no other may have. */
const document = `
resources:
  Writer:
    identifier: id
    fields:
      id: { type: string }
      name: { type: string, unique: true }
      mail: { type: string, unique: caseless }
  Article:
    identifier: slug
    fields:
      slug: { type: string }
      author: { refers: Writer, ifDeleted: delete }
      likes: { type: integer, default: 0 }
  Like:
    identifier: [writer, article]
    fields:
      writer: { refers: Writer, ifDeleted: delete }
      article: { refers: Article, ifDeleted: delete }
  Batch: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } } } }
endpoints:
  others: refuse
  POST /batches:
    does: create Batch
    also:
      - { create: Writer, for: "\${request.body.writers}", with: "\${value}" }
      - { create: Article, for: "\${request.body.articles}", with: "\${value}" }
      - { create: Like, for: "\${request.body.likes}", with: "\${value}" }
    request:
      body:
        fields:
          writers: { type: array, items: { type: object } }
          articles: { type: array, items: { type: object } }
          likes: { type: array, items: { type: object } }
        required: [writers, articles, likes]
    response: 204
  POST /counts:
    does: (none)
    also: [{ update: every Article, as: one, with: { likes: "\${Like.filter(l, l.article == one).size()}" } }]
    response: 204
  DELETE /writers/{id}:
    does: delete Writer
    response: 204
  GET /articles: { does: list Article, response: { status: 200, body: "\${Article(page.items)}" } }
  GET /writers: { does: list Writer, response: { status: 200, body: "\${Writer(page.items)}" } }
errors: { codes: { taken: { when: not unique, status: 409 }, unfit: { when: invalid, status: 422 } } }
`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, one) => one);
const writers = numbers(100).map((one) => ({ id: `w${one}`, name: `writer ${one}`, mail: `W${one}@x.org` }));
const articles = numbers(200).map((one) => ({ slug: `a${one}`, author: `w${one % 100}` }));
const likes = numbers(600).map((one) => ({
  writer: `w${(one * 7) % 100}`,
  article: `a${Math.floor(one / 3)}`,
}));

/** What a service answers, and how many statements that took. */
async function counted(served: { readonly port: number }, line: string, body?: unknown) {
  const { value, sent } = await statementsOf(() => ask(served, line, body));
  return { status: value.status, sent: sent.length };
}

describe.skipIf(missing !== null)('a request that makes many items, on PostgreSQL', () => {
  it('takes at most 20 statements for 800 items that refer to others', async () => {
    const served = await start(document, { data: (await schema()).address });
    const made = await counted(served, 'POST /batches', { writers, articles: [], likes: [] });
    const more = await counted(served, 'POST /batches', { writers: [], articles, likes });
    expect([made.status, more.status]).toEqual([204, 204]);
    expect(more.sent).toBeLessThanOrEqual(20);
  });

  it('takes as many for items that have what no other may have', async () => {
    const served = await start(document, { data: (await schema()).address });
    const made = await counted(served, 'POST /batches', { writers, articles: [], likes: [] });
    expect(made.status).toBe(204);
    expect(made.sent).toBeLessThanOrEqual(20);
  });

  it.skipIf(isPooled)('takes fewer for requests that arrive at once than for each by itself', async () => {
    const served = await start(document, { data: (await schema()).address });
    const [first, ...others] = writers;
    const alone = await counted(served, 'POST /batches', { writers: [first], articles: [], likes: [] });
    const { value, sent } = await statementsOf(() =>
      Promise.all(
        others.map((one) => ask(served, 'POST /batches', { writers: [one], articles: [], likes: [] })),
      ),
    );
    expect(value.map(({ status }) => status)).toEqual(others.map(() => 204));
    // Into how many batches they come hangs on how soon the server answers.
    expect(sent.length).toBeLessThan((others.length * alone.sent) / 2);
  });

  it('finds all that goes with what is deleted, and all that is changed, in a few rounds', async () => {
    const served = await start(document, { data: (await schema()).address });
    await ask(served, 'POST /batches', { writers, articles, likes });
    const updated = await counted(served, 'POST /counts');
    const deleted = await counted(served, 'DELETE /writers/w1');
    expect([updated.status, deleted.status]).toEqual([204, 204]);
    const { body } = await ask(served, 'GET /articles');
    const left = body as { readonly slug: string; readonly likes: number }[];
    expect(left).toHaveLength(198);
    expect(left.every((one) => one.likes === 3)).toBe(true);
    expect(updated.sent).toBeLessThanOrEqual(20);
    expect(deleted.sent).toBeLessThanOrEqual(20);
  });

  it.each([
    ['a name that two of them have', [writers[0], { ...writers[1], name: 'writer 0' }]],
    ['an address that differs by case', [writers[0], { ...writers[1], mail: 'w0@X.ORG' }]],
    ['an identifier that two of them have', [writers[0], { ...writers[1], id: 'w0' }]],
  ])('keeps nothing of them where there is %s', async (_, wrong) => {
    const served = await start(document, { data: (await schema()).address });
    const body = { writers: [...writers.slice(2), ...wrong], articles: [], likes: [] };
    expect((await ask(served, 'POST /batches', body)).status).toBe(409);
    expect((await ask(served, 'GET /writers')).body).toEqual([]);
  });

  it('refuses what refers to nobody, wherever that stands among them', async () => {
    const served = await start(document, { data: (await schema()).address });
    const lost = [...likes.slice(0, 300), { writer: 'w1', article: 'nothing' }, ...likes.slice(300)];
    expect((await ask(served, 'POST /batches', { writers, articles, likes: lost })).status).toBe(422);
    expect((await ask(served, 'GET /articles')).body).toEqual([]);
    expect((await ask(served, 'POST /batches', { writers, articles, likes })).status).toBe(204);
  });
});

const note = {
  name: 'Note',
  keyFields: ['id'],
  indexes: [
    { fields: [{ path: ['code'] }], unique: true },
    { fields: [{ path: ['name'], caseless: true }], unique: true },
  ],
};
const notes = rowOf(note);
const one = { limit: literal(1) };
const byCode = statement(
  query(notes, {
    ...one,
    where: compare('matches', field(notes, 'code', 'text'), parameter(0, 'text')),
  }),
);
const byName = statement(
  query(notes, {
    ...one,
    where: matchesCaseless(field(notes, 'name', 'text'), parameter(0, 'text')),
  }),
);

type Step = (tx: Transaction, seen: unknown[]) => void;

/** A step that a plan takes, by chance: it reads, or writes what no other row may have, if none has it. */
function stepBy(random: () => number): Step {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const [id, code, name] = [
    pick('abcdef'.split('')),
    pick('uvwxyz'.split('')),
    pick(['Ä', 'ä', 'ß', 'B', 'b']),
  ];
  const shown = (row: Row | null | undefined): unknown => row && [row.key, row.text];
  const row: Row = { key: [id], text: JSON.stringify({ code, name }) };
  const isFree = (tx: Transaction): boolean =>
    [...tx.rows(byCode, [code]), ...tx.rows(byName, [name])].every((other) => other.key[0] === id);
  const kind = random();
  if (kind < 0.2) return (tx, seen) => void seen.push(shown(tx.rows(byCode, [code])[0]));
  if (kind < 0.4) return (tx, seen) => void seen.push(shown(tx.rows(byName, [name])[0]));
  if (kind < 0.5) return (tx, seen) => void seen.push(shown(tx.find('Note', [id])));
  if (kind < 0.6) return (tx) => void (tx.find('Note', [id]) && tx.remove('Note', [id]));
  if (kind < 0.61) return (tx) => tx.removeEvery('Note');
  return (tx, seen) => {
    if (!isFree(tx)) return void seen.push('taken');
    if (tx.find('Note', [id])) tx.update('Note', row);
    else tx.insert('Note', row);
  };
}

/** What plans that arrive together see, and are answered. */
async function outcome(store: Store, plans: readonly (readonly Step[])[]): Promise<unknown> {
  const seen: unknown[][] = plans.map(() => []);
  const replies = await store.commit(
    plans.map((steps, index) =>
      plan((tx) => {
        const own: unknown[] = [];
        seen[index] = own;
        forEach(tx, steps, (step) => step(tx, own));
        if (steps.length === 3) throw new Error('undone');
      }),
    ),
    () => 1,
  );
  return [seen, replies.map(({ status, body }) => [status, body])];
}

describe.skipIf(missing !== null)('plans by chance', () => {
  it('see and leave the same on both stores', async () => {
    const random = randomFrom(20260901);
    const stores = [opened([note]), await shared((await schema()).address, [note])] as const;
    for (let round = 0; round < (isLong ? 3000 : 60); round += 1) {
      const plans = numbers(1 + Math.floor(random() * 5)).map(() =>
        numbers(1 + Math.floor(random() * 12)).map(() => stepBy(random)),
      );
      const [own, other] = [await outcome(stores[0], plans), await outcome(stores[1], plans)];
      expect(other, `round ${round}`).toEqual(own);
    }
  });
});
