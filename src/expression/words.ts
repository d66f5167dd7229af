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
