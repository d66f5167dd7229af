import { describe, expect, it } from 'vitest';
import { type Around, compileAddresses, linksOf } from '../../../src/service/list/addresses.ts';
import {
  type Asked,
  type PageParameters,
  type PageWord,
  pageParameters,
  parametersOf,
  skipped,
} from '../../../src/service/list/asked.ts';
import { specificationOf } from '../served.ts';

/** The parameters of a list whose query says these things of the page, each by its own word. */
function parameters(...words: readonly PageWord[]): PageParameters {
  const stated = words.map((word) => `${word}: { page: ${word} }`).join(', ');
  const { operations } = specificationOf(`
name: A
resources: { Thing: { identifier: id, fields: { id: { type: string } } } }
endpoints: { GET /things: { does: list Thing, request: { query: { ${stated} } }, response: 200 } }
`);
  return pageParameters(operations.flatMap(parametersOf));
}

const nothing: Asked = {
  size: null,
  offset: null,
  start: null,
  number: null,
  cursor: undefined,
  after: undefined,
  before: undefined,
};

function around(asked: Partial<Asked>, more: Partial<Around> = {}): Around {
  return {
    asked: { ...nothing, ...asked },
    total: () => 45,
    next: () => 'N',
    previous: () => 'P',
    last: () => 'L',
    ends: () => ['a/1', 'z 9'],
    ...more,
  };
}

function addresses(words: readonly PageWord[], url: string, of: Around) {
  return { ...compileAddresses(parameters(...words))(url, of) };
}

describe('the addresses of other pages (language §4.2, `url`)', () => {
  it('by cursor begin anew at it, and keep every other parameter as it was written', () => {
    expect(
      addresses(['cursor', 'size'], '/things?a=%20b&cursor=x&size=10&a=c+d&&flag', around({ size: 10 })),
    ).toEqual({
      self: '/things?a=%20b&cursor=x&size=10&a=c+d&&flag',
      first: '/things?a=%20b&size=10&a=c+d&flag',
      previous: '/things?a=%20b&size=10&a=c+d&flag&cursor=P',
      next: '/things?a=%20b&size=10&a=c+d&flag&cursor=N',
      last: '/things?a=%20b&size=10&a=c+d&flag&cursor=L',
    });
  });

  it('by offset move by the size of a page', () => {
    const url = '/things?offset=20&size=10';
    expect(addresses(['offset', 'size'], url, around({ size: 10, offset: 20 }))).toEqual({
      self: url,
      first: '/things?size=10&offset=0',
      previous: '/things?size=10&offset=10',
      next: '/things?size=10&offset=30',
      last: '/things?size=10&offset=40',
    });
    expect(addresses(['offset'], '/things', around({ size: 10, offset: 3 })).previous).toBe(
      '/things?offset=0',
    );
  });

  it('by start count from one', () => {
    expect(addresses(['start'], '/things', around({ size: 15, start: 16 }))).toEqual({
      self: '/things',
      first: '/things?start=1',
      previous: '/things?start=1',
      next: '/things?start=31',
      last: '/things?start=31',
    });
  });

  it('by number count pages', () => {
    const of = around({ size: 10, number: 2 });
    expect(addresses(['number', 'size'], '/things?number=2', of)).toEqual({
      self: '/things?number=2',
      first: '/things?number=1',
      previous: '/things?number=1',
      next: '/things?number=3',
      last: '/things?number=5',
    });
    expect(addresses(['number'], '/', around({ size: 10 }, { total: () => 0 })).last).toBe('/?number=1');
    expect(addresses(['number'], '/', around({ size: 10 }, { total: () => 40 })).last).toBe('/?number=4');
  });

  it('by an item name the ends of the page, as far as there is a parameter for it', () => {
    expect(addresses(['after', 'before'], '/things?after=q', around({}))).toEqual({
      self: '/things?after=q',
      first: '/things',
      previous: '/things?before=a%2F1',
      next: '/things?after=z%209',
      last: null,
    });
    expect(addresses(['after'], '/things', around({})).previous).toBeNull();
    expect(addresses(['before'], '/things', around({})).next).toBeNull();
  });

  it('are null where there is no such page', () => {
    const none = { next: () => null, previous: () => null };
    for (const word of ['cursor', 'offset', 'start', 'number', 'after'] as const) {
      const { previous, next } = addresses([word, 'size'], '/things', around({ size: 10 }, none));
      expect([word, previous, next]).toEqual([word, null, null]);
    }
    expect(addresses(['size'], '/things?size=3', around({ size: 3 }))).toEqual({
      self: '/things?size=3',
      first: null,
      previous: null,
      next: null,
      last: null,
    });
  });

  it('hold what a URI may hold, so that they can stand in a header field', () => {
    const { self, next } = addresses(['cursor'], '/things?q=<a>"b"é{}|', around({}));
    expect(self).toBe('/things?q=%3Ca%3E%22b%22%C3%A9%7B%7D%7C');
    expect(next).toBe('/things?q=%3Ca%3E%22b%22%C3%A9%7B%7D%7C&cursor=N');
  });

  it('name a parameter by what it is, however its name is coded', () => {
    expect(addresses(['cursor'], '/things?%63ursor=x&b=1', around({})).next).toBe('/things?b=1&cursor=N');
  });

  it('as a Link field tell those that there are (RFC 8288)', () => {
    const of = compileAddresses(parameters('cursor'))('/things', around({}, { previous: () => null }));
    expect(linksOf(of)).toBe(
      '</things>; rel="first", </things?cursor=N>; rel="next", </things?cursor=L>; rel="last"',
    );
    expect(linksOf(compileAddresses(parameters('size'))('/things', around({})))).toBeNull();
  });

  it('are worked out only where they are read', () => {
    const asked: string[] = [];
    const told = (name: string) => () => {
      asked.push(name);
      return null;
    };
    const of = around({ size: 1 }, { next: told('next'), previous: told('previous') });
    const found = compileAddresses(parameters('offset', 'size'))('/things', {
      ...of,
      total: () => Number(asked.push('total')),
    });
    expect([found.self, found.first, asked]).toEqual(['/things', '/things?offset=0', []]);
    expect([found.next, asked]).toEqual([null, ['next']]);
    expect([found.last, asked]).toEqual(['/things?offset=1', ['next', 'total']]);
  });
});

describe('where a page begins', () => {
  it.each([
    [{}, 0],
    [{ offset: 7 }, 7],
    [{ start: 7 }, 6],
    [{ number: 3, size: 10 }, 20],
    [{ number: 1 }, 0],
    [{ number: 2 }, Number.MAX_SAFE_INTEGER],
    [{ offset: 5, start: 3, number: 2, size: 10 }, 17],
    [{ offset: Number.MAX_SAFE_INTEGER, start: 9 }, Number.MAX_SAFE_INTEGER],
  ])('%j leaves out %i items', (asked, count) => {
    expect(skipped({ ...nothing, ...asked })).toBe(count);
  });
});
