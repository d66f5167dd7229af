import { describe, expect, it } from 'vitest';
import { client, documentOf } from './kept.ts';

describe('what the service sets', () => {
  const article = `
Article:
  identifier: slug
  fields:
    slug: { type: string, set: { create: "\${unique(slug(this.title))}" } }
    title: { type: string, taken: "\${trim(value)}" }
    bio: { type: [string, "null"], default: none, taken: "\${value == '' ? null : value}" }
    size: { type: integer, set: { create: "\${size(this.shout)}", update: "\${size(this.shout)}" } }
    shout: { type: string, set: { create: "\${upper(this.title)}", update: "\${old.shout + ' ' + upper(this.title)}" } }
    edits: { type: integer, default: 0, writable: false, set: { update: "\${old.edits + 1}" } }
  required: [title]`;

  it('on creation may read one another and what is taken in, whichever is written first', async () => {
    const { call } = await client(
      documentOf(
        article,
        ['Article'],
        'GET /slugs/{slug}: { operation: one, does: read Article, response: { status: 200, body: Article } }',
      ).replaceAll('{id}', '{slug}'),
    );
    expect(await call('POST /Article', { title: '  Hello, World ', bio: '' })).toEqual([
      201,
      { slug: 'hello-world', title: 'Hello, World', bio: null, size: 12, shout: 'HELLO, WORLD', edits: 0 },
    ]);
  });

  it('at a change is set where something changed, and only then', async () => {
    const { call } = await client(documentOf(article, ['Article']).replaceAll('{id}', '{slug}'));
    await call('POST /Article', { title: 'a' });
    const changed = { slug: 'a', title: 'b', bio: 'none', size: 3, shout: 'A B', edits: 1 };
    expect(await call('PATCH /Article/a', { title: ' b' })).toEqual([200, changed]);
    expect(await call('PATCH /Article/a', { title: 'b ' })).toEqual([208, changed]);
    expect(await call('PATCH /Article/a', {})).toEqual([208, changed]);
    expect(await call('PUT /Article/a', { title: 'b', bio: 'x' })).toEqual([
      200,
      { ...changed, bio: 'x', size: 5, shout: 'A B B', edits: 2 },
    ]);
    expect(await call('PUT /Article/a', { title: 'b' })).toEqual([
      200,
      { ...changed, bio: 'none', size: 7, shout: 'A B B B', edits: 3 },
    ]);
  });

  it('by unique() is the text once, and with a suffix from then on, under any race', async () => {
    const { call } = await client(documentOf(article, ['Article']).replaceAll('{id}', '{slug}'));
    const made = await Promise.all(
      Array.from({ length: 50 }, () => call('POST /Article', { title: 'Same!' })),
    );
    const slugs = made.map(([, body]) => (body as { slug: string }).slug);
    expect(new Set(slugs).size).toBe(50);
    expect(slugs.filter((slug) => slug === 'same')).toHaveLength(1);
    for (const slug of slugs) expect(slug).toMatch(/^same(-[a-z0-9]{4,})?$/);
    await call('DELETE /Article/same');
    expect(((await call('POST /Article', { title: 'same' }))[1] as { slug: string }).slug).toBe('same');
  });
});

describe('a sequence', () => {
  const issues = `
Repository: { identifier: id, fields: { id: { type: string } }, required: [id] }
Issue:
  identifier: id
  fields:
    id: { type: integer, set: { create: "\${sequence()}" } }
    of: { refers: Repository, ifDeleted: delete }
    number: { type: integer, set: { create: "\${sequence(this.of)}" } }
  required: [of]`;

  it('counts for each statement and each value by itself, and gives no number twice', async () => {
    const many = process.env['TACET_LONG'] ? 10_000 : 1_000;
    const { service, call } = await client(documentOf(issues, ['Repository', 'Issue']));
    for (const id of ['a', 'b', 'c']) await call('POST /Repository', { id });
    const sent = Array.from({ length: many }, (_, index) => ({ of: 'abc'[index % 3] as string }));
    const found: { id: number; of: string; number: number }[] = [];
    for (let from = 0; from < many; from += 100) {
      const answers = await Promise.all(sent.slice(from, from + 100).map((one) => call('POST /Issue', one)));
      found.push(...answers.map(([, body]) => body as (typeof found)[number]));
    }
    expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(sent.map((_, index) => index + 1));
    for (const of of ['a', 'b', 'c']) {
      const own = found.filter((one) => one.of === of).map(({ number }) => number);
      expect(own.sort((a, b) => a - b)).toEqual(own.map((_, index) => index + 1));
    }
    await service.close();
  });

  it('goes on after the last number, whatever was deleted and whenever it was started', async () => {
    const text = documentOf(issues, ['Repository', 'Issue']);
    const first = await client(text);
    await first.call('POST /Repository', { id: 'a' });
    expect(await first.call('POST /Issue', { of: 'a' })).toEqual([201, { id: 1, of: 'a', number: 1 }]);
    expect((await first.call('POST /Issue', { of: 'z' }))[0]).toBe(422);
    expect((await first.call('DELETE /Issue/1'))[0]).toBe(204);
    await first.service.close();
    const second = await client(text, { data: first.service.data });
    const [, issue] = await second.call('POST /Issue', { of: 'a' });
    expect(issue).toEqual({ id: 2, of: 'a', number: 2 });
  });
});

