/** Chance that a seed repeats: the same seed makes the same requests. */
export interface Random {
  /** A whole number from `low` to `high`, both included. */
  readonly whole: (low: number, high: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
  /** So many small letters. */
  readonly letters: (length: number) => string;
  /** A version 4 UUID (RFC 9562 §5.4). */
  readonly uuid: () => string;
}

/** Mulberry32: 32 bits of state are enough to vary test data. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(from: readonly T[]): T => from[whole(0, from.length - 1)] as T;
  const many = (length: number, from: string): string => {
    let made = '';
    while (made.length < length) made += from[whole(0, from.length - 1)];
    return made;
  };
  return {
    whole,
    pick,
    letters: (length) => many(length, 'abcdefghijklmnopqrstuvwxyz'),
    uuid: () => {
      const hex = (length: number): string => many(length, '0123456789abcdef');
      return `${hex(8)}-${hex(4)}-4${hex(3)}-${many(1, '89ab')}${hex(3)}-${hex(12)}`;
    },
  };
}

/** A text of chance has so many letters at least, or it may come up twice. */
const least = 6;

/** The same chance, which adds the texts that it makes to a set. */
export function remembering(random: Random, texts: Set<string>): Random {
  const note = (text: string): string => {
    if (text.length >= least) texts.add(text);
    return text;
  };
  return {
    ...random,
    letters: (length) => note(random.letters(length)),
    uuid: () => note(random.uuid()),
  };
}

/** Another text for each text of chance: as long, and mostly in the same order. */
export function renewing(random: Random): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const isUuid = text.includes('-');
    const made =
      known.get(text) ?? (isUuid ? random.uuid() : text.slice(0, 2) + random.letters(text.length - 2));
    known.set(text, made);
    return made;
  };
}
