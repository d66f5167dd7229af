import type { ServerResponse } from 'node:http';
import type { Book, Broken, Member } from './catalogue.ts';
import type { Desk } from './desk.ts';
import { type Body, judge, Refused, require } from './request.ts';

export interface Call {
  readonly method: string;
  readonly path: readonly string[];
  readonly search: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly content: Buffer;
  readonly body: Body;
  readonly token: string;
  /** Who asks: null for a guest. */
  readonly actor: Member | null;
  readonly response: ServerResponse;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: string;
  /** Segments of the path; `*` stands for any. */
  readonly path: readonly string[];
  readonly access: 'anyone' | 'known' | 'librarian' | 'member';
  /** Whether the content is read as JSON. */
  readonly body?: boolean;
  /** Whether it counts against the rate of the desk. */
  readonly counted?: boolean;
  /** Null where the answer is sent already. */
  readonly handle: (call: Call) => Answer | null;
}

export interface Context {
  readonly desk: Desk;
  readonly broken: Broken;
}

/** A route by its method and path, as in `PATCH /books/*`. */
export function route(key: string, access: Route['access'], handle: Route['handle'], more = {}): Route {
  const [method = '', path = ''] = key.split(' ');
  return { method, path: path.split('/').slice(1), access, handle, ...more };
}

export const ok = (body: unknown, headers: Answer['headers'] = {}): Answer => ({
  status: 200,
  body,
  headers,
});
export const done: Answer = { status: 204 };

export const isLibrarian = (actor: Member | null): boolean => actor?.role === 'librarian';

/** Who asks, where somebody is known. */
export function known({ actor }: Call): Member {
  if (actor === null) throw new Refused('no_token');
  return actor;
}

/** The item that the second segment of the path names. */
export function numbered<T>(items: ReadonlyMap<number, T>, { path }: Call): T | undefined {
  const id = path[1] ?? '';
  return /^(0|[1-9]\d*)$/.test(id) ? items.get(Number(id)) : undefined;
}

export function bookOf({ desk }: Context, call: Call): Book {
  const book = numbered(desk.books, call);
  require(book !== undefined, 'no_book');
  return book;
}

/** Refuses parameters of a query: the operation has none. */
export function plain({ search }: Call): void {
  judge(search, {});
}