describe('what is made where a change is stated', () => {
  const resources = `
Ticket:
  identifier: id
  fields:
    id: { type: string, writable: false }
    code: { type: string, unique: caseless, writable: false }
    title: { type: string }
    number: { type: integer, writable: false }`;
  const endpoints = `
POST /tickets:
  operation: issue
  does: { create: Ticket, with: ["\${request.body}", { id: "\${'t' + string(sequence())}", code: "\${unique(request.body.title)}", number: "\${request.body.title == 'none' ? absent() : sequence(request.body.title)}" }] }
  request: { body: Ticket }
  response: { status: 201, headers: { Count: "\${sequence()}" }, body: { ticket: "\${Ticket(this)}", answer: "\${sequence('a')}" } }`;

  it('counts by the statement that makes it, and is unique in the field that it is made for', async () => {
    const { call } = await client(documentOf(resources, ['Ticket'], endpoints));
    const make = (title: string) => call('POST /tickets', { title });
    const ticket = (id: string, title: string, code: unknown, number?: number) => ({
      id,
      title,
      code,
      ...(number === undefined ? {} : { number }),
    });
    expect(await make('a')).toEqual([201, { ticket: ticket('t1', 'a', 'a', 1), answer: 1 }]);
    expect(await make('A')).toEqual([
      201,
      { ticket: ticket('t2', 'A', expect.stringMatching(/^A-[a-z0-9]{4}$/), 1), answer: 2 },
    ]);
    expect(await make('a')).toEqual([
      201,
      { ticket: ticket('t3', 'a', expect.stringMatching(/^a-[a-z0-9]{4}$/), 2), answer: 3 },
    ]);
    expect(await make('none')).toEqual([201, { ticket: ticket('t4', 'none', 'none'), answer: 4 }]);
  });
});

describe('items that are there before the first request', () => {
  const tags = `
Tag:
  identifier: id
  fields:
    id: { type: string }
    made: { type: integer, set: { create: "\${sequence()}" } }
    rank: { type: integer, default: 5 }
    of: { refers: Tag, ifDeleted: delete }
  required: [id]
  items: [{ id: b, of: a }, { id: a, rank: 1 }]`;

  it('are made once, and stay deleted', async () => {
    const text = documentOf(tags, ['Tag']);
    const first = await client(text);
    expect(await first.call('GET /Tag')).toEqual([
      200,
      [
        { id: 'b', made: 1, rank: 5, of: 'a' },
        { id: 'a', made: 2, rank: 1 },
      ],
    ]);
    await first.call('DELETE /Tag/b');
    await first.call('PATCH /Tag/a', { rank: 9 });
    await first.service.close();
    const second = await client(text, { data: first.service.data });
    expect(await second.call('GET /Tag')).toEqual([200, [{ id: 'a', made: 2, rank: 9 }]]);
  });

  it('are a reason not to start where they do not meet their own fields', async () => {
    const odd = tags.replace(
      'rank: { type: integer, default: 5 }',
      'rank: { type: integer, default: 5, holds: { it is large by now: "${value > 1 && now != null}" } }',
    );
    await expect(client(documentOf(odd, ['Tag']))).rejects.toThrow('Tag ["a"] does not meet Tag.rank.holds');
  });
});
