import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Router, segmentsOf } from '../../src/service/http/router.ts';
import type { Segment } from '../../src/specification/vocabulary/paths.ts';
import { timed } from '../cpu.ts';

const runs = process.env['TACET_LONG'] ? 100_000 : 2_000;

/** `/a/{b}` as segments. */
const route = (path: string): Segment[] =>
  path === '/'
    ? []
    : path
        .slice(1)
        .split('/')
        .map((one) => {
          const [, before = '', parameter, after = ''] = /^(.*)\{(.+)\}(.*)$/.exec(one) ?? [];
          if (parameter === undefined) return { literal: one };
          return before + after === '' ? { parameter } : { parameter, around: { before, after } };
        });

function routes(...paths: readonly string[]): (path: string) => unknown {
  const router = new Router<string>();
  for (const path of paths) router.add(route(path), path);
  return (path) => {
    const segments = segmentsOf(path);
    const found = segments && router.find(segments);
    return found && [found.value, ...found.given];
  };
}

describe('what stands at a path (language §4.1)', () => {
  it('is what was put there, and nothing stands elsewhere', () => {
    const find = routes('/', '/a', '/a/b');
    expect([find('/'), find('/a'), find('/a/b')]).toEqual([['/'], ['/a'], ['/a/b']]);
    expect(['/b', '/a/c', '/a/b/c', '/a/', '//', '/A', '/%61/c'].map(find)).toEqual(Array(7).fill(undefined));
  });

  it('a literal goes before a parameter', () => {
    const find = routes('/a/{x}', '/a/b', '/{x}/b');
    expect([find('/a/b'), find('/a/c'), find('/c/b')]).toEqual([['/a/b'], ['/a/{x}', 'c'], ['/{x}/b', 'c']]);
  });

  it('a literal that leads nowhere gives way to a parameter', () => {
    const find = routes('/a/b/c', '/{x}/b/{y}', '/a/{x}/{y}/d');
    expect([find('/a/b/d'), find('/a/b/c'), find('/a/b/c/d')]).toEqual([
      ['/{x}/b/{y}', 'a', 'd'],
      ['/a/b/c'],
      ['/a/{x}/{y}/d', 'b', 'c'],
    ]);
  });

  it('a parameter with more text around it goes before one with less, and a literal before both', () => {
    const find = routes(
      '/{x}',
      '/{x}.json',
      '/{x}.min.json',
      '/v{x}',
      '/v{x}.json',
      '/v1.json',
      '/{x}:a/b',
      '/{x}/c',
    );
    expect(
      [
        '/a',
        '/a.json',
        '/a.min.json',
        '/va',
        '/v2.json',
        '/v1.json',
        '/.json',
        '/v',
        '/a:a/b',
        '/:a/b',
        '/a:a/c',
      ].map(find),
    ).toEqual([
      ['/{x}', 'a'],
      ['/{x}.json', 'a'],
      ['/{x}.min.json', 'a'],
      ['/v{x}', 'a'],
      ['/v{x}.json', '2'],
      ['/v1.json'],
      // A parameter is never empty.
      ['/{x}', '.json'],
      ['/{x}', 'v'],
      ['/{x}:a/b', 'a'],
      undefined,
      ['/{x}/c', 'a:a'],
    ]);
  });

  it('text around a parameter matches as it is written, where literals match in any case', () => {
    const router = new Router<string>();
    router.add(route('/Users/{x}.json'), 'json', true);
    router.add(route('/users/{x}'), 'any');
    const find = (path: string) => {
      const found = router.find(segmentsOf(path) as string[]);
      return found && [found.value, ...found.given];
    };
    expect(['/USERS/a.json', '/users/a.json', '/users/a.JSON', '/USERS/a.JSON'].map(find)).toEqual([
      ['json', 'a'],
      ['any', 'a.json'],
      ['any', 'a.JSON'],
      undefined,
    ]);
  });

  it('a literal matches in any case where that is said, after those that match exactly', () => {
    const router = new Router<string>();
    router.add(route('/Users/{x}'), 'any', true);
    router.add(route('/users/me'), 'me');
    router.add(route('/{x}/all'), 'all');
    const find = (path: string) => {
      const found = router.find(segmentsOf(path) as string[]);
      return found && [found.value, ...found.given];
    };
    expect(['/USERS/Ann', '/users/me', '/Users/me', '/users/ME', '/users/all', '/u/all'].map(find)).toEqual([
      ['any', 'Ann'],
      ['me'],
      ['any', 'me'],
      ['any', 'ME'],
      ['any', 'all'],
      ['all', 'u'],
    ]);
  });

  it('a literal in another case goes before a parameter, at whatever path the parameter is', () => {
    const router = new Router<string>();
    router.add(route('/notes/{x}'), 'exact');
    router.add(route('/notes/last'), 'caseless', true);
    const find = (path: string) => router.find(segmentsOf(path) as string[])?.value;
    expect(['/notes/Last', '/notes/1', '/Notes/LAST', '/Notes/1'].map(find)).toEqual([
      'caseless',
      'exact',
      'caseless',
      undefined,
    ]);
  });

  it('a parameter is never empty; a literal may be, at the end', () => {
    const find = routes('/{x}', '/{x}/{y}', '/a/');
    expect([find('/'), find('//'), find('/a/'), find('/b/'), find('//b')]).toEqual([
      undefined,
      undefined,
      ['/a/'],
      undefined,
      undefined,
    ]);
  });

  it('parameters have their decoded values, which are no paths any more', () => {
    const find = routes('/{x}', '/{x}/{y}');
    expect([find('/a%2Fb'), find('/%2e%2e/a'), find('/%7Bx%7D'), find('/%F0%9F%98%80'), find('/+')]).toEqual([
      ['/{x}', 'a/b'],
      ['/{x}/{y}', '..', 'a'],
      ['/{x}', '{x}'],
      ['/{x}', '😀'],
      ['/{x}', '+'],
    ]);
  });

  it('names of objects are paths as any others', () => {
    const find = routes('/__proto__', '/{x}/constructor');
    expect([find('/__proto__'), find('/toString'), find('/a/constructor')]).toEqual([
      ['/__proto__'],
      undefined,
      ['/{x}/constructor', 'a'],
    ]);
  });

  it('one path is put once: what is put there again is what was there', () => {
    const router = new Router<string>();
    expect(router.add(route('/a/{x}'), 'first')).toBe('first');
    expect(router.add(route('/a/{y}'), 'second')).toBe('first');
  });

  it('is found in a time that does not grow with the number of ways to try', () => {
    const alike = Array.from(
      { length: 12 },
      (_, depth) => `${'/a'.repeat(depth)}${'/{x}'.repeat(12 - depth)}/b`,
    );
    const find = routes(...alike.map((path) => path.replace(/\{x\}/g, () => '{x}')));
    const { cpuMs } = timed(() => {
      for (let i = 0; i < 1000; i++) expect(find(`${'/a'.repeat(12)}/c`)).toBeUndefined();
    });
    expect(cpuMs).toBeLessThan(2_000);
  });

  it('is what a plain search finds, whatever stands', () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'bab', '');
    const parameter = fc.constantFrom('{x}', 'a{x}', '{x}b', 'b{x}b');
    const written = fc.array(fc.oneof(name, parameter), { maxLength: 4 });
    const asPath = (segments: readonly string[]): string => `/${segments.join('/')}`;
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), fc.array(name, { maxLength: 4 }), (all, asked) => {
        const paths = [...new Set(all.map(asPath))];
        expect(routes(...paths)(asPath(asked))).toEqual(plainly(paths, asPath(asked)));
      }),
      { numRuns: runs },
    );
  });
});

