import { defined, textOf } from './form.ts';
import { type Formed, formed, text } from './reading.ts';

/** A day of the calendar, which begins at 00:00 UTC (RFC 3339, full-date; language §H.5). */
export interface Day {
  /** `2026-11-01`: days stand in the order of their texts. */
  readonly text: string;
  /** Milliseconds since 1970-01-01T00:00:00Z at which it begins. */
  readonly beginsMs: number;
}

/** The day that a text names; undefined where there is none, such as February 30. */
export function dayOf(written: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(written)) return undefined;
  const beginsMs = Date.parse(`${written}T00:00:00Z`);
  if (Number.isNaN(beginsMs) || !new Date(beginsMs).toISOString().startsWith(written)) return undefined;
  return { text: written, beginsMs };
}

const form = defined(
  'day',
  textOf('a day', /^\d{4}-\d{2}-\d{2}$/, 'A day is written as in 2026-11-01 (language §H.5).', {
    title: 'day',
  }),
);

export const day: Formed<Day> = formed(form, (node, place, reading) => {
  const written = text(node, place, reading);
  if (written === undefined) return undefined;
  return dayOf(written) ?? reading.report('bad-date', node.span, { found: written });
});
