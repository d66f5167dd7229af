import type { Span } from '../../source/text.ts';

/** A description that cannot be read: why, and where. */
export class Unreadable extends Error {
  readonly at: Span;

  constructor(message: string, at: Span) {
    super(message);
    this.at = at;
  }
}
