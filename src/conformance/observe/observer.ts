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
  readonly since: () => readonly Observed[];
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
