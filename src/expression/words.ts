import { fold } from './fold.ts';
import { CannotWorkOut } from './values.ts';

/** What stands between words: all but letters, marks and digits of Unicode (language §G.4, `matches`). */
const between = /[^\p{L}\p{M}\p{Nd}]+/gu;

/** A text with one space before each of its words, in the form in which words compare: without case. */
function spaced(text: string): string {
  return ` ${(fold(text) as string).replace(between, ' ')}`;
}

/** Whether each word of a text begins a word of one of the others; nulls are skipped. */
export function matches(wanted: unknown, ...texts: readonly unknown[]): boolean {
  const found = texts.flat().map((text) => (text === null ? '' : spaced(textIn(text))));
  const words = wanted === null ? [] : spaced(textIn(wanted)).split(' ');
  return words.every((word) => word === '' || found.some((text) => text.includes(` ${word}`)));
}

/** What stands for all words of a row whose words an index does not hold; it is no word. */
export const unindexed = '·';

/** The longest word that an index holds, and how much of the words of a row, in characters. */
export const [longestWord, mostIndexed] = [100, 200_000];

/** The most words that are looked up. */
const mostSearched = 16;

/** The words of texts as `matches` takes them, each once, as an index holds them: or `unindexed` alone. */
export function indexedWords(...texts: readonly unknown[]): readonly string[] {
  const all = texts.flat().filter((text) => text !== null);
  if (!all.every((text) => typeof text === 'string')) return [unindexed];
  const words = wordsOf(all.map(spaced).join(''));
  const isTooMuch = words.join(' ').length > mostIndexed || words.some(isLong);
  return isTooMuch ? [unindexed] : words;
}

/** What an index is searched for: the words of which each begins one of a row; null: the index does not help. */
export function searchedWords(wanted: unknown): readonly string[] | null {
  if (typeof wanted !== 'string') return null;
  const words = wordsOf(spaced(wanted));
  return words.length > mostSearched || words.some(isLong) ? null : words;
}

function wordsOf(spaced: string): readonly string[] {
  return [...new Set(spaced.split(' '))].filter((word) => word !== '');
}

function isLong(word: string): boolean {
  return word.length > longestWord;
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new CannotWorkOut('matches takes texts, and lists of texts');
}

/** The elements of a list by a key, as a list of `{ key, items }` (language §G.4). */
export function grouped(
  list: readonly unknown[],
  keyOf: (item: unknown) => unknown,
  compare: (a: unknown, b: unknown) => number,
  isEqual: (a: unknown, b: unknown) => boolean,
): { readonly key: unknown; readonly items: unknown[] }[] {
  const groups: { readonly key: unknown; readonly items: unknown[] }[] = [];
  const known = new Map<unknown, unknown[]>();
  for (const item of list) {
    const key = keyOf(item) ?? null;
    const isPlain = typeof key !== 'object' || key === null;
    const items = isPlain ? known.get(key) : groups.find((one) => isEqual(one.key, key))?.items;
    if (items) items.push(item);
    else {
      const own = [item];
      groups.push({ key, items: own });
      known.set(key, own);
    }
  }
  const isNull = (key: unknown): number => (key === null ? 0 : 1);
  return groups.sort((a, b) => isNull(a.key) - isNull(b.key) || compare(a.key, b.key));
}
