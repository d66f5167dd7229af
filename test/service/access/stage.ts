import { readFileSync } from 'node:fs';
import type { GivenCredentials } from '../../../src/service/access/outside.ts';
import type { ServiceOptions } from '../../../src/service/service.ts';
import type { Known } from './oracle.ts';

type Fields = Readonly<Record<string, string>>;

/** Somebody who may ask. */
export interface Person {
  readonly name: string;
  /** What `actor` is when this one asks. */
  readonly actor: Known;
  readonly scheme: string;
  readonly credential: Made;
  readonly scopes?: readonly string[];
  /** The credential was good, and is no more: what became of it. */
  readonly over?: 'one that expired' | 'one that was ended' | 'one of somebody who left';
}

/** A credential, or how one is made by the time it is sent. */
export type Made = string | (() => Promise<string>);

/** What of a request carries a credential. */
export interface Carried {
  readonly fields?: Fields;
  readonly query?: string;
}

/** A request about something of somebody's. */
export interface Request {
  readonly target?: string;
  readonly body?: unknown;
  readonly fields?: Fields;
  /** What expressions may name beside `actor` and `request`: the item, and what the path binds. */
  readonly names?: Readonly<Record<string, Known>>;
  /** Of a list: an item of the owner's, which is shown to those whom the rule lets to it. */
  readonly shows?: Known & { readonly id: string };
  /** A part of the target or of the body that tells the item, so that another in its place tells none. */
  readonly id?: string;
  /** A status beside those of the operation's answers that it may come to once it is let through. */
  readonly orElse?: number;
  /** What it is refused with once it is let through; nothing changes then. */
  readonly refused?: { readonly status: number; readonly code: string };
}

export interface Got {
  readonly status: number;
  readonly text: string;
  /** The member of a JSON body at these names. */
  readonly at: (...names: readonly string[]) => string;
}

/** Sends a request, `GET /path`, as somebody, or with what is carried. */
export type Ask = (
  line: string,
  as?: Person | Carried | null,
  body?: unknown,
  fields?: Fields,
) => Promise<Got>;

/** An example, who deals with it, and what they have in it. */
export interface Stage {
  readonly document: string;
  readonly options?: Partial<ServiceOptions>;
  /** Fields that every request has. */
  readonly fields?: Fields;
  /** How a credential of a scheme is carried. */
  readonly carry: Readonly<Record<string, (credential: string) => Carried>>;
  /** By scheme, what else whoever signs its tokens may make, and whether it is good. */
  readonly tokens?: Readonly<Record<string, Readonly<Record<string, Token>>>>;
  /** Schemes whose credentials are wanted together. */
  readonly together?: readonly (readonly [string, string])[];
  readonly people: (ask: Ask, pass: (ms: number) => void) => Promise<readonly Person[]>;
  /** By operation, a request about something that belongs to `owner`; what `asker` needs beforehand is done. */
  readonly about: Readonly<Record<string, About>>;
  /** Who has something; everybody, where it is left out. */
  readonly owners?: (one: Person) => boolean;
}

export interface Token {
  readonly made: Made;
  readonly isGood?: boolean;
}

export type About = (
  owner: Person,
  asker: Person,
  ask: Ask,
  people: readonly Person[],
) => Promise<Request> | Request;

export function example(name: string): string {
  return readFileSync(new URL(`../../../examples/${name}.md`, import.meta.url), 'utf8');
}

export const inHeader = (name: string) => (credential: string) => ({ fields: { [name]: credential } });
export const inCookie = (name: string) => (credential: string) => ({
  fields: { Cookie: `${name}=${credential}` },
});
export const inQuery = (name: string) => (credential: string) => ({
  query: `${name}=${encodeURIComponent(credential)}`,
});
export const after = (word: string) => (credential: string) => ({
  fields: { Authorization: `${word} ${credential}` },
});
export const pair = (name: string, password: string): string =>
  Buffer.from(`${name}:${password}`).toString('base64');

/** Somebody of the operator's, by the secret that it gave. */
export function outsider(scheme: string, kind: string, credentials: GivenCredentials): Person {
  const [[name, secret] = ['', '']] = Object.entries(credentials[scheme] ?? {});
  return { name: kind, actor: { kind }, scheme, credential: pair(name, secret) };
}

/** A request about one item of those at a path; `this` is what is known of it. */
export function of(place: string, item: Known & { readonly id: string }, then = ''): Request {
  return { target: `/${place}/${item.id}${then}`, id: item.id, names: { this: { is: item.id, ...item } } };
}

let made = 0;
/** A text that was not there before. */
export const unused = (word: string): string => `${word}${made++}`;

let time = Date.UTC(2026, 10, 21);
/** The time of the services and of whoever signs tokens, which goes on from one stage to the next. */
export const clock = {
  now: (): number => time,
  pass: (ms: number): void => {
    time += ms;
  },
};
