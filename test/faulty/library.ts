import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Running } from '../listening.ts';
import {
  type Answered,
  type Asked,
  allowed,
  isObject,
  type Members,
  order,
  Refusal,
  readJson,
  serve,
} from './kit.ts';

/**
 * The service of `test/documents/listing/library.yaml`, written from the document alone. One fault can be planted
 * in it at a time.
 */

/** Faults against what the document states. */
export const faults = [
  'the first genres are missing',
  'a first genre has another title',
  'identifiers repeat',
  'the prefix is missing',
  'an author of nobody is taken',
  'a genre of nobody is taken on change',
  'a book of nobody is lent',
  'an author with books is removed',
  'removing an author in use is refused and done',
  'a genre stays with its books',
  'a genre takes its books along',
  'loans go with their book',
  'names repeat',
  'names are told apart by case',
  'names repeat on change',
  'titles must be unique',
  'numbers of removed books come back',
  'isbn must be unique among those that are there alone',
  'readers review twice',
  'readers review one book alone',
  'the pin is shown',
  'the pin is in the list',
  'an empty bio is kept',
  'marks are shown as they are kept',
  'books are counted wrongly',
  'removed books are still counted',
  'books are counted for their first author',
  'the author of a book has another name',
  'cards show pages',
  'cards miss the label',
  'labels are of the title alone',
  'reviews of other books are shown',
  'reviews of other books are listed',
  'reviews of other books are removed',
  'reviews of an unknown book are an empty list',
  'a review may be made of an unknown book',
  'before lets the year itself in',
  'the filter before is ignored',
  'author filters nothing',
  'since leaves the year itself out',
  'q is sensitive to case',
  'sorting is ignored',
  'sorting down is sorting up',
  'ties are in the order of making',
  'genres are in the order of making',
  'sorting by an unknown field is taken',
  'pages are one item longer',
  'pages skip an item',
  'pages show one item twice',
  'next is there on the last page',
  'next is missing',
  'cursors count places',
  'the total is of the page',
  'the total is of all, filtered or not',
  'offset counts from 1',
  'after shows the item again',
  'a limit past its bound is cut',
  'the default limit is 5',
  'cursors of nobody begin anew',
  'no cursor is known again',
  'the tag is missing',
  'the tag is weak',
  'the tag never changes',
  'the tag changes with each answer',
  'If-None-Match is ignored',
  'If-Match is ignored',
  'If-Match is not wanted',
  'If-Match * fails',
  'a list of tags is one tag',
  'a stale tag is refused and done',
  'If-Match is ignored on removal',
  'a repeat makes another loan',
  'a repeat has another answer',
  'a repeat is not told of',
  'the first answer is told to be a repeat',
  'the key is not wanted',
  'the key is used for another request',
  'the key is bound to the text of the request',
  'each endpoint has keys of its own',
  'refusals are remembered',
  'the form is refused',
  'the form keeps numbers as text',
  'the patch replaces all',
  'the patch ignores remove',
  'a test that does not hold is passed over',
  'a patch is done up to the test that does not hold',
  'Accept is ignored',
  'isbn may be changed',
  'X-Desk is not looked at',
  'X-Desk must be given',
  'nobody is answered as invalid',
  'invalid goes before nobody',
  'stale goes before invalid',
  'the failure of refers is not listed',
] as const;

export type Fault = (typeof faults)[number];

interface Book extends Members {
  number: number;
  title: string;
  isbn: string;
  year: number;
  pages: number;
  author: string;
}

interface Failure {
  readonly field: string;
  readonly keyword: string;
  readonly message: string | null;
}

interface Rule {
  readonly type: string | readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  readonly time?: true;
}

const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  Genre: { code: { type: 'string', pattern: /^[a-z]{3,12}$/ }, title: { type: 'string', min: 1, max: 40 } },
  Author: {
    name: { type: 'string', min: 1, max: 60 },
    born: { type: 'integer', min: 1000, max: 2020 },
    bio: { type: ['string', 'null'], max: 200 },
    pin: { type: 'string', min: 8, max: 40 },
  },
  Book: {
    title: { type: 'string', min: 1, max: 80 },
    isbn: { type: 'string', pattern: /^[0-9]{10}$/ },
    year: { type: 'integer', min: 1400, max: 2100 },
    pages: { type: 'integer', min: 1, max: 5000 },
    mark: { type: 'string', pattern: /^[A-Za-z]{2,6}$/ },
    author: { type: 'string' },
    genre: { type: 'string', pattern: /^[a-z]{3,12}$/ },
  },
  Review: { reader: { type: 'string', min: 1, max: 30 }, stars: { type: 'integer', min: 1, max: 5 } },
  Loan: {
    book: { type: 'integer' },
    reader: { type: 'string', min: 1, max: 30 },
    due: { type: 'string', time: true },
  },
};

