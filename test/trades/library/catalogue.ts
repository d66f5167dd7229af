import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { require } from './request.ts';

export interface Member {
  readonly card: string;
  name: string;
  email: string;
  readonly role: string;
  salt: Buffer;
  hashes: Buffer[];
  status: 'active' | 'suspended';
  readonly joinedAt: string;
}

export interface BookContent {
  title: string;
  author: string;
  year: number;
  subjects: readonly string[];
  shelf?: string | null;
  copies: number;
}

export interface Book extends BookContent {
  readonly id: number;
  readonly isbn: string;
  status: 'listed' | 'withdrawn';
  readonly addedAt: string;
  revision: number;
}

export interface Event {
  readonly id: number;
  readonly kind: string;
  readonly content: object;
}

export type Broken = (fault: string) => boolean;

const monthMicros = 30 * 86_400_000_000;
const hashed = (password: string, salt: Buffer): Buffer => scryptSync(password, salt, 32, { N: 1024 });

const people = [
  ['LB0001', 'Ada', 'librarian', 'shelf-mark-7'],
  ['MB0001', 'Ben', 'member', 'paper-back-1'],
  ['MB0002', 'Cleo', 'member', 'paper-back-2'],
  ['MB0003', 'Dan', 'member', 'paper-back-3'],
] as const;

/** White space at both ends, as Unicode has it. */
export const trimmed = (text: string): string =>
  text.replace(/^\p{White_Space}+/u, '').replace(/\p{White_Space}+$/u, '');

/** Members with their sessions, books, and what is told of them. */
export class Catalogue {
  readonly members = new Map<string, Member>();
  readonly books = new Map<number, Book>();
  readonly events: Event[] = [];
  readonly broken: Broken;
  readonly #clock: () => number;
  readonly #sessions = new Map<string, { readonly card: string; readonly until: number }>();
  readonly #listeners = new Set<(event: Event) => void>();
  #latest = 0;

  constructor(broken: Broken, clock: () => number) {
    this.broken = broken;
    this.#clock = clock;
    for (const [card, name, role, password] of people)
      this.addMember({ card, name, role, password, email: `${name.toLowerCase()}@library.example` });
  }

  /** Microseconds since 1970: one moment for all that a request does. */
  now(): number {
    return this.#latest === 0 ? this.tick() : this.#latest;
  }

  /** A request begins, later than all before. */
  tick(): number {
    this.#latest = Math.max(this.#clock() * 1000, this.#latest + 1);
    return this.#latest;
  }

  // Events

  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(kind: string, data: object): void {
    const event = { id: this.events.length + 1, kind, content: { kind, at: written(this.now()), data } };
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  // Members

  addMember(given: Pick<Member, 'card' | 'name' | 'email' | 'role'> & { readonly password: string }): Member {
    const { card, name, email, role, password } = given;
    const salt = randomBytes(16);
    const [hashes, joinedAt] = [[hashed(password, salt)], written(this.now())];
    const member: Member = { card, name, email, role, salt, hashes, status: 'active', joinedAt };
    this.members.set(card, member);
    return member;
  }

  /** Whether nobody else has an address. */
  isFree(email: string, except?: Member): boolean {
    const fold = (text: string): string => (this.broken('email-case') ? text : text.toLowerCase());
    return ![...this.members.values()].some((one) => one !== except && fold(one.email) === fold(email));
  }

  logIn(card: string, password: string): string | null {
    const member = this.members.get(card);
    const hash = hashed(password, member?.salt ?? Buffer.alloc(16));
    if (member === undefined || !member.hashes.some((one) => timingSafeEqual(one, hash))) return null;
    const token = randomBytes(24).toString('base64url');
    this.#sessions.set(token, { card: member.card, until: this.now() + monthMicros });
    return token;
  }

  logOut(token: string): void {
    if (!this.broken('logout-keeps-token')) this.#sessions.delete(token);
  }

  who(token: string): Member | null {
    const session = this.#sessions.get(token);
    if (session === undefined || (session.until <= this.now() && !this.broken('session-forever')))
      return null;
    return this.members.get(session.card) ?? null;
  }

  setPassword(member: Member, password: string): void {
    const hash = hashed(password, member.salt);
    member.hashes = this.broken('old-password-works') ? [...member.hashes, hash] : [hash];
  }

  // Books

  addBook(isbn: string, content: BookContent): Book {
    const isSame = (one: Book): boolean =>
      one.isbn === isbn && !(this.broken('isbn-of-withdrawn') && one.status === 'withdrawn');
    require(![...this.books.values()].some(isSame), 'taken');
    const id = this.books.size + 1;
    const addedAt = written(this.now());
    const book: Book = { ...content, id, isbn, status: 'listed', addedAt, revision: 1 };
    this.books.set(id, book);
    this.emit('book.added', { book: id, title: book.title });
    return book;
  }

  setStatus(book: Book, status: Book['status']): void {
    require(book.status !== status, 'wrong_status');
    book.status = status;
    book.revision += 1;
  }
}

export function tagOf(payload: object): string {
  return `"${createHash('sha256').update(JSON.stringify(payload)).digest('base64url')}"`;
}

/** A time in microseconds, with that many digits of a second. */
export function written(micros: number, digits = 6): string {
  const fraction = String(micros % 1_000_000).padStart(6, '0');
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)}.${fraction.slice(0, digits)}Z`;
}

/** The microseconds of a time of RFC 3339. */
export function microsOf(time: string): number {
  const [, whole = '', fraction = '', zone = ''] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(time.toUpperCase()) ?? [];
  return Date.parse(`${whole}${zone}`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
