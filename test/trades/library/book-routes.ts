import { type Book, type BookContent, tagOf, trimmed } from './catalogue.ts';
import {
  type Body,
  bool,
  digits,
  integer,
  judge,
  misfits,
  oneOf,
  orNull,
  Refused,
  require,
  sorted,
  sorting,
  text,
  words,
} from './request.ts';
import { bookOf, type Call, type Context, done, isLibrarian, ok, plain, type Route, route } from './route.ts';

const subjects = ['art', 'history', 'nature', 'novel', 'science'];

const rules = {
  title: text(0, 120, /\S/),
  author: text(0, 80, /\S/),
  year: integer(1450, 2100),
  subjects: Array.isArray,
  shelf: orNull(text(0, 3, /^[A-Z][0-9]{1,2}$/)),
  copies: integer(1, 20),
};

/** The subjects of a body that do not fit. */
const wrongSubjects = ({ subjects: given }: Body): string[] =>
  given === undefined ? [] : misfits('subjects', given, { rule: oneOf(...subjects), most: 3 });

/** The given content, as it is stored. */
function contentOf(body: Body): Partial<BookContent> {
  const given = body as Partial<BookContent>;
  return {
    ...given,
    ...(given.title !== undefined && { title: trimmed(given.title) }),
    ...(given.author !== undefined && { author: trimmed(given.author) }),
  };
}

function seenBook(context: Context, call: Call): Book {
  const book = bookOf(context, call);
  const isSeen =
    book.status === 'listed' || isLibrarian(call.actor) || context.broken('withdrawn-read-by-all');
  require(isSeen, 'no_book');
  return book;
}

/** The entity tag of a book. */
function tag({ desk, broken }: Context, book: Book): string {
  return tagOf(broken('tag-without-counts') ? book : desk.book(book));
}

/** The tags of a list (RFC 9110 §13.1.1); none if it cannot be read. */
function tagsOf(field: string): string[] {
  const form = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
  const tags = field
    .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return field.trim() === '*' || tags.every((one) => form.test(one)) ? tags : [];
}