const required: Readonly<Record<string, readonly string[]>> = {
  Genre: ['code', 'title'],
  Author: ['name'],
  Book: ['title', 'isbn', 'year', 'author'],
  Review: ['reader', 'stars'],
  Loan: ['book', 'reader'],
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};

const messageOf = (keyword: string, limit: unknown): string | null => {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'refers') return "is nobody's";
  if (keyword === 'unique') return 'is taken';
  return keyword === 'minLength' ? `is shorter than ${limit}` : null;
};

const fail = (field: string, keyword: string, limit?: unknown): Failure => ({
  field,
  keyword,
  message: messageOf(keyword, limit),
});

const isTime = (text: string): boolean => {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.exec(text);
  if (match === null) return false;
  const [, day = ''] = match;
  const date = new Date(`${day}T00:00:00Z`);
  return (
    !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && !Number.isNaN(Date.parse(text))
  );
};

/** What is wrong with one value, in the order of the document. */
function failuresOf(field: string, value: unknown, rule: Rule): Failure[] {
  if (![rule.type].flat().includes(typeOf(value))) return [fail(field, 'type')];
  if (typeof value === 'number')
    return [
      ...(rule.min !== undefined && value < rule.min ? [fail(field, 'minimum')] : []),
      ...(rule.max !== undefined && value > rule.max ? [fail(field, 'maximum')] : []),
    ];
  if (typeof value !== 'string') return [];
  const length = [...value].length;
  return [
    ...(rule.min !== undefined && length < rule.min ? [fail(field, 'minLength', rule.min)] : []),
    ...(rule.max !== undefined && length > rule.max ? [fail(field, 'maxLength')] : []),
    ...(rule.pattern && !rule.pattern.test(value) ? [fail(field, 'pattern')] : []),
    ...(rule.time && !isTime(value) ? [fail(field, 'format')] : []),
  ];
}

const routes: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/genres$/, ['GET', 'POST']],
  [/^\/genres\/([^/]+)$/, ['GET', 'DELETE']],
  [/^\/authors$/, ['GET', 'POST']],
  [/^\/authors\/([^/]+)$/, ['GET', 'PATCH', 'DELETE']],
  [/^\/books$/, ['GET', 'POST']],
  [/^\/books\/([^/]+)$/, ['GET', 'PATCH', 'DELETE']],
  [/^\/books\/([^/]+)\/reviews$/, ['GET', 'POST']],
  [/^\/books\/([^/]+)\/reviews\/([^/]+)$/, ['GET', 'DELETE']],
  [/^\/loans$/, ['GET', 'POST']],
  [/^\/loans\/([^/]+)$/, ['GET']],
];

