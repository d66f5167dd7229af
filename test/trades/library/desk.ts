import { type Book, Catalogue, type Member, microsOf, written } from './catalogue.ts';
import { require } from './request.ts';

export interface Loan {
  readonly id: number;
  readonly book: number;
  readonly member: string;
  status: 'out' | 'overdue' | 'returned';
  readonly borrowedAt: string;
  dueAt: string;
  renewals: number;
  returnedAt: string | null;
}

export interface Hold {
  readonly id: number;
  readonly book: number;
  readonly member: string;
  status: 'waiting' | 'ready' | 'fulfilled' | 'cancelled' | 'expired';
  readonly placedAt: string;
  until: string | null;
  /** Microseconds since 1970. */
  readySince: number;
}

export interface Fine {
  readonly id: number;
  readonly loan: number;
  readonly member: string;
  readonly cents: number;
  readonly at: string;
  paidAt: string | null;
}

const dayMicros = 86_400_000_000;
const loanMicros = 14 * dayMicros;
const readyMicros = 2 * dayMicros;

export const isOpen = ({ status }: Hold): boolean => status === 'waiting' || status === 'ready';

/** Loans, holds and fines. Whoever uses them settles first what is due. */
export class Desk extends Catalogue {
  readonly loans = new Map<number, Loan>();
  readonly holds = new Map<number, Hold>();
  readonly fines = new Map<number, Fine>();

  /** When something happens by itself next, in milliseconds; null if nothing does. */
  due(): number | null {
    const times = this.#timers().map(({ at }) => Math.ceil(at / 1000));
    return times.length === 0 ? null : Math.min(...times);
  }

