import type { Request } from '../http.ts';
import type { Members } from '../item.ts';
import type { Item } from '../partly.ts';

/** Somebody whom the tester can ask as. */
export interface Persona {
  /** Who it is, as it was last seen; null where that is told from outside. */
  item: Item | null;
  /** By scheme. */
  readonly credentials: Map<string, string>;
  /** What it was made with, and given since. */
  given: Members;
  /** Whether it has logged in, where one can. */
  hasLoggedIn: boolean;
  /** From when on a credential of it is good no more, in milliseconds. */
  goodUntil: number;
}

/** Whether a request brings a credential of one of these that may be good no more, at a time in milliseconds. */
export function mayHaveEnded(personas: readonly Persona[], { url, headers }: Request, atMs: number): boolean {
  const ended = personas.filter(({ goodUntil }) => goodUntil <= atMs);
  const texts = ended.length > 0 ? [url, ...headers.map(([, value]) => value)] : [];
  return ended.some(({ credentials }) =>
    [...credentials.values()].some((one) => one !== '' && texts.some((text) => text.includes(one))),
  );
}