export async function startLibrary(fault: Fault | null = null): Promise<Running> {
  const has = (name: Fault): boolean => fault === name;
  const genres = new Map<string, Members>();
  const authors = new Map<string, Members>();
  const books = new Map<number, Book>();
  const firstAuthors = new Map<number, string>();
  const removed: string[] = [];
  const reviews = new Map<string, Members>();
  const loans = new Map<string, Members>();
  const isbns = new Set<string>();
  const answers = new Map<string, { readonly request: string; readonly answer: Answered }>();
  let lastNumber = 0;
  if (!has('the first genres are missing')) {
    genres.set('novels', { code: 'novels', title: 'Novels' });
    const title = has('a first genre has another title') ? 'Maps' : 'Maps and plans';
    genres.set('maps', { code: 'maps', title });
  }

  const refuse = (
    status: number,
    code: string,
    message: string,
    failures: readonly Failure[] = [],
  ): never => {
    throw new Refusal({ status, body: { code, message, failures } });
  };
  const noBook = (): never => refuse(404, 'no_book', 'no such book');
  const badQuery = (failures: readonly Failure[]): never => refuse(400, 'bad_query', 'bad query', failures);

  const authorCounted = ({ number, author }: Book): string | undefined =>
    has('books are counted for their first author') ? firstAuthors.get(number) : author;
  const booksOf = (author: unknown): number =>
    [...books.values()].filter((book) => authorCounted(book) === author).length +
    (has('removed books are still counted') ? removed.filter((one) => one === author).length : 0) +
    (has('books are counted wrongly') ? 1 : 0);
  const showAuthor = (author: Members, inList = false): Members => {
    const { pin, ...shown } = author;
    const isShown = has('the pin is shown') || (inList && has('the pin is in the list'));
    return { ...shown, ...(isShown && pin !== undefined && { pin }), books: booksOf(author['id']) };
  };
  const showBook = (book: Book): Members => {
    const mark = book['mark'];
    const of = has('the author of a book has another name')
      ? authors.values().next().value
      : authors.get(book.author);
    const shown =
      typeof mark === 'string' && !has('marks are shown as they are kept') ? mark.toUpperCase() : mark;
    return { ...book, ...(mark !== undefined && { mark: shown }), by: of?.['name'] };
  };
  const showCard = ({ number, title, year, pages }: Book): Members => ({
    number,
    title,
    year,
    ...(has('cards show pages') && { pages }),
    ...(!has('cards miss the label') && {
      label: has('labels are of the title alone') ? title : `${title} (${year})`,
    }),
  });
  let tick = 0;
  const tagOf = (book: Book): string => {
    if (has('the tag changes with each answer')) tick += 1;
    const content = has('the tag never changes') ? '' : JSON.stringify(showBook(book)) + tick;
    const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`;
    return has('the tag is weak') ? `W/${tag}` : tag;
  };
  const tagged = (book: Book): Record<string, string> =>
    has('the tag is missing') ? {} : { ETag: tagOf(book) };

  /** Whether a field of preconditions names the tag, by strong or by weak comparison (RFC 9110 §8.8.3.2). */
  const matches = (field: string, book: Book, strong: boolean): boolean => {
    if (field.trim() === '*') return !has('If-Match * fails');
    const tags = has('a list of tags is one tag') ? [field] : field.split(',');
    const plain = (tag: string): string => tag.trim().replace(/^W\//, '');
    const own = tagOf(book);
    if (strong) return tags.some((tag) => tag.trim() === own && !own.startsWith('W/'));
    return tags.some((tag) => plain(tag) === plain(own));
  };
  const precondition = (asked: Asked, book: Book, wanted: boolean): boolean => {
    const field = asked.headers['if-match'];
    if (field === undefined && wanted && !has('If-Match is not wanted'))
      refuse(428, 'tag_missing', 'a tag is needed');
    if (field === undefined || has('If-Match is ignored')) return true;
    return matches(field, book, true);
  };

  /** JSON is all that there is to be had. */
  const wants = ({ headers }: Asked): void => {
    const { accept = '*/*' } = headers;
    if (!/\*\/\*|application\/(\*|json|problem\+json)/.test(accept) && !has('Accept is ignored'))
      refuse(406, 'no_form', 'cannot be sent so');
  };
  const readBody = (asked: Asked, medias: readonly string[], resource: string): unknown => {
    if (!medias.includes(asked.media) || (has('the form is refused') && asked.media.endsWith('urlencoded')))
      refuse(415, 'media', 'no such media');
    if (asked.media === 'application/x-www-form-urlencoded') {
      const members: Members = {};
      for (const [name, text] of new URLSearchParams(asked.content)) {
        const isNumber = rules[resource]?.[name]?.type === 'integer' && /^-?\d+$/.test(text);
        members[name] = isNumber && !has('the form keeps numbers as text') ? Number(text) : text;
      }
      wants(asked);
      return members;
    }
    const value = readJson(asked.content);
    const isPatch = asked.media === 'application/json-patch+json';
    if (value === undefined || (isPatch ? !Array.isArray(value) : !isObject(value)))
      refuse(400, 'unreadable', 'cannot be read');
    wants(asked);
    return value;
  };

  /** Judges members, and their references; `without` are those that may not be given. */
  const judge = (
    resource: string,
    members: Members,
    isNew: boolean,
    without: readonly string[] = [],
  ): void => {
    const own = rules[resource] ?? {};
    const failures: Failure[] = [];
    for (const [name, rule] of Object.entries(own)) {
      const value = members[name];
      if (value === undefined) {
        if (isNew && required[resource]?.includes(name)) failures.push(fail(name, 'required'));
        continue;
      }
      const found = without.includes(name) ? [] : failuresOf(name, value, rule);
      failures.push(...found);
      if (found.length > 0 || without.includes(name)) continue;
      const refersToNobody =
        (resource === 'Book' &&
          name === 'author' &&
          !authors.has(value as string) &&
          !has('an author of nobody is taken')) ||
        (resource === 'Book' &&
          name === 'genre' &&
          !genres.has(value as string) &&
          !(has('a genre of nobody is taken on change') && !isNew)) ||
        (resource === 'Loan' &&
          name === 'book' &&
          !books.has(value as number) &&
          !has('a book of nobody is lent'));
      if (refersToNobody) failures.push(fail(name, 'refers'));
    }
    for (const name of Object.keys(members))
      if (own[name] === undefined || without.includes(name)) failures.push(fail(name, 'others'));
    if (failures.length === 0) return;
    const isNobody = failures.some(({ field, keyword }) => field === 'author' && keyword === 'refers');
    const others = failures.filter(({ field, keyword }) => field !== 'author' || keyword !== 'refers');
    const nobodyFirst = !has('invalid goes before nobody') || others.length === 0;
    if (isNobody && nobodyFirst && !has('nobody is answered as invalid'))
      refuse(409, 'nobody', 'nobody is called so', [fail('author', 'refers')]);
    const listed = has('the failure of refers is not listed')
      ? failures.filter(({ keyword }) => keyword !== 'refers')
      : isNobody && !has('nobody is answered as invalid')
        ? others
        : failures;
    refuse(422, 'invalid', 'is not valid', listed);
  };

  const judgeName = (name: unknown, id: unknown): void => {
    const fold = (text: unknown): string =>
      has('names are told apart by case') ? String(text) : String(text).toLowerCase();
    const isTaken = [...authors.values()].some((one) => one['id'] !== id && fold(one['name']) === fold(name));
    const lenient = has('names repeat') || (has('names repeat on change') && id !== null);
    if (isTaken && !lenient) refuse(409, 'name_taken', 'the name is taken', [fail('name', 'unique')]);
  };

  /** The parameters of a query, judged; those that nobody stated are refused. */
  const readQuery = (
    query: URLSearchParams,
    stated: Readonly<Record<string, Rule>>,
  ): Record<string, unknown> => {
    const failures: Failure[] = [];
    const found: Record<string, unknown> = {};
    for (const [name, rule] of Object.entries(stated)) {
      const given = query.getAll(name);
      if (given.length > 1) failures.push(fail(name, 'twice'));
      const [text] = given;
      if (text === undefined || given.length > 1) continue;
      const value = rule.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
      const wrong = failuresOf(name, value, rule);
      if (
        name === 'limit' &&
        has('a limit past its bound is cut') &&
        wrong.length > 0 &&
        Number(value) > 20
      ) {
        found[name] = rule.max;
        continue;
      }
      failures.push(...wrong);
      found[name] = value;
    }
    for (const name of new Set(query.keys()))
      if (stated[name] === undefined) failures.push(fail(name, 'others'));
    if (failures.length > 0) badQuery(failures);
    return found;
  };

  const sizeOf = (given: unknown, usual: number): number =>
    Number(given ?? (has('the default limit is 5') ? 5 : usual)) + (has('pages are one item longer') ? 1 : 0);

  const listAuthors = ({ query }: Asked): Answered => {
    const { before, limit, after } = readQuery(query, {
      before: { type: 'integer', min: 0 },
      limit: { type: 'integer', min: 1, max: 50 },
      after: { type: 'string' },
    });
    const all = [...authors.values()].sort((a, b) => order(String(a['name']), String(b['name'])));
    const isIn = ({ born }: Members): boolean =>
      before === undefined ||
      has('the filter before is ignored') ||
      (born !== undefined &&
        (Number(born) < Number(before) || (has('before lets the year itself in') && born === before)));
    const found = all.filter(isIn);
    const from = found.findIndex((one) => one['id'] === after);
    if (after !== undefined && from < 0) badQuery([fail('after', 'refers')]);
    const start = after === undefined ? 0 : from + (has('after shows the item again') ? 0 : 1);
    const size = sizeOf(limit, 10);
    const page = found.slice(start, start + size);
    const total = has('the total is of the page')
      ? page.length
      : has('the total is of all, filtered or not')
        ? all.length
        : found.length;
    return {
      status: 200,
      body: { authors: page.map((one) => showAuthor(one, true)), total, size: limit ?? 10 },
    };
  };

  const listBooks = ({ query }: Asked): Answered => {
    const { author, since, q, sort, limit, cursor } = readQuery(query, {
      author: { type: 'string' },
      since: { type: 'integer' },
      q: { type: 'string', min: 1 },
      sort: { type: 'string' },
      limit: { type: 'integer', min: 1, max: 50 },
      cursor: { type: 'string' },
    });
    const keys = sort === undefined ? [] : String(sort).split(',');
    const isKnown = keys.every((key) => ['title', 'year'].includes(key.replace(/^-/, '')));
    if (!isKnown && !has('sorting by an unknown field is taken')) badQuery([fail('sort', 'sort')]);
    const isIn = (book: Book): boolean => {
      const text = has('q is sensitive to case') ? book.title : book.title.toLowerCase();
      const part = has('q is sensitive to case') ? String(q) : String(q).toLowerCase();
      const low = Number(since) + (has('since leaves the year itself out') ? 1 : 0);
      return (
        (author === undefined || has('author filters nothing') || book.author === author) &&
        (since === undefined || book.year >= low) &&
        (q === undefined || text.includes(part))
      );
    };
    const compare = (a: Book, b: Book): number => {
      for (const key of has('sorting is ignored') ? [] : keys) {
        const down = key.startsWith('-');
        const name = down ? key.slice(1) : key;
        const by = name === 'year' ? a.year - b.year : order(a.title, b.title);
        if (by !== 0) return down && !has('sorting down is sorting up') ? -by : by;
      }
      const newest = b.number - a.number;
      return has('ties are in the order of making') && keys.length > 0 ? -newest : newest;
    };
    const found = [...books.values()].filter(isIn).sort(compare);
    const size = sizeOf(limit, 20);
    const spec = JSON.stringify([author, since, q, sort]);
    let start = 0;
    if (cursor !== undefined) {
      const [kind, of, place, number, year, title] = readCursor(String(cursor));
      if (kind !== 'books' || of !== spec || has('no cursor is known again')) {
        if (!has('cursors of nobody begin anew')) badQuery([fail('cursor', 'cursor')]);
      } else if (has('cursors count places')) start = place as number;
      else {
        const last = { number, year, title } as Book;
        start = found.findIndex((one) => compare(one, last) > 0);
        if (start < 0) start = found.length;
      }
      if (has('pages skip an item')) start += 1;
      if (has('pages show one item twice')) start -= 1;
    }
    const page = found.slice(start, start + size);
    const last = page.at(-1);
    const isMore =
      start + size < found.length || (has('next is there on the last page') && last !== undefined);
    const next =
      isMore && last !== undefined && !has('next is missing')
        ? Buffer.from(
            JSON.stringify(['books', spec, start + size, last.number, last.year, last.title]),
          ).toString('base64url')
        : null;
    return {
      status: 200,
      body: {
        books: page.map(showCard),
        next,
        total: has('the total is of the page') ? page.length : found.length,
      },
    };
  };

  const addBook = (asked: Asked): Answered => {
    const members = readBody(
      asked,
      ['application/json', 'application/x-www-form-urlencoded'],
      'Book',
    ) as Members;
    judge('Book', members, true);
    const { isbn } = members as unknown as Book;
    const present = [...books.values()].some((book) => book.isbn === isbn);
    const ever = !has('isbn must be unique among those that are there alone') && isbns.has(isbn);
    const titled =
      has('titles must be unique') && [...books.values()].some((one) => one.title === members['title']);
    if (present || ever || titled) refuse(409, 'taken', 'is taken', [fail('isbn', 'unique')]);
    isbns.add(isbn);
    lastNumber = has('numbers of removed books come back')
      ? Math.max(0, ...books.keys()) + 1
      : has('identifiers repeat')
        ? Math.max(1, lastNumber)
        : lastNumber + 1;
    const book = {
      number: lastNumber,
      ...withMark(members),
      added: new Date().toISOString(),
    } as unknown as Book;
    book.pages ??= 100;
    books.set(book.number, book);
    firstAuthors.set(book.number, book.author);
    return { status: 201, headers: { Location: `/books/${book.number}` }, body: showBook(book) };
  };

  const withMark = (members: Members): Members => {
    const { mark } = members;
    if (typeof mark !== 'string') return members;
    return { ...members, mark: mark.toLowerCase() };
  };

  const changeBook = (asked: Asked, book: Book): Answered => {
    const operations = readBody(asked, ['application/json-patch+json'], 'Book') as Members[];
    const { number, added, ...kept } = book;
    const next: Members = has('the patch replaces all')
      ? { author: kept.author, isbn: kept.isbn }
      : { ...kept };
    const given: Members = {};
    for (const { op, path, value } of operations) {
      const name = String(path).slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
      if (op === 'test') {
        const now = name in given ? given[name] : next[name];
        if (JSON.stringify(now) === JSON.stringify(value) || has('a test that does not hold is passed over'))
          continue;
        if (has('a patch is done up to the test that does not hold')) Object.assign(book, given);
        refuse(422, 'invalid', 'is not valid', [fail(name, 'test')]);
      }
      if (op === 'remove') {
        if (!has('the patch ignores remove')) delete next[name];
      } else given[name] = value;
    }
    const isFresh = precondition(asked, book, true);
    const stale = (): never => refuse(412, 'tag_stale', 'it was changed');
    if (!isFresh && has('stale goes before invalid')) stale();
    judge('Book', given, false, has('isbn may be changed') ? [] : ['isbn']);
    if (!isFresh && !has('a stale tag is refused and done')) stale();
    const changed = { number, ...next, ...withMark(given), added } as unknown as Book;
    books.set(number, changed);
    if (!isFresh) stale();
    return { status: 200, headers: tagged(changed), body: showBook(changed) };
  };

  const removeBook = (asked: Asked, book: Book): Answered => {
    if (!precondition(asked, book, false) && !has('If-Match is ignored on removal'))
      refuse(412, 'tag_stale', 'it was changed');
    books.delete(book.number);
    removed.push(book.author);
    for (const [id, review] of reviews) if (review['book'] === book.number) reviews.delete(id);
    for (const [id, loan] of loans)
      if (loan['book'] === book.number && has('loans go with their book')) loans.delete(id);
    return { status: 204 };
  };

  const lend = (asked: Asked): Answered => {
    const desk = asked.headers['x-desk'];
    if (asked.media !== 'application/json') refuse(415, 'media', 'no such media');
    const members = readBody(asked, ['application/json'], 'Loan') as Members;
    const isWrong = desk !== undefined && !['north', 'south'].includes(String(desk));
    if (isWrong && !has('X-Desk is not looked at'))
      refuse(400, 'bad_header', 'bad header', [fail('X-Desk', 'enum')]);
    if (desk === undefined && has('X-Desk must be given')) refuse(400, 'bad_header', 'bad header');
    judge('Loan', members, true);
    const key = asked.headers['idempotency-key'] as string | undefined;
    if (key === undefined && !has('the key is not wanted')) refuse(400, 'key_missing', 'a key is needed');
    const sorted = Object.entries(members).sort(([a], [b]) => order(a, b));
    const text = has('the key is bound to the text of the request') ? asked.content : JSON.stringify(sorted);
    const request = JSON.stringify(['POST /loans', text, desk]);
    const earlier = key === undefined ? undefined : answers.get(key);
    if (earlier && !has('a repeat makes another loan')) {
      if (earlier.request !== request && !has('the key is used for another request'))
        refuse(422, 'key_reused', 'the key was used');
      if (earlier.request === request) {
        const told = has('a repeat is not told of') ? {} : { 'Idempotent-Replayed': 'true' };
        const body = has('a repeat has another answer')
          ? { ...(earlier.answer.body as Members), id: randomUUID() }
          : earlier.answer.body;
        return { ...earlier.answer, body, headers: told };
      }
    }
    const loan: Members = { id: randomUUID(), ...members };
    loans.set(loan['id'] as string, loan);
    const answer: Answered = { status: 201, body: loan };
    if (key !== undefined) answers.set(key, { request, answer });
    return has('the first answer is told to be a repeat')
      ? { ...answer, headers: { 'Idempotent-Replayed': 'true' } }
      : answer;
  };

  const lendRemembering = (asked: Asked): Answered => {
    const key = asked.headers['idempotency-key'] as string | undefined;
    const failed = key === undefined ? undefined : answers.get(`refused ${key}`);
    if (failed) return failed.answer;
    try {
      return lend(asked);
    } catch (error) {
      if (has('refusals are remembered') && key !== undefined && error instanceof Refusal)
        answers.set(`refused ${key}`, { request: '', answer: error.answer });
      throw error;
    }
  };

  const bookAt = (key: string): Book => {
    const book = /^[1-9]\d*$/.test(key) ? books.get(Number(key)) : undefined;
    return book ?? noBook();
  };

  return await serve((asked) => {
    const { method, path, query, segments } = asked;
    const route = routes.find(([form]) => form.test(path));
    if (route === undefined) return { status: 404 };
    const verb = method === 'HEAD' ? 'GET' : method;
    if (verb === 'GET') wants(asked);
    if (!route[1].includes(verb)) return { status: 405, headers: allowed(route[1]) };
    const [kind = '', key, sub, inner] = segments;
    const place = `${verb} /${kind}${key === undefined ? '' : '/x'}${sub === undefined ? '' : `/${sub}`}${inner === undefined ? '' : '/x'}`;
    const bare = (): void => void readQuery(query, {});
    switch (place) {
      case 'GET /genres': {
        bare();
        const all = [...genres.values()];
        const sorted = has('genres are in the order of making')
          ? all
          : all.sort((a, b) => order(String(a['code']), String(b['code'])));
        return { status: 200, body: sorted };
      }
      case 'POST /genres': {
        const members = readBody(asked, ['application/json'], 'Genre') as Members;
        bare();
        judge('Genre', members, true);
        if (genres.has(members['code'] as string)) refuse(409, 'taken', 'is taken', [fail('code', 'unique')]);
        genres.set(members['code'] as string, members);
        return { status: 201, body: members };
      }
      case 'GET /genres/x':
      case 'DELETE /genres/x': {
        const genre = genres.get(key as string) ?? refuse(404, 'no_genre', 'no such genre');
        bare();
        if (verb === 'GET') return { status: 200, body: genre };
        genres.delete(key as string);
        for (const [number, book] of books) {
          if (book['genre'] !== key || has('a genre stays with its books')) continue;
          if (has('a genre takes its books along')) books.delete(number);
          else book['genre'] = null;
        }
        return { status: 204 };
      }
      case 'GET /authors':
        return listAuthors(asked);
      case 'POST /authors': {
        const members = readBody(asked, ['application/json'], 'Author') as Members;
        bare();
        judge('Author', members, true);
        const used = asked.headers['idempotency-key'] as string | undefined;
        const place = has('each endpoint has keys of its own') ? `POST /authors ${used}` : String(used);
        const sorted = Object.entries(members).sort(([a], [b]) => order(a, b));
        const request = JSON.stringify(['POST /authors', sorted]);
        const earlier = used === undefined ? undefined : answers.get(place);
        if (earlier && earlier.request !== request) refuse(422, 'key_reused', 'the key was used');
        if (earlier) return earlier.answer;
        judgeName(members['name'], null);
        const made = randomBytes(6).toString('hex');
        const id = has('the prefix is missing') ? made : `au_${made}`;
        const bio = members['bio'] === '' && !has('an empty bio is kept') ? null : (members['bio'] ?? null);
        const author = { id, ...members, bio };
        authors.set(id, author);
        const answer = { status: 201, headers: { Location: `/authors/${id}` }, body: showAuthor(author) };
        if (used !== undefined) answers.set(place, { request, answer });
        return answer;
      }
      case 'GET /authors/x':
      case 'PATCH /authors/x':
      case 'DELETE /authors/x': {
        if (verb === 'PATCH' && asked.media !== 'application/merge-patch+json')
          refuse(415, 'media', 'no such media');
        const patch =
          verb === 'PATCH' ? (readBody(asked, ['application/merge-patch+json'], 'Author') as Members) : {};
        const author = authors.get(key as string) ?? refuse(404, 'no_author', 'no such author');
        bare();
        if (verb === 'GET') return { status: 200, body: showAuthor(author) };
        if (verb === 'DELETE') {
          const isUsed = [...books.values()].some((book) => book.author === key);
          if (isUsed && has('removing an author in use is refused and done')) authors.delete(key as string);
          if (isUsed && !has('an author with books is removed')) refuse(409, 'in_use', 'is referred to');
          authors.delete(key as string);
          return { status: 204 };
        }
        const given = Object.entries(patch).filter(
          ([name, value]) => value !== null || rules['Author']?.[name] === undefined,
        );
        const merged: Members = { ...author, ...Object.fromEntries(given) };
        for (const [name, value] of Object.entries(patch)) if (value === null) delete merged[name];
        judge('Author', Object.fromEntries(given), false);
        if (patch['name'] === null) refuse(422, 'invalid', 'is not valid', [fail('name', 'required')]);
        judgeName(merged['name'], key);
        if (merged['bio'] === '') merged['bio'] = null;
        authors.set(key as string, merged);
        return { status: 200, body: showAuthor(merged) };
      }
      case 'GET /books':
        return listBooks(asked);
      case 'POST /books': {
        readBody(asked, ['application/json', 'application/x-www-form-urlencoded'], 'Book');
        bare();
        return addBook(asked);
      }
      case 'GET /books/x': {
        const book = bookAt(key as string);
        bare();
        const field = asked.headers['if-none-match'];
        if (field !== undefined && !has('If-None-Match is ignored') && matches(field, book, false))
          return {
            status: 304,
            headers: tagged(book),
          };
        return { status: 200, headers: tagged(book), body: showBook(book) };
      }
      case 'PATCH /books/x': {
        readBody(asked, ['application/json-patch+json'], 'Book');
        const book = bookAt(key as string);
        bare();
        return changeBook(asked, book);
      }
      case 'DELETE /books/x': {
        const book = bookAt(key as string);
        bare();
        return removeBook(asked, book);
      }
      case 'GET /books/x/reviews': {
        const number = Number(key);
        if (!has('reviews of an unknown book are an empty list')) bookAt(key as string);
        const { limit, offset = 0 } = readQuery(query, {
          limit: { type: 'integer', min: 1, max: 20 },
          offset: { type: 'integer', min: 0 },
        });
        const found = [...reviews.values()]
          .filter((one) => one['book'] === number || has('reviews of other books are listed'))
          .sort((a, b) => order(String(a['reader']), String(b['reader'])));
        const start = Math.max(0, Number(offset) - (has('offset counts from 1') ? 1 : 0));
        const page = found.slice(start, start + sizeOf(limit, 5));
        return { status: 200, body: { reviews: page, offset, total: found.length } };
      }
      case 'POST /books/x/reviews': {
        const members = readBody(asked, ['application/json'], 'Review') as Members;
        const number = has('a review may be made of an unknown book')
          ? Number(key)
          : bookAt(key as string).number;
        bare();
        judge('Review', members, true);
        const isTaken = [...reviews.values()].some(
          (one) =>
            one['reader'] === members['reader'] &&
            (one['book'] === number || has('readers review one book alone')),
        );
        if (isTaken && !has('readers review twice'))
          refuse(409, 'taken', 'is taken', [fail('book', 'unique'), fail('reader', 'unique')]);
        const id = `${randomUUID().slice(0, 14)}7${randomUUID().slice(15)}`;
        const review = { id, book: number, ...members };
        reviews.set(id, review);
        return { status: 201, body: review };
      }
      case 'GET /books/x/reviews/x':
      case 'DELETE /books/x/reviews/x': {
        const { number } = bookAt(key as string);
        const review = reviews.get(inner as string);
        const lenient =
          verb === 'GET'
            ? has('reviews of other books are shown')
            : has('reviews of other books are removed');
        if (review === undefined || (review['book'] !== number && !lenient))
          return refuse(404, 'no_review', 'no such review');
        bare();
        if (verb === 'GET') return { status: 200, body: review };
        reviews.delete(inner as string);
        return { status: 204 };
      }
      case 'GET /loans': {
        const { reader } = readQuery(query, { reader: { type: 'string' } });
        const found = [...loans.values()].filter((loan) => reader === undefined || loan['reader'] === reader);
        return { status: 200, body: { loans: found, count: found.length } };
      }
      case 'POST /loans': {
        if (asked.media !== 'application/json') refuse(415, 'media', 'no such media');
        readBody(asked, ['application/json'], 'Loan');
        bare();
        return lendRemembering(asked);
      }
      default: {
        const loan = loans.get(key as string) ?? refuse(404, 'no_loan', 'no such loan');
        bare();
        return { status: 200, body: loan };
      }
    }
  }, 'application/problem+json');
}

function readCursor(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
