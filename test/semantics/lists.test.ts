import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import { step } from '../../src/semantics/request/request.ts';
import type { Value } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { specificationOf } from '../service/served.ts';

const document = (list: string, order = '', limits = ''): string => `
tacet: 1
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, rank: { type: integer }, due: { type: string, format: date-time } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  PATCH /notes/{id}: { does: { update: Note, same: changed }, request: { body: Note }, response: 204 }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
  GET /notes:
    does: { list: Note${order} }
    ${list}
errors:
  codes:
    unfit: { when: invalid, status: 422, body: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" }
    large: { when: too large, status: 413 }
    taken: { when: not unique, status: 409 }
limits: ${limits || '(none)'}
`;

const pages = (parameters: string, body = `"\${page.items.map(n, n.id)}"`): string =>
  `request: { query: { ${parameters} } }\n    response: { status: 200, body: ${body} }`;

/** A world in which requests are sent, and in which each answer is judged. */
class Play {
  #world: World;

  constructor(text: string, isShared = false) {
    this.#world = new World(specificationOf(text), { isShared });
  }

  /** Whether an answer is permitted; if so, it came. */
  permits(
    key: string,
    sent: { path?: object; query?: object; content?: Json },
    answer: Partial<Answer>,
  ): boolean {
    const { differences, world } = judge(this.#steps(key, sent), {
      status: 200,
      headers: {},
      body: undefined,
      ...answer,
    });
    if (differences.length === 0 && world) this.#world = world;
    return differences.length === 0;
  }

  /** Makes notes with these identifiers and ranks. */
  notes(...notes: readonly (readonly [id: string, rank: number, due?: string])[]): this {
    for (const [id, rank, due] of notes)
      expect(
        this.permits('POST /notes', { content: { id, rank, ...(due && { due }) } }, { status: 201 }),
      ).toBe(true);
    return this;
  }

  /** Which of the bodies a list may show. */
  shows(query: object, ...bodies: readonly Json[]): readonly Json[] {
    return bodies.filter((body) => {
      const { differences } = judge(this.#steps('GET /notes', { query }), { status: 200, headers: {}, body });
      return differences.length === 0;
    });
  }

  #steps(key: string, { path = {}, query = {}, content }: { path?: object; query?: object; content?: Json }) {
    const { specification } = this.#world;
    const operation = specification.operations.find((each) => each.key === key) as Operation;
    return step(this.#world, {
      operation,
      path: path as Record<string, Value>,
      query: query as Record<string, Value>,
      headers: {},
      credentials: [],
      content,
      url: 'http://a',
    });
  }
}

const a = ['a', 1] as const;
const b = ['b', 2] as const;
const c = ['c', 2] as const;
const d = ['d', 3] as const;

describe('the order of a list', () => {
  it('is stated by `order`, and free among items that it holds equal (language §F.1)', () => {
    const play = new Play(document(pages(''), ', order: [-rank]')).notes(a, b, c, d);
    expect(
      play.shows(
        {},
        ['d', 'c', 'b', 'a'],
        ['d', 'b', 'c', 'a'],
        ['a', 'b', 'c', 'd'],
        ['d', 'c', 'b'],
        ['d', 'c', 'c', 'a'],
      ),
    ).toEqual([
      ['d', 'c', 'b', 'a'],
      ['d', 'b', 'c', 'a'],
    ]);
  });

  it('is free if none is stated, but each item comes once', () => {
    const play = new Play(document(pages('limit: { page: size }'))).notes(a, b, c);
    expect(play.shows({ limit: 2 }, ['c', 'a'], ['a', 'b'], ['a', 'a'], ['a'], ['a', 'x'])).toEqual([
      ['c', 'a'],
      ['a', 'b'],
    ]);
  });

  it('is that of `sort`, of which `order` breaks the ties', () => {
    const play = new Play(document(pages('sort: { sort: [rank, id] }'), ', order: [-id]')).notes(a, b, c, d);
    expect(play.shows({ sort: '-rank' }, ['d', 'c', 'b', 'a'], ['d', 'b', 'c', 'a'])).toEqual([
      ['d', 'c', 'b', 'a'],
    ]);
    expect(play.shows({ sort: 'rank,id' }, ['a', 'b', 'c', 'd'], ['a', 'c', 'b', 'd'])).toEqual([
      ['a', 'b', 'c', 'd'],
    ]);
    expect(play.permits('GET /notes', { query: { sort: 'due' } }, { status: 422, body: ['sort sort'] })).toBe(
      true,
    );
    expect(play.permits('GET /notes', { query: { sort: 'due' } }, { body: ['a', 'b', 'c', 'd'] })).toBe(
      false,
    );
  });

  it('is that of instants, however they are written', () => {
    const [early, late] = ['2026-01-01T00:00:00+02:00', '2025-12-31T23:00:00Z'];
    const play = new Play(document(pages(''), ', order: [due]')).notes(['x', 1, late], ['y', 1, early]);
    expect(play.shows({}, ['y', 'x'], ['x', 'y'])).toEqual([['y', 'x']]);
  });

  it('may be an expression, which names fields alone', () => {
    const play = new Play(document(pages('by: { type: string }'), `, order: "\${request.query.by}"`)).notes(
      a,
      b,
    );
    expect(play.shows({ by: '-rank' }, ['b', 'a'], ['a', 'b'])).toEqual([['b', 'a']]);
    expect(
      play.permits('GET /notes', { query: { by: 'nothing' } }, { status: 422, body: ['by order'] }),
    ).toBe(true);
  });
});

