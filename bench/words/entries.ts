/** So many entries of `entries.yaml`, the same in every run. Few words are in many of them, and many in few. */
export function entriesOf(count: number): readonly object[] {
  const next = numbers(7);
  const word = (): string => wordOf(Math.floor(words * next() ** 3));
  return Array.from({ length: count }, (_, index) => ({
    title: Array.from({ length: 12 }, word).join(' '),
    tags: Array.from({ length: 3 }, word),
    day: new Date(Date.UTC(2026, 0, 1 + (index % 365))).toISOString().slice(0, 10),
    amount: Math.floor(next() * 1_000_000) + 1,
  }));
}

/** How many words there are: the first is in a third of the entries, the last in one of some thousand. */
export const words = 20_000;

const syllables = [...'bdfgklmnprstvz'].flatMap((first) => [...'aeiou'].map((vowel) => first + vowel));

/** A word of three syllables: no two numbers have the same. */
export function wordOf(index: number): string {
  const mixed = (index * 7_919) % syllables.length ** 3;
  const at = (place: number): string =>
    syllables[Math.floor(mixed / syllables.length ** place) % syllables.length] as string;
  return at(0) + at(1) + at(2);
}

/** Numbers from 0 up to 1 (a linear congruential generator). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
