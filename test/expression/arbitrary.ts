import fc from 'fast-check';

/** Storable expressions about a note, as text, and what is kept while they are worked out. */

type Texts = fc.Arbitrary<string>;

interface Level {
  readonly bool: Texts;
  readonly num: Texts;
  readonly text: Texts;
  readonly time: Texts;
  readonly any: Texts;
  readonly item: Texts;
}

const texts = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'ß',
  'SS',
  '\uE000',
  '\u{1F600}',
  'é',
  'Ada',
  'a1',
  'true',
  '1',
  "it's",
  'q"u',
];
const times = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00+01:00',
  '2026-01-01T00:00:00.000Z',
  '2025-12-31T23:59:59.999999999Z',
  '9999-12-31T23:00:00-05:00',
  '2016-12-31T23:59:60Z',
];
const most = 9007199254740991;
const numbers = [0, 1, -1, 2, 7, 2.5, 0.1, 0.2, 1e21, 1e308, 2 ** 60, -(2 ** 60), most, -most];

const quoted = (text: string): string => JSON.stringify(text);
const among = (...all: readonly string[]): Texts => fc.constantFrom(...all);
const call = (form: string, ...of: readonly Texts[]): Texts =>
  fc.tuple(...of).map((parts) => parts.reduce((text, part) => text.replace('#', () => part), form));

/** Members that are read of a note, or of an author. */
function leaves(note: string | null, author: string | null): Level {
  const of = (resource: 'note' | 'author', ...members: readonly string[]): string[] => {
    const name = resource === 'note' ? note : author;
    return name === null ? [] : members.map((member) => `${name}.${member}`);
  };
  return {
    bool: among('true', 'false', ...of('note', 'done')),
    num: among(
      ...['0', '1', '2', '7', '2.5', '0.1', `${most}`, `-${most}`, 'request.query.n'],
      ...of('note', 'n', 'x', 'id', 'author.rank', 'author.boss.rank', 'chief.rank'),
      ...of('author', 'rank', 'boss.rank'),
    ),
    text: among(
      ...['a', 'A', '\uE000', '\u{1F600}', 'Ada'].map(quoted),
      'request.query.q',
      'upper(request.query.q)',
      ...of(
        'note',
        'title',
        'author.name',
        'author.id',
        'editor.id',
        'editor.name',
        'place.city',
        'author.louder',
      ),
      ...of('author', 'name', 'id', 'louder'),
    ),
    time: among(
      'now',
      'request.query.at',
      ...of('note', 'at'),
      ...of('author', 'born'),
      `timestamp(${quoted(times[1] as string)})`,
    ),
    any: among(
      ...['null', 'request.query.any', 'actor', '[1, "a"]', "{'b': 1, 'a': [null]}"],
      ...of(
        'note',
        'any',
        'author.any',
        'tags',
        'place',
        'any.a',
        'any.length',
        'twice',
        'done',
        'n',
        'title',
      ),
      ...of('author', 'any'),
    ),
    item: among('actor', ...of('note', 'author', 'editor', 'author.boss', 'chief'), ...of('author', 'boss')),
  };
}

const fewer = fc.constantFrom('==', '!=');
const comparisons = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');

/** One level more: of operators and functions, and, at the outermost rows, of other items. */
function over(below: Level, inner: Level | null, listed: Level | null, lines: Level | null = null): Level {
  const { bool, num, text, time, any, item } = below;
  const choice = (of: Texts): Texts => call('(# ? # : #)', bool, of, of);
  const span = fc.oneof(
    call('(# - #)', time, time),
    among("duration('PT1H')", "duration('1h')", "duration('-P1D')"),
  );
  const comparing = (op: Texts, of: Texts): Texts => call('(# # #)', of, op, of);
  return {
    bool: fc.oneof(
      bool,
      call('!#', bool),
      call('(# && #)', bool, bool),
      call('(# || #)', bool, bool),
      choice(bool),
      comparing(comparisons, num),
      comparing(comparisons, text),
      comparing(comparisons, time),
      comparing(comparisons, span),
      comparing(comparisons, any),
      comparing(fewer, item),
      call('(# # #)', item, fewer, text),
      call('(# # null)', fc.oneof(num, text, item, any), fewer),
      call('(# in #)', fc.oneof(text, any), fc.oneof(any, among('request.query.tags'))),
      call('(# in [#, #])', text, text, text),
      call('(# in [#, #])', time, time, time),
      call('(# in request.query.times)', time),
      call('(# in [#, #])', item, item, item),
      call('(# in [#, #])', num, num, num),
      call('#(#, #)', among('startsWith', 'endsWith', 'contains'), fc.oneof(text, any), text),
      ...(inner
        ? [
            call('Author.exists(y, #)', inner.bool),
            call('Author.all(y, #)', inner.bool),
            call('request.query.rows.exists(z, # && z.name == #)', bool, text),
          ]
        : []),
      ...(listed
        ? [
            call('request.query.tags.#(z, #)', among('exists', 'all'), listed.bool),
            call('this.tags.#(z, #)', among('exists', 'all'), listed.bool),
            call('this.any.exists(z, z == #)', listed.any),
          ]
        : []),
      ...(lines ? [call('this.lines.#(l, #)', among('exists', 'all'), lines.bool)] : []),
    ),
    num: fc.oneof(
      num,
      call('(# # #)', num, among('+', '-', '*', '/', '%'), num),
      call('(# # #)', num, among('+', '-', '*', '/', '%'), any),
      call('-(#)', num),
      choice(num),
      ...(inner
        ? [
            call('Author.filter(y, #).size()', inner.bool),
            call('Author.filter(y, #).map(y, #).#()', inner.bool, inner.num, among('sum', 'min', 'max')),
          ]
        : []),
      call('size(#)', fc.oneof(text, any, among('this.tags', 'this.lines', 'this.lines'))),
      ...(listed ? [call('this.tags.filter(z, #).size()', listed.bool)] : []),
      ...(lines
        ? [
            call('this.lines.filter(l, #).map(l, #).#()', lines.bool, lines.num, among('sum', 'min', 'max')),
            call('request.query.rows.filter(l, l.name == #).size()', lines.text),
          ]
        : []),
    ),
    text: fc.oneof(
      text,
      call('lower(#)', text),
      call('(# + #)', text, text),
      choice(text),
      ...(inner ? [call('Author.map(y, #).#()', inner.text, among('min', 'max'))] : []),
      ...(lines ? [call('this.lines.map(l, #).#()', lines.text, among('min', 'max'))] : []),
    ),
    time: fc.oneof(
      time,
      call('(# # #)', time, among('+', '-'), span),
      choice(time),
      ...(inner ? [call('Author.map(y, #).#()', inner.time, among('min', 'max'))] : []),
    ),
    any: fc.oneof(any, choice(any), num, text),
    item: fc.oneof(item, choice(item)),
  };
}

