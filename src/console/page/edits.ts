import type { Edit } from '../../assist/answered.ts';

/** A text with stretches of it changed, none of which overlap. */
export function withEdits(text: string, edits: readonly Omit<Edit, 'file'>[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, text: to }) => result.slice(0, start) + to + result.slice(end), text);
}
