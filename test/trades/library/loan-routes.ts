import { createHash } from 'node:crypto';
import { type Member, microsOf, written } from './catalogue.ts';
import { type Fine, type Hold, isOpen, type Loan } from './desk.ts';
import { bool, digits, judge, oneOf, Refused, require, sorted, time, word } from './request.ts';
import {
  type Answer,
  bookOf,
  type Call,
  type Context,
  done,
  isLibrarian,
  known,
  numbered,
  ok,
  plain,
  type Route,
  route,
} from './route.ts';

const dayMs = 86_400_000;

const isSeen = ({ member }: Loan | Hold | Fine, actor: Member | null): boolean =>
  member === actor?.card || isLibrarian(actor);

function loanOf({ desk }: Context, call: Call): Loan {
  const loan = numbered(desk.loans, call);
  require(loan !== undefined && isSeen(loan, call.actor), 'no_loan');
  return loan;
}

/** Answers the repeat of a request with the same key as before. */
class Repeats {
  readonly #answers = new Map<string, { readonly asked: string; readonly answer: Answer; until: number }>();
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  once(call: Call, perform: () => Answer): Answer {
    const { desk, broken } = this.#context;
    const key = call.headers['idempotency-key'];
    if (key === undefined || key === '') return perform();
    const [kept, now] = [`${call.actor?.card} ${key}`, desk.now() / 1000];
    const type = call.headers['content-type'] ?? '';
    const bytes = createHash('sha256').update(call.content).digest('hex');
    const asked = broken('key-for-any-book') ? '' : `${call.path.join('/')} ${type} ${bytes}`;
    const before = this.#answers.get(kept);
    if (before !== undefined && now < before.until) {
      require(before.asked === asked, 'key_reused');
      const headers = { ...before.answer.headers, 'Idempotent-Replayed': 'true' };
      return { ...before.answer, headers };
    }
    const answer = perform();
    this.#answers.set(kept, { asked, answer, until: now + dayMs });
    return answer;
  }
}

export function loanRoutes(context: Context): Route[] {
  const { desk, broken } = context;
  const repeats = new Repeats(context);
  const borrow = (call: Call) => {
    const [book, member] = [bookOf(context, call), known(call)];
    plain(call);
    return repeats.once(call, () => {
      require(book.status === 'listed', 'withdrawn');
      require(member.status === 'active', 'suspended');
      require(broken('owing-bound') ? desk.owes(member) < 100 : desk.owes(member) <= 100, 'owing');
      require(!desk.openLoans(book.id).some((one) => one.member === member.card), 'has_copy');
      const loan = desk.borrow(book, member);
      return { status: 201, headers: { Location: `/loans/${loan.id}` }, body: desk.loan(loan) };
    });
  };
  const takeBack = (call: Call) => {
    const loan = loanOf(context, call);
    plain(call);
    const fine = desk.takeBack(loan);
    return ok({ loan: desk.loan(loan), fine });
  };
  return [
    route('POST /books/*/loans', 'member', borrow, { counted: true }),
    route('GET /loans', 'known', (call) => ok(listLoans(context, call))),
    route('GET /loans/*', 'known', (call) => {
      const loan = loanOf(context, call);
      plain(call);
      return ok(desk.loan(loan));
    }),
    route('POST /loans/*/renewal', 'known', (call) => {
      const loan = loanOf(context, call);
      plain(call);
      desk.renew(loan);
      return ok(desk.loan(loan));
    }),
    route('POST /loans/*/return', 'librarian', takeBack),
  ];
}

/** A cursor holds after which loan of which list the page begins. */
const cursorAfter = (loan: Loan | undefined, list: string): string =>
  Buffer.from(`${loan?.id}.${list}`).toString('base64url');

function placeOf(cursor: string | undefined, list: string): number {
  if (cursor === undefined) return Number.POSITIVE_INFINITY;
  const [, place, of] = /^([1-9]\d*)\.(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (place === undefined || of !== list) throw new Refused('invalid', ['cursor']);
  return Number(place);
}

function listLoans({ desk, broken }: Context, { search, actor }: Call): object {
  const { status, member, book, due, cursor, limit } = judge(search, {
    status: oneOf('out', 'overdue', 'returned'),
    member: word,
    book: digits(),
    due: time,
    cursor: word,
    limit: digits(1, 50),
  });
  const list = [actor?.card, status, member, book, due].join();
  const before = placeOf(cursor, list);
  const found = [...desk.loans.values()].filter(
    (one) =>
      isSeen(one, actor) &&
      (broken('cursor-repeats') ? one.id <= before : one.id < before) &&
      (status === undefined || one.status === status) &&
      (member === undefined || one.member === member) &&
      (book === undefined || one.book === Number(book)) &&
      (due === undefined || microsOf(one.dueAt) <= microsOf(due)),
  );
  const size = Number(limit ?? 10);
  const page = sorted(found, ['-id']).slice(0, size);
  return {
    loans: page.map((one) => desk.loan(one)),
    next: found.length > size ? cursorAfter(page.at(-1), list) : null,
  };
}

export function holdRoutes(context: Context): Route[] {
  const { desk, broken } = context;
  const placeHold = (call: Call) => {
    const [book, member] = [bookOf(context, call), known(call)];
    plain(call);
    require(book.status === 'listed', 'withdrawn');
    require(member.status === 'active' || broken('suspended-waits'), 'suspended');
    require(!desk.openLoans(book.id).some((one) => one.member === member.card), 'has_copy');
    return { status: 201, body: desk.hold(desk.placeHold(book, member)) };
  };
  const listHolds = (call: Call) => {
    const { open } = judge(call.search, { open: bool });
    const own = [...desk.holds.values()].filter(({ member }) => member === call.actor?.card);
    return ok(
      own
        .filter((one) => open === undefined || isOpen(one) === (open === 'true'))
        .map((one) => desk.hold(one)),
    );
  };
  const cancelHold = (call: Call) => {
    const hold = numbered(desk.holds, call);
    const isOwn = hold !== undefined && (isSeen(hold, call.actor) || broken('hold-cancelled-by-all'));
    require(isOwn, 'no_hold');
    plain(call);
    desk.cancelHold(hold);
    return done;
  };
  return [
    route('POST /books/*/holds', 'member', placeHold, { counted: true }),
    route('GET /me/holds', 'known', listHolds),
    route('DELETE /holds/*', 'known', cancelHold),
  ];
}

export function fineRoutes({ desk, broken }: Context): Route[] {
  return [
    route('GET /fines', 'known', ({ search, actor }) => {
      const { paid } = judge(search, { paid: bool });
      const seen = [...desk.fines.values()].filter((one) => isSeen(one, actor));
      const fines = seen.filter((one) => paid === undefined || (one.paidAt !== null) === (paid === 'true'));
      const counted = broken('sum-of-all') ? seen : fines;
      return ok({ fines, sum: counted.reduce((sum, { cents }) => sum + cents, 0) });
    }),
    route('POST /fines/*/payment', 'librarian', (call) => {
      const fine = numbered(desk.fines, call);
      require(fine !== undefined, 'no_fine');
      plain(call);
      require(fine.paidAt === null, 'paid');
      fine.paidAt = written(desk.now());
      return ok(fine);
    }),
  ];
}
