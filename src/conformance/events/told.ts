import type { Header } from '../http.ts';

/** An event as it came by a way of delivery (language §6.3). What its way does not tell by itself is null. */
export interface Told {
  /** The event's id and its kind, as the way itself tells them. */
  readonly id: string | null;
  readonly kind: string | null;
  readonly content: string;
  readonly headers: readonly Header[];
  /** The subject at a broker. */
  readonly subject: string | null;
}

/** What comes by a way, from when it was begun to be read. */
export interface Telling {
  /** Each event once, in the order in which they first came. */
  readonly told: readonly Told[];
  /** Resolved when something comes. */
  readonly more: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Notes an event that came. One whose id came before is the same. */
export function note(told: Told[], event: Told): void {
  if (event.id === null || !told.some(({ id }) => id === event.id)) told.push(event);
}

/** The value of a header field, in any case; several fields are joined (RFC 9110 §5.3). Undefined: there is none. */
export function fieldIn(headers: readonly Header[], name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
}
