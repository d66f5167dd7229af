import { searchedWords, unindexed } from '../../../expression/words.ts';

/** What a table of FTS5 is asked for the rows that have these words, and for those whose words it does not hold. */
export function searchFor(wanted: unknown): string {
  const words = searchedWords(wanted) ?? [];
  return `${searchForUnindexed} OR (${words.map((word) => `"${word}"*`).join(' AND ')})`;
}

/** What it is asked for the latter alone. */
export const searchForUnindexed = `"${unindexed}"`;