  #timers(): { readonly at: number; readonly fire: () => void }[] {
    return [
      ...[...this.loans.values()]
        .filter(({ status }) => status === 'out')
        .map((loan) => ({ at: microsOf(loan.dueAt), fire: () => this.#lapse(loan) })),
      ...[...this.holds.values()]
        .filter(({ status }) => status === 'ready')
        .map((hold) => ({ at: hold.readySince + readyMicros, fire: () => this.#expire(hold) })),
    ];
  }

  settle(): void {
    const now = this.tick();
    const due = this.#timers().filter(({ at }) => at <= now);
    for (const { fire } of due.sort((a, b) => a.at - b.at)) fire();
  }

  #lapse(loan: Loan): void {
    loan.status = 'overdue';
    const title = this.books.get(loan.book)?.title;
    this.emit('loan.overdue', { loan: loan.id, member: loan.member, title });
  }

  #expire(hold: Hold): void {
    hold.status = 'expired';
    this.emit('hold.expired', { hold: hold.id, member: hold.member });
    if (!this.broken('expired-offers-none')) this.#offerNext(hold.book);
  }

  // What is counted

  openLoans(book: number): Loan[] {
    return [...this.loans.values()].filter((one) => one.book === book && one.status !== 'returned');
  }

  queue(book: number): Hold[] {
    return [...this.holds.values()].filter((one) => one.book === book && one.status === 'waiting');
  }

  ready(book: number): Hold[] {
    return [...this.holds.values()].filter((one) => one.book === book && one.status === 'ready');
  }

  free(book: Book): number {
    return book.copies - this.openLoans(book.id).length - this.ready(book.id).length;
  }

  loansOf(member: Member): Loan[] {
    return [...this.loans.values()].filter((one) => one.member === member.card);
  }

  owes({ card }: Member): number {
    const own = [...this.fines.values()].filter((one) => one.member === card);
    const counted = own.filter((one) => one.paidAt === null || this.broken('paid-is-owed'));
    return counted.reduce((sum, { cents }) => sum + cents, 0);
  }

  // Loans

  borrow(book: Book, member: Member): Loan {
    const own = [...this.holds.values()].filter((one) => one.book === book.id && one.member === member.card);
    const isReady = own.some(({ status }) => status === 'ready');
    const isFree = this.broken('ready-for-anybody')
      ? book.copies > this.openLoans(book.id).length
      : this.free(book) > 0;
    require(isFree || isReady, 'all_out');
    const counted = this.loansOf(member).filter(
      ({ status }) => status !== 'returned' || this.broken('returned-counts'),
    );
    require(counted.length < 3, 'loans_full');
    if (!this.broken('hold-outlives-loan')) for (const hold of own.filter(isOpen)) hold.status = 'fulfilled';
    const now = this.now();
    const loan: Loan = {
      ...{ id: this.loans.size + 1, book: book.id, member: member.card, status: 'out' },
      ...{ borrowedAt: written(now), dueAt: written(now + loanMicros, 3), renewals: 0, returnedAt: null },
    };
    this.loans.set(loan.id, loan);
    return loan;
  }

  renew(loan: Loan): void {
    require(loan.status !== 'returned', 'over');
    require(loan.status === 'out', 'late');
    require(loan.renewals < 2, 'renewed_twice');
    require(this.queue(loan.book).length === 0, 'awaited');
    const from = this.broken('renewal-from-due') ? microsOf(loan.dueAt) : this.now();
    loan.dueAt = written(from + loanMicros, 3);
    loan.renewals += 1;
  }

  /** Takes a book back; gives the fine in cents. */
  takeBack(loan: Loan): number {
    require(loan.status !== 'returned', 'wrong_status');
    const now = this.now();
    const isLate = loan.status === 'overdue';
    loan.status = 'returned';
    loan.returnedAt = written(now);
    const seconds = Math.floor((now - microsOf(loan.dueAt)) / 1_000_000);
    const days = Math.floor(seconds / 86_400) + (this.broken('begun-day-free') ? 0 : 1);
    const cents = isLate ? 20 * days : 0;
    if (isLate) {
      const id = this.fines.size + 1;
      this.fines.set(id, { id, loan: loan.id, member: loan.member, cents, at: written(now), paidAt: null });
    }
    this.emit('loan.returned', { loan: loan.id, late: isLate && !this.broken('event-never-late') });
    this.#offerNext(loan.book);
    return cents;
  }

  // Holds

  #offerNext(book: number): void {
    const hold = this.broken('last-is-next') ? this.queue(book).at(-1) : this.queue(book)[0];
    if (hold === undefined) return;
    hold.status = 'ready';
    hold.readySince = this.now();
    hold.until = written(hold.readySince + readyMicros, 3);
    if (this.broken('ready-untold')) return;
    this.emit('hold.ready', { hold: hold.id, book, member: hold.member, until: hold.until });
  }

  placeHold(book: Book, member: Member): Hold {
    const own = [...this.holds.values()].filter((one) => one.member === member.card && isOpen(one));
    require(!own.some((one) => one.book === book.id), 'in_queue');
    require(this.free(book) <= 0, 'on_shelf');
    require(own.length < 2, 'holds_full');
    const now = this.now();
    const hold: Hold = {
      ...{ id: this.holds.size + 1, book: book.id, member: member.card, status: 'waiting' },
      ...{ placedAt: written(now), until: null, readySince: 0 },
    };
    this.holds.set(hold.id, hold);
    return hold;
  }

  cancelHold(hold: Hold): void {
    require(isOpen(hold), 'wrong_status');
    const wasReady = hold.status === 'ready';
    hold.status = 'cancelled';
    if (wasReady && !this.broken('cancelled-offers-none')) this.#offerNext(hold.book);
  }

  // What is shown

  member(member: Member): object {
    const { card, name, email, role, status, joinedAt } = member;
    const loans = this.loansOf(member).filter((one) => one.status !== 'returned').length;
    return { card, name, email, role, status, joinedAt, loans, owes: this.owes(member) };
  }

  book(book: Book): object {
    return { ...book, available: this.free(book), waiting: this.queue(book.id).length };
  }

  title(book: Book): object {
    const { id, title, author, year, subjects } = book;
    return { id, title, author, year, subjects, available: this.free(book) };
  }

  loan(loan: Loan): object {
    return { ...loan, title: this.books.get(loan.book)?.title };
  }

  hold({ readySince: _, ...hold }: Hold): object {
    const before = this.queue(hold.book).filter((one) => one.id <= hold.id);
    return { ...hold, place: hold.status === 'waiting' ? before.length : 0 };
  }
}