function twice(of: Level): Level {
  return over(over(of, null, null), null, null);
}

const own = leaves('this', null);
const withAuthor = join(leaves('this', 'y'), own);
const withElement: Level = { ...own, text: fc.oneof(own.text, among('z')) };

function join(a: Level, b: Level): Level {
  const both = (name: keyof Level): Texts => fc.oneof(a[name], b[name]);
  return {
    bool: both('bool'),
    num: both('num'),
    text: both('text'),
    time: both('time'),
    any: both('any'),
    item: fc.oneof(both('item'), among('y')),
  };
}

const line = {
  num: among('l.n'),
  text: among('l.sku'),
  any: among('l', 'l.other', 'l.tags', 'l.sku'),
};
const withLine: Level = {
  ...own,
  num: fc.oneof(own.num, line.num),
  text: fc.oneof(own.text, line.text),
  any: fc.oneof(own.any, line.any),
};
const whole = over(
  over(over(own, twice(withAuthor), twice(withElement), twice(withLine)), null, null),
  null,
  null,
);

export const expression: Texts = fc.oneof(
  { weight: 4, arbitrary: whole.bool },
  { weight: 2, arbitrary: whole.num },
  whole.text,
  whole.time,
);

const or = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { freq: 5 });
const anything = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    false,
    0,
    1,
    'a',
    '1',
    'true',
    '',
    [],
    [1, 'a'],
    ['a'],
    { a: 1 },
    { a: [null], b: 1 },
    0.1,
    2 ** 60,
    [{ a: 1, b: 2 }],
    [{ b: 2, a: 1 }],
  ],
  ...times.slice(0, 2),
);
const someText = fc.constantFrom(...texts);
const someTime = fc.constantFrom(...times);
const someNumber = fc.constantFrom(...numbers);
const someInteger = fc.constantFrom(...numbers.filter(Number.isSafeInteger));
const ids = ['a1', 'a2', 'a3'];
const authorNames = ['Ada', 'ada', '\u{1F600}'];

export const kept = fc.record({
  Author: fc
    .tuple(
      ...ids.map((id, index) =>
        fc.record(
          {
            id: fc.constant(id),
            name: fc.constantFrom(authorNames[index] as string, null),
            rank: or(someInteger),
            any: anything,
            born: or(someTime),
            boss: or(fc.constantFrom(...ids, 'nobody')),
          },
          { requiredKeys: ['id'] },
        ),
      ),
    )
    .chain((all) => fc.subarray(all)),
  Note: fc
    .array(
      fc.record(
        {
          id: fc.constant(1),
          title: or(someText),
          n: or(someInteger),
          x: or(someNumber),
          done: or(fc.boolean()),
          at: or(someTime),
          tags: or(fc.array(fc.oneof(someText, fc.constant(null)), { maxLength: 3 })),
          lines: or(
            fc.array(
              or(
                fc.record(
                  {
                    sku: or(someText),
                    n: or(someInteger),
                    tags: or(fc.array(someText, { maxLength: 2 })),
                    other: anything,
                  },
                  { requiredKeys: [] },
                ),
              ),
              { maxLength: 3 },
            ),
          ),
          any: anything,
          place: or(fc.record({ city: or(someText) })),
          author: or(fc.constantFrom(...ids, 'nobody')),
          editor: or(fc.constantFrom(...authorNames, 'nobody')),
        },
        { requiredKeys: ['id'] },
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((notes) => notes.map((note, index) => ({ ...note, id: index + 1 }))),
});

export const names = fc
  .record({
    now: fc.constant('2026-01-01T00:30:00.000001Z'),
    actor: fc.constantFrom<unknown>(null, 'a1', 'Ada', { id: 'a1' }, { id: 'a2' }, true, 1),
    query: fc.record(
      {
        q: or(someText),
        n: or(someInteger),
        at: or(someTime),
        any: anything,
        times: or(fc.array(or(someTime), { maxLength: 3 })),
        tags: or(fc.array(fc.oneof(someText, fc.constant(null)), { maxLength: 3 })),
        rows: or(fc.array(fc.record({ name: or(someText) }), { maxLength: 2 })),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ query, ...others }) => ({ ...others, request: { query } }));