export function bookRoutes(context: Context): Route[] {
  const { desk, broken } = context;
  const addBook = ({ body, search }: Call) => {
    const withIsbn = { isbn: text(0, 13, /^97[89][0-9]{10}$/), ...rules };
    judge(
      search,
      {},
      {
        of: body,
        rules: withIsbn,
        required: ['isbn', 'title', 'author', 'year'],
        wrong: wrongSubjects(body),
      },
      broken('first-field-alone'),
    );
    const { isbn, ...given } = body;
    const defaults = { subjects: [], ...(!broken('shelf-left-out') && { shelf: null }), copies: 1 };
    const book = desk.addBook(String(isbn), { ...defaults, ...contentOf(given) } as BookContent);
    const headers = { ETag: tag(context, book), Location: `/books/${book.id}` };
    return { status: 201, headers, body: desk.book(book) };
  };
  const readBook = (call: Call) => {
    const book = seenBook(context, call);
    plain(call);
    const current = tag(context, book);
    const headers = { ETag: current, 'Cache-Control': 'no-cache' };
    const unless = call.headers['if-none-match'];
    const isSame = tagsOf(unless ?? '').some((one) => one === '*' || one.replace(/^W\//, '') === current);
    return isSame ? { status: 304, headers } : ok(desk.book(book), headers);
  };
  return [
    route('POST /books', 'librarian', addBook, { body: true }),
    route('GET /books', 'anyone', (call) => searchBooks(context, call)),
    route('GET /books/*', 'anyone', readBook),
    route('PATCH /books/*', 'librarian', (call) => editBook(context, call), { body: true }),
    ...shelfRoutes(context),
  ];
}

/** Withdrawing books and restoring them. */
function shelfRoutes(context: Context): Route[] {
  const { desk, broken } = context;
  return [
    route('DELETE /books/*', 'librarian', (call) => {
      const book = bookOf(context, call);
      plain(call);
      require(book.status === 'listed', 'wrong_status');
      const free = broken('ready-withdrawn') ? book.copies - desk.openLoans(book.id).length : desk.free(book);
      require(free === book.copies && desk.queue(book.id).length === 0, 'in_demand');
      desk.setStatus(book, 'withdrawn');
      return done;
    }),
    route('POST /books/*/restoration', 'librarian', (call) => {
      const book = bookOf(context, call);
      plain(call);
      desk.setStatus(book, 'listed');
      return ok(desk.book(book));
    }),
  ];
}

function editBook(context: Context, call: Call) {
  const { desk, broken } = context;
  const book = bookOf(context, call);
  const wrong = Object.keys(call.body).length === 0 ? [''] : wrongSubjects(call.body);
  judge(call.search, {}, { of: call.body, rules, required: [], wrong });
  const match = call.headers['if-match'];
  require(match !== undefined, 'no_tag');
  const tags = tagsOf(match);
  const looked = broken('first-tag-alone') ? tags.slice(0, 1) : tags;
  require(looked.some((one) => one === '*' || one === tag(context, book)), 'stale');
  const given = contentOf(call.body);
  const isSame = Object.entries(given).every(
    ([name, value]) => JSON.stringify(Reflect.get(book, name)) === JSON.stringify(value),
  );
  const after = { ...book, ...given };
  const isShort = desk.free(after) < 0;
  if (isShort && broken('refused-and-edited')) Object.assign(book, { ...given, copies: book.copies });
  require(!isShort, 'too_few');
  Object.assign(book, given);
  if (!isSame) book.revision += 1;
  return ok(desk.book(book), { ETag: tag(context, book) });
}

const wordsOf = (text: string): string[] =>
  [...text.toLowerCase().matchAll(/[\p{L}\p{M}\p{Nd}\p{Nl}\p{No}]+/gu)].map(([word]) => word);

/** Whether each word of a question begins a word of a book. */
function isFound(question: string, texts: readonly string[]): boolean {
  const found = texts.flatMap(wordsOf);
  return wordsOf(question).every((word) => found.some((one) => one.startsWith(word)));
}

function searchBooks({ desk, broken }: Context, { search, actor }: Call) {
  const query = judge(search, {
    q: text(1),
    subject: words(...subjects),
    from: digits(),
    to: digits(),
    available: bool,
    sort: sorting('title', 'author', 'year', 'addedAt'),
    page: digits(1),
    size: digits(1),
  });
  const size = Number(query.size ?? 10);
  if (size > 50) throw new Refused('page_too_large');
  const { q, subject, from, to, available } = query;
  const matching = [...desk.books.values()].filter(
    (book) =>
      (q === undefined || isFound(q, broken('title-alone') ? [book.title] : [book.title, book.author])) &&
      (subject === undefined ||
        (broken('any-subject')
          ? subject.split(',').some((one) => book.subjects.includes(one))
          : subject.split(',').every((one) => book.subjects.includes(one)))) &&
      (from === undefined || book.year >= Number(from)) &&
      (to === undefined || (broken('to-excluded') ? book.year < Number(to) : book.year <= Number(to))) &&
      (available === undefined || desk.free(book) > 0 === (available === 'true')),
  );
  const found = matching.filter(({ status }) => status === 'listed' || isLibrarian(actor));
  const total = (broken('withdrawn-counted') ? matching : found).length;
  const sort = (query.sort ?? 'title').split(',');
  const ties = sort[0]?.startsWith('-') && broken('ties-reversed') ? ['-title', '-id'] : ['title', 'id'];
  const page = Number(query.page ?? 1);
  const shown = sorted(found, [...sort, ...ties]).slice((page - 1) * size, page * size);
  const isLast = page * size >= found.length;
  const url = (number: number): string =>
    broken('next-without-filter') ? `/books?page=${number}` : pageUrl(search, number);
  const headers = { 'X-Total-Count': String(total) };
  const [next, previous] = [
    isLast ? null : url(page + 1),
    page === 1 || found.length === 0 ? null : url(page - 1),
  ];
  return ok({ books: shown.map((book) => desk.title(book)), page, total, next, previous }, headers);
}

/** The same address, with another page. */
function pageUrl(search: string, page: number): string {
  const parts = search.split('&').filter((part) => part !== '' && !/^page=/.test(part));
  return `/books?${[...parts, `page=${page}`].join('&')}`;
}