describe('what stands at a path of which some match in any case', () => {
  it('is what a plain search finds, whatever stands', () => {
    const name = fc.constantFrom('a', 'A', 'b');
    const written = fc.record({
      path: fc.array(fc.oneof(name, fc.constant('{x}')), { minLength: 1, maxLength: 3 }),
      isCaseless: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(written, { maxLength: 6, selector: ({ path }) => path.join('/') }),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        (paths, asked) => {
          const router = new Router<string>();
          for (const { path, isCaseless } of paths)
            router.add(route(`/${path.join('/')}`), path.join('/'), isCaseless);
          const found = router.find(asked);
          const ranks = paths.map(({ path, isCaseless }) => ({
            path: path.join('/'),
            rank: rankOf(path, asked, isCaseless),
          }));
          const least = ranks.map(({ rank }) => rank).toSorted()[0];
          const first = ranks.filter(({ rank }) => rank === least && !rank.includes('9'));
          expect(first.map(({ path }) => path)).toEqual(
            found === undefined ? [] : expect.arrayContaining([found.value]),
          );
        },
      ),
      { numRuns: runs },
    );
  });
});

/** A digit for each segment: 0 for a literal, 1 for one in another case, 2 for a parameter, 9 where it does not fit. */
function rankOf(path: readonly string[], asked: readonly string[], isCaseless: boolean): string {
  if (path.length !== asked.length) return '9';
  const digits = path.map((segment, place) => {
    if (segment === '{x}') return 2;
    if (segment === asked[place]) return 0;
    return isCaseless && segment.toLowerCase() === asked[place]?.toLowerCase() ? 1 : 9;
  });
  return digits.includes(9) ? '9' : digits.join('');
}

/** Of all paths that fit, the one whose literals come first, segment by segment, and then the longest texts around a parameter. */
function plainly(paths: readonly string[], asked: string): unknown {
  const given = asked === '/' ? [] : asked.slice(1).split('/');
  const patternOf = (segment: string): RegExp => new RegExp(`^${segment.replace('{x}', '(.+)')}$`);
  const fitting = paths
    .map((path) => ({ path, segments: path === '/' ? [] : path.slice(1).split('/') }))
    .filter(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((one, i) => patternOf(one).test(given[i] as string)),
    );
  const digit = (segment: string): string => {
    const place = segment.indexOf('{x}');
    if (place < 0) return '00';
    const length = segment.length - '{x}'.length;
    return length === 0 ? '99' : `${8 - length}${8 - place}`;
  };
  const rank = ({ segments }: { segments: readonly string[] }): string => segments.map(digit).join('');
  const [best] = fitting.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const values = best?.segments.flatMap(
    (one, i) =>
      patternOf(one)
        .exec(given[i] as string)
        ?.slice(1) ?? [],
  );
  return best && [best.path, ...(values ?? [])];
}

describe('the segments of a path (RFC 3986 §3.3)', () => {
  it('are decoded after the path is taken apart', () => {
    expect(['/', '/a', '/a/', '//', '/a%2Fb/%61'].map(segmentsOf)).toEqual([
      [],
      ['a'],
      ['a', ''],
      ['', ''],
      ['a/b', 'a'],
    ]);
  });

  it('are none where the coding is broken, or holds U+0000', () => {
    expect(['/%', '/%4', '/%zz', '/a/%c0%af', '/%ed%a0%80', '/%00', '/a%00', '/%f8'].map(segmentsOf)).toEqual(
      Array(8).fill(null),
    );
  });
});
