import type { Fault, Step } from '../witness.ts';
import { book, borrows, does, logIn, refused, returns, sees, waits } from './steps.ts';

const added = { isbn: '9790000000000', title: 'Tides', author: 'Bo Sea', year: 1999 };

/** What a search finds, by the titles. */
const finds = (query: string, ...titles: readonly string[]): Step =>
  sees('ben', `/books?${query}`, { books: titles.map((title) => ({ title })) });

const searched: readonly Fault[] = [
  {
    id: 'title-alone',
    statement: 'endpoints["GET /books"].request.query.q.filter',
    what: 'The search does not look at the author.',
    witness: [...logIn('ada', 'ben'), book('sea'), finds('q=ann', 'sea')],
  },
  {
    id: 'any-subject',
    statement: 'endpoints["GET /books"].request.query.subject.filter',
    what: 'A book with one of the subjects is found.',
    witness: [...logIn('ada', 'ben'), book('sea', { subjects: ['nature'] }), finds('subject=nature,art')],
  },
  {
    id: 'to-excluded',
    statement: 'endpoints["GET /books"].request.query.to.filter',
    what: 'The last year is not searched.',
    witness: [...logIn('ada', 'ben'), book('sea'), finds('to=2000', 'sea')],
  },
  {
    id: 'withdrawn-counted',
    statement: 'endpoints["GET /books"].response.headers["X-Total-Count"]',
    what: 'The total counts books that were withdrawn.',
    witness: [
      ...logIn('ada', 'ben'),
      book('sea'),
      does('ada', 'DELETE /books/{sea.id}', 204),
      { ...finds('q=sea'), fields: { 'x-total-count': '0' } } as Step,
    ],
  },
  {
    id: 'ties-reversed',
    statement: 'endpoints["GET /books"].request.query.sort.sort',
    what: 'Where the order descends, books that are equal are reversed, too.',
    witness: [...logIn('ada', 'ben'), book('moon'), book('sea'), finds('sort=-year', 'moon', 'sea')],
  },
  {
    id: 'next-without-filter',
    statement: 'endpoints["GET /books"].response.body.next',
    what: 'The address of the next page does not filter.',
    witness: [
      ...logIn('ada', 'ben'),
      book('moon'),
      book('sea'),
      sees('ben', '/books?q=lee&size=1', { next: '/books?q=lee&size=1&page=2' }),
    ],
  },
  {
    id: 'withdrawn-read-by-all',
    statement: 'endpoints["GET /books/{id}"].does.where',
    what: 'Everybody may read a book that was withdrawn.',
    witness: [
      ...logIn('ada', 'ben'),
      book('sea'),
      does('ada', 'DELETE /books/{sea.id}', 204),
      refused('ben', 'GET /books/{sea.id}', 404, 'no_book'),
    ],
  },
];

const kept: readonly Fault[] = [
  {
    id: 'isbn-of-withdrawn',
    statement: 'resources.Book.fields.isbn.unique',
    what: 'A book may have the ISBN of one that was withdrawn.',
    witness: [
      ...logIn('ada'),
      does('ada', 'POST /books', 201, { body: added, keep: 'tides' }),
      does('ada', 'DELETE /books/{tides.id}', 204),
      refused('ada', 'POST /books', 409, 'taken', added),
    ],
  },
  {
    id: 'shelf-left-out',
    statement: 'resources.Book.fields.shelf.default',
    what: 'A book without a shelf is shown without the member.',
    witness: [...logIn('ada'), does('ada', 'POST /books', 201, { body: added, shows: { shelf: null } })],
  },
  {
    id: 'first-field-alone',
    statement: 'errors.codes.invalid.body.error.fields',
    what: 'Of several fields that do not fit, one is named.',
    witness: [
      ...logIn('ada'),
      does('ada', 'POST /books', 422, {
        body: { ...added, year: 1449, copies: 0 },
        shows: { error: { code: 'invalid', fields: ['copies', 'year'] } },
      }),
    ],
  },
  {
    id: 'tag-without-counts',
    statement: 'endpoints["GET /books/{id}"].conditional.etag',
    what: 'The entity tag stays the same when a copy is lent.',
    witness: [
      ...logIn('ada', 'ben'),
      book('sea'),
      does('ben', 'GET /books/{sea.id}', 200, { keep: 'seen' }),
      borrows('ben', 'sea'),
      {
        ...sees('ben', '/books/{sea.id}', { available: 0 }),
        headers: { 'If-None-Match': '{seen#etag}' },
      } as Step,
    ],
  },
  {
    id: 'first-tag-alone',
    statement: 'endpoints["PATCH /books/{id}"].conditional.ifMatch',
    what: 'Of several entity tags, the first counts.',
    witness: [
      ...logIn('ada'),
      book('sea'),
      {
        ...does('ada', 'PATCH /books/{sea.id}', 200, { body: { year: 2001 }, shows: { revision: 2 } }),
        headers: { 'If-Match': '"nonsense", {sea#etag}' },
      } as Step,
    ],
  },
  {
    id: 'refused-and-edited',
    statement: 'resources.Book.invariants["there are copies for what is lent and kept ready"]',
    what: 'A change that is refused because of the copies changes the title.',
    witness: [
      ...logIn('ada', 'ben', 'cleo'),
      book('sea', { copies: 2 }),
      borrows('ben', 'sea'),
      borrows('cleo', 'sea'),
      {
        ...refused('ada', 'PATCH /books/{sea.id}', 409, 'too_few', { title: 'ocean', copies: 1 }),
        headers: { 'If-Match': '*' },
      } as Step,
      sees('ben', '/books/{sea.id}', { title: 'sea', copies: 2 }),
    ],
  },
  {
    id: 'ready-withdrawn',
    statement: 'states["Book.status"].transitions.withdraw.when',
    what: 'A book may be withdrawn while a copy is kept ready for somebody.',
    witness: [
      ...logIn('ada', 'ben', 'cleo'),
      book('sea'),
      borrows('ben', 'sea'),
      waits('cleo', 'sea'),
      returns('ben'),
      refused('ada', 'DELETE /books/{sea.id}', 409, 'in_demand'),
    ],
  },
];

export const ofBooks: readonly Fault[] = [...searched, ...kept];
