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
