import type { ObservedEvent } from '../../semantics/judge/event.ts';
import type { Told } from '../events/told.ts';

/** An event as it came, with what its signature is judged by. */
export interface Observed extends ObservedEvent {
  readonly told: Pick<Told, 'headers' | 'content'>;
  /** When it came, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Observes one way of delivery (language §6.3). */
export interface Observer {
  /** The name of the way. */
  readonly way: string;
  /** What came since it was begun, in this order. */
  readonly came: () => readonly Observed[];
  /** Whether the service ended it. */
  readonly hasEnded: () => boolean;
  /** Whether what comes to an address comes here. */
  readonly isHere: (url: string | null) => boolean;
  /** Whether it is known that what is sent to an address comes here; null: the way has no addresses. */
  readonly isReached: (url: string | null) => boolean;
  /** Resolved when something comes. */
  readonly more: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** An event as the semantics judges it. */
export function observedAs(way: string, url: string | null, told: Told, atMs: number): Observed {
  const { id, kind, content, headers, subject } = told;
  const fields: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    fields[key] = key in fields ? `${fields[key]}, ${value}` : value;
  }
  return { way, url, id, kind, content, headers: fields, subject, told: { headers, content }, atMs };
}

/**
 * What is told by a way that has no addresses, as the semantics judges it.
 *
 * @param isBare whether an event has no header fields of its own
 */
export function observedSince(way: string, told: readonly Told[], isBare = false): () => readonly Observed[] {
  const came: Observed[] = [];
  return () => {
    for (const each of told.slice(came.length))
      came.push(observedAs(way, null, isBare ? { ...each, headers: [] } : each, 0));
    return came;
  };
}
