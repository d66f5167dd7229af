import type { Json, Pattern, Step } from '../witness.ts';

type Members = Record<string, Json>;

const logins = {
  ada: { card: 'LB0001', password: 'shelf-mark-7' },
  ben: { card: 'MB0001', password: 'paper-back-1' },
  cleo: { card: 'MB0002', password: 'paper-back-2' },
  dan: { card: 'MB0003', password: 'paper-back-3' },
};

export type Person = keyof typeof logins;

export const logIn = (...people: readonly Person[]): Step[] =>
  people.map((one) => ({ ask: 'POST /sessions', body: logins[one], status: 201, keep: one }));

/** Somebody asks, and is answered so. */
export const does = (
  as: Person,
  ask: string,
  status: number,
  {
    body,
    shows,
    ...more
  }: { readonly body?: Members; readonly shows?: Pattern; readonly keep?: string } = {},
): Step => ({
  ...{ ask, as, status, ...more },
  ...(body !== undefined && { body }),
  ...(shows !== undefined && { shows }),
});

export const sees = (as: Person, path: string, shows: Pattern): Step =>
  does(as, `GET ${path}`, 200, { shows });

export const refused = (as: Person, ask: string, status: number, code: string, body?: Members): Step =>
  does(as, ask, status, { shows: { error: { code } }, ...(body !== undefined && { body }) });

let isbn = 9_780_000_000_000;

/** Ada adds a book, which is kept by its title. */
export const book = (title: string, more: Members = {}): Step => {
  isbn += 1;
  const body = { isbn: String(isbn), title, author: 'Ann Lee', year: 2000, ...more };
  return does('ada', 'POST /books', 201, { body, keep: title });
};

/** Somebody borrows a book, and the loan is kept by their name. */
export const borrows = (as: Person, title: string, shows: Pattern = { status: 'out' }): Step =>
  does(as, `POST /books/{${title}.id}/loans`, 201, { shows, keep: `${as}-loan` });

/** Somebody waits for a book, and the hold is kept by their name. */
export const waits = (as: Person, title: string): Step =>
  does(as, `POST /books/{${title}.id}/holds`, 201, { shows: { status: 'waiting' }, keep: `${as}-hold` });

/** Ada takes back what somebody borrowed. */
export const returns = (as: Person, fine = 0): Step =>
  does('ada', `POST /loans/{${as}-loan.id}/return`, 200, { shows: { loan: { status: 'returned' }, fine } });

export const days = (count: number): Step => ({ wait: count * 86_400 + 1 });
