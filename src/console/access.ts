import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is not let in, with its status (RFC 9110 §15). */
export interface Turned {
  readonly status: 400 | 401 | 403 | 405 | 413 | 415 | 421;
  readonly message: string;
}

/**
 * Who may use the console: whoever opens the address that was printed, once. The token in it is exchanged for a cookie.
 * It stands behind `#`, so that no browser sends it, and no log or history of a proxy has it.
 */
export class Access {
  readonly #random: () => string;
  readonly #used = new Set<string>();
  readonly #sessions = new Set<string>();
  #token: string;

  /** @param random a text that nobody can guess, another one each time */
  constructor(random: () => string) {
    this.#random = random;
    this.#token = random();
  }

  /** The token that the next browser brings. */
  get token(): string {
    return this.#token;
  }

  /**
   * Takes a token for a session.
   *
   * @returns the session; `used`: it was taken before, so a new one has to be asked for; null: it is none
   */
  enter(token: string): { readonly session: string } | 'used' | null {
    if (isSame(token, this.#token)) {
      this.#used.add(digest(token));
      this.#token = this.#random();
      const session = this.#random();
      this.#sessions.add(digest(session));
      return { session };
    }
    return this.#used.has(digest(token)) ? 'used' : null;
  }

  /** Whether a request comes with the cookie of a session. */
  knows(request: IncomingMessage, port: number): boolean {
    const name = cookieName(port);
    const cookies = (request.headers.cookie ?? '').split(/;\s*/).map((one) => one.split('='));
    return cookies.some(([key, value = '']) => key === name && this.#sessions.has(digest(value)));
  }
}

/** Cookies are shared by all ports of a host, so that each console has a name of its own. */
export function cookieName(port: number): string {
  return `tacet-console-${port}`;
}

/** The cookie of a session: no script reads it, no other site sends it, and it goes to no other path than the data's. */
export function cookieOf(session: string, port: number): string {
  return `${cookieName(port)}=${session}; Path=/api; HttpOnly; SameSite=Strict`;
}

/**
 * Turns away what no page of the console sends, whoever sends it: another host (DNS rebinding), another site, a change by
 * a form. Null: it is let in.
 */
export function turned(request: IncomingMessage, hosts: readonly string[], isPage: boolean): Turned | null {
  const { headers, method = '' } = request;
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  if (!hosts.includes(host.toLowerCase()))
    return {
      status: 421,
      message: `this is the console of tacet at ${hosts[0]}, and not ${host || 'a request without Host'}`,
    };
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return { status: 405, message: 'the console takes GET and POST' };
  // A link may lead to the page; it shows nothing without a session.
  const isLink =
    isPage && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink)
    return { status: 403, message: 'another site may not use the console' };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, message: `${origin} may not use the console` };
  if (method !== 'POST') return null;
  if (origin === undefined) return { status: 403, message: 'a change needs the header field Origin' };
  if (!/^application\/json(;|$)/i.test(headers['content-type'] ?? ''))
    return { status: 415, message: 'a change is sent as application/json' };
  return null;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)));
}