describe('a page by count', () => {
  it('skips what `offset`, `start` and `number` say', () => {
    const text = document(
      pages('limit: { page: size }, from: { page: offset }, at: { page: start }, page: { page: number }'),
      ', order: [id]',
    );
    const play = new Play(text).notes(a, b, c, d);
    const first = (query: object) => play.shows(query, ['a', 'b'], ['b', 'c'], ['c', 'd'], ['d'], []);
    expect(first({ limit: 2, from: 1 })).toEqual([['b', 'c']]);
    expect(first({ limit: 2, at: 1 })).toEqual([['a', 'b']]);
    expect(first({ limit: 2, page: 2 })).toEqual([['c', 'd']]);
    expect(first({ limit: 2, page: 2, from: 1 })).toEqual([['d']]);
    expect(first({ limit: 2, page: 9 })).toEqual([[]]);
  });

  it('does not begin before what its shape admits, or where nobody says what such a page is', () => {
    const parameters = 'from: { page: start, minimum: 1 }, skip: { page: offset, minimum: -3 }';
    const play = new Play(document(pages(parameters), ', order: [id]')).notes(a);
    const from = { query: { from: 0 } };
    expect(play.permits('GET /notes', from, { status: 422, body: ['from minimum'] })).toBe(true);
    expect(play.permits('GET /notes', from, { status: 200, body: ['a'] })).toBe(false);
    expect(play.permits('GET /notes', { query: { skip: -1 } }, { status: 200, body: ['a'] })).toBe(true);
    expect(play.permits('GET /notes', { query: { skip: -4 } }, { status: 200, body: ['a'] })).toBe(false);
  });

  it('may be none of the tied items that it cannot reach', () => {
    const play = new Play(document(pages('limit: { page: size }'), ', order: [rank]')).notes(a, b, c, d);
    expect(play.shows({ limit: 2 }, ['a', 'b'], ['a', 'c'], ['a', 'd'], ['b', 'c'])).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  it('has at most as many items as part 8 allows', () => {
    const play = new Play(document(pages('limit: { page: size }'), '', '{ sizes: { page: 2 } }')).notes(a);
    expect(play.permits('GET /notes', { query: { limit: 3 } }, { status: 413 })).toBe(true);
    expect(play.permits('GET /notes', { query: { limit: 3 } }, { body: ['a'] })).toBe(false);
    expect(play.shows({ limit: 2 }, ['a'], [])).toEqual([['a']]);
  });
});

const byCursor = pages(
  'limit: { page: size }, at: { page: cursor }',
  `{ ids: "\${page.items.map(n, n.id)}", next: "\${page.next}", back: "\${page.previous}" }`,
);

describe('a page by cursor (language §4.5, rule 10)', () => {
  const walked = (order = ', order: [rank]'): Play => {
    const play = new Play(document(byCursor, order)).notes(a, b, c, d);
    expect(
      play.permits(
        'GET /notes',
        { query: { limit: 2 } },
        { body: { ids: ['a', 'c'], next: 'N', back: null } },
      ),
    ).toBe(true);
    return play;
  };
  const second = (play: Play, ...ids: readonly (readonly string[])[]) =>
    ids.filter(
      (some) => play.shows({ limit: 5, at: 'N' }, { ids: [...some], next: null, back: 'B' }).length > 0,
    );

  it('has a cursor for the next page exactly if there is one', () => {
    const play = new Play(document(byCursor, ', order: [rank]')).notes(a, b, c, d);
    expect(play.shows({ limit: 2 }, { ids: ['a', 'b'], next: null, back: null })).toEqual([]);
    expect(play.shows({ limit: 4 }, { ids: ['a', 'b', 'c', 'd'], next: 'N', back: null })).toEqual([]);
    expect(play.shows({ limit: 2 }, { ids: ['a', 'b'], next: 'N', back: 'B' })).toEqual([]);
  });

  it('loses no item and sends none twice, in whatever order those are that were free', () => {
    expect(second(walked(), ['b', 'd'], ['c', 'd'], ['d'], ['d', 'b'])).toEqual([['b', 'd']]);
    expect(second(walked(''), ['b', 'd'], ['d', 'b'], ['a', 'b'], ['b'])).toEqual([
      ['b', 'd'],
      ['d', 'b'],
    ]);
  });

  it('goes back by the cursor of the page before', () => {
    const play = walked();
    expect(
      play.permits(
        'GET /notes',
        { query: { at: 'N' } },
        { body: { ids: ['b', 'd'], next: null, back: 'B' } },
      ),
    ).toBe(true);
    const back = (...ids: readonly string[]) =>
      play.shows({ limit: 1, at: 'B' }, { ids: [...ids], next: 'M', back: 'C' });
    expect([back('c'), back('a'), back('b')].map((all) => all.length)).toEqual([1, 0, 0]);
  });

  it('shows what was made since beyond the cursor, and nothing that was made before it', () => {
    const play = walked().notes(['z', 0], ['e', 4]);
    expect(second(play, ['b', 'd', 'e'], ['b', 'd'], ['z', 'b', 'd', 'e'])).toEqual([['b', 'd', 'e']]);
  });

  it('leaves out what was deleted', () => {
    const play = walked();
    expect(play.permits('DELETE /notes/{id}', { path: { id: 'c' } }, { status: 204 })).toBe(true);
    expect(second(play, ['b', 'd'], ['d'])).toEqual([['b', 'd']]);
  });

  it('says nothing of where an item is that moved', () => {
    const play = walked();
    expect(
      play.permits('PATCH /notes/{id}', { path: { id: 'a' }, content: { rank: 9 } }, { status: 204 }),
    ).toBe(true);
    expect(second(play, ['b', 'd'], ['b', 'd', 'a'], ['b'])).toEqual([
      ['b', 'd'],
      ['b', 'd', 'a'],
    ]);
  });

  it('refuses what the list did not give', () => {
    const refused = { status: 422, body: ['at cursor'] };
    expect(walked().permits('GET /notes', { query: { at: 'nonsense' } }, refused)).toBe(true);
    expect(walked().permits('GET /notes', { query: { at: 'N' } }, refused)).toBe(false);
    // A reader of base64 may leave out what is none.
    expect(walked().permits('GET /notes', { query: { at: 'N\n' } }, refused)).toBe(true);
    expect(second(walked(), ['b', 'd'])).toEqual([['b', 'd']]);
  });

  it('does not know what comes of a cursor with characters that base64 does not have', () => {
    const play = walked();
    expect(play.shows({ limit: 5, at: 'N\n' }, { ids: ['b', 'd'], next: null, back: 'B' }).length).toBe(1);
  });

  it('does not know a list by which it was not told which of two items it showed', () => {
    const play = new Play(
      document(byCursor.replace('map(n, n.id)', 'map(n, n.rank)'), ', order: [rank]'),
    ).notes(a, b, c, d);
    expect(
      play.permits('GET /notes', { query: { limit: 2 } }, { body: { ids: [1, 2], next: 'N', back: null } }),
    ).toBe(true);
    expect(play.shows({ at: 'N' }, { ids: [2, 3], next: null, back: 'B' }).length).toBe(1);
    expect(play.shows({ at: 'N' }, { ids: [1, 2, 3], next: null, back: 'B' })).toEqual([]);
  });
});

it('a list in the order of a value that cannot be computed may fail (language §G.6)', () => {
  const text = document(pages('sort: { sort: [rank, word] }'))
    .replace('rank: {', 'word: { type: string, derived: "${lower(actor.name)}" }, rank: {')
    .replace('codes:', 'codes:\n    failed: { when: internal, status: 500 }');
  const play = new Play(text).notes(a, b);
  const fails = (query: object) => play.permits('GET /notes', { query }, { status: 500 });
  expect([fails({ sort: 'word' }), fails({ sort: 'rank' })]).toEqual([true, false]);
  expect(play.shows({ sort: 'word' }, ['b', 'a'], ['b']).length).toBe(1);
});

describe('a page beside an item', () => {
  it('may go on after an item that bounds it, though it shows none', () => {
    const body = '{ ids: "${page.items.map(n, n.id)}", next: "${page.next}", previous: "${page.previous}" }';
    const parameters =
      'limit: { page: size, default: 3 }, at: { page: cursor }, after: { page: after }, before: { page: before }';
    const play = new Play(document(pages(parameters, body), ', order: [id]')).notes(a, b);
    const shown = { ids: [], next: 'cursor', previous: null };
    expect(play.shows({ after: 'a', before: 'a' }, shown)).toEqual([shown]);
  });

  it('is the stretch after it, or the end of the stretch before it (rules 4 and 5)', () => {
    const text = document(
      pages('limit: { page: size }, after: { page: after }, before: { page: before }'),
      ', order: [id]',
    );
    const play = new Play(text).notes(a, b, c, d);
    const found = (query: object) =>
      play.shows(query, ['a'], ['b'], ['c'], ['d'], ['a', 'b'], ['b', 'c'], ['c', 'd'], []);
    expect(found({ limit: 2, after: 'b' })).toEqual([['c', 'd']]);
    expect(found({ limit: 2, before: 'd' })).toEqual([['b', 'c']]);
    expect(found({ after: 'a', before: 'c' })).toEqual([['b']]);
    expect(found({ after: 'd' })).toEqual([[]]);
    expect(
      play.permits('GET /notes', { query: { after: 'x' } }, { status: 422, body: ['after refers'] }),
    ).toBe(true);
  });
});

describe('addresses of pages (rule 8)', () => {
  const addressed = (parameters: string): string =>
    document(
      pages(
        `min: { type: integer, filter: "\${this.rank >= request.query.min}" }, limit: { page: size, default: 2 }, ${parameters}`,
        `{ ids: "\${page.items.map(n, n.id)}", url: "\${page.url}" }`,
      ),
      ', order: [id]',
    );
  const urls = (parameters: string, query: object, found: object) =>
    new Play(addressed(parameters)).notes(a, b, c, d, ['e', 3]).shows({ min: 0, ...query }, found as Json)
      .length === 1;
  const url = (first: string, previous: string | null, next: string | null, last: string, self = '') => ({
    self: `/notes?min=0${self}`,
    first: `/notes?min=0${first}`,
    previous: previous === null ? null : `/notes?min=0${previous}`,
    next: next === null ? null : `/notes?min=0${next}`,
    last: `/notes?min=0${last}`,
  });

  it('lead to the pages around, however they are written', () => {
    const middle = (all: object) =>
      urls('from: { page: offset }', { from: 2 }, { ids: ['c', 'd'], url: all });
    expect(middle(url('', '&from=0', '&from=4', '&from=4&limit=2', '&from=2'))).toBe(true);
    expect(middle(url('&from=0', '', '&limit=2&from=4', '&from=4', '&from=2'))).toBe(true);
    expect(middle(url('', '&from=0', '&from=3', '&from=4', '&from=2'))).toBe(false);
    expect(middle(url('', '&from=0', '&from=4&limit=3', '&from=4', '&from=2'))).toBe(false);
    expect(middle(url('', '&from=0', null, '&from=4', '&from=2'))).toBe(false);
    expect(middle({ ...url('', '', '&from=4', '&from=4', '&from=2'), next: '/notes?from=4' })).toBe(false);
    expect(middle({ ...url('', '', '&from=4', '&from=4', '&from=2'), next: '/others?min=0&from=4' })).toBe(
      false,
    );
  });

  it('are null where there is no such page', () => {
    const end = (next: string | null) =>
      urls(
        'page: { page: number }',
        { page: 3 },
        { ids: ['e'], url: url('', '&page=2', next, '&page=3', '&page=3') },
      );
    expect([end(null), end('&page=4')]).toEqual([true, false]);
  });

  it('of an empty list may be null, or lead to its pages', () => {
    const first = (address: string | null) => {
      const found = { ids: [], url: { ...url('', null, null, '', '&from=0'), first: address } };
      return (
        new Play(addressed('from: { page: offset }')).shows({ min: 0, from: 0 }, found as Json).length === 1
      );
    };
    expect([first(null), first('/notes?min=0'), first('/notes?min=0&from=2')]).toEqual([true, true, false]);
    expect([first('/notes?min=1'), first('/others?min=0'), first('')]).toEqual([false, false, false]);
  });

  it('of a last page comes after what is known of the list, if others add to it', () => {
    const text = addressed('from: { page: offset }');
    const play = new Play(text, true).notes(a, b, c);
    const last = (address: string) =>
      play.shows({ min: 0, from: 0 }, { ids: ['a', 'b'], url: url('', null, '&from=2', address, '&from=0') })
        .length;
    expect([last('&from=2'), last('&from=4'), last('&from=0')]).toEqual([1, 1, 0]);
  });

  it('may lead there by a cursor, which is good afterwards', () => {
    const play = new Play(addressed('at: { page: cursor }')).notes(a, b, c);
    const found = { ids: ['a', 'b'], url: url('', null, '&at=N', '&at=L') };
    expect(play.permits('GET /notes', { query: { min: 0 } }, { body: found })).toBe(true);
    const then = (at: string, ids: string[]) =>
      play.shows({ min: 0, at }, { ids, url: url('', '&at=P', null, '&at=L', `&at=${at}`) }).length;
    expect([then('N', ['c']), then('N', ['b', 'c']), then('L', ['b', 'c'])]).toEqual([1, 0, 1]);
  });

  it('stand in `page.links` by their relation', () => {
    const text = document(
      `request: { query: { limit: { page: size }, from: { page: offset } } }
    response: { status: 200, headers: { Link: "\${page.links}" } }`,
      ', order: [id]',
    );
    const play = new Play(text).notes(a, b, c);
    const links = (link: string) => {
      const answer = { headers: { link } };
      return play.permits('GET /notes', { query: { limit: 2 } }, answer);
    };
    const [first, next, last] = ['limit=2', 'limit=2&from=2', 'limit=2&from=2'].map(
      (text) => `</notes?${text}>`,
    );
    expect(links(`${first}; rel="first", ${next}; rel="next last"`)).toBe(true);
    expect(links(`${next}; rel=next, ${last}; rel=last, ${first}; rel=first`)).toBe(true);
    expect(links(`${first}; rel="first", ${last}; rel="last"`)).toBe(false);
    expect(links(`${first}; rel="first", ${first}; rel="next", ${last}; rel="last"`)).toBe(false);
  });
});

describe('a list on a service where others make items, too', () => {
  const text = document(byCursor, ', order: [rank]');

  it('shows each of our items on one of its pages, once', () => {
    const play = new Play(text, true).notes(a, d);
    const first = (ids: string[]) => ({ ids, next: 'N', back: null });
    expect(play.permits('GET /notes', { query: { limit: 2 } }, { body: first(['a', 'x']) })).toBe(true);
    expect(play.shows({ limit: 2, at: 'N' }, { ids: ['d'], next: null, back: 'B' }).length).toBe(1);
    expect(play.shows({ limit: 2, at: 'N' }, { ids: ['y', 'd'], next: null, back: 'B' }).length).toBe(1);
    expect(play.shows({ limit: 2, at: 'N' }, { ids: ['y', 'z'], next: 'M', back: 'B' }).length).toBe(1);
    expect(play.shows({ limit: 2, at: 'N' }, { ids: ['y', 'z'], next: null, back: 'B' })).toEqual([]);
  });

  it('has its whole size if it goes on, and shows ours in their order', () => {
    const play = new Play(text, true).notes(a, d);
    expect(play.shows({ limit: 3 }, { ids: ['x'], next: 'N', back: null })).toEqual([]);
    expect(play.shows({ limit: 3 }, { ids: ['x', 'd', 'a'], next: 'N', back: null })).toEqual([]);
    expect(play.shows({ limit: 3 }, { ids: ['x', 'y', 'a'], next: 'N', back: null }).length).toBe(1);
  });
});
