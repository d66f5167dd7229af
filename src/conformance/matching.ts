import { once } from '../source/once.ts';
import { compilePattern } from '../specification/reading/pattern.ts';
import type { Random } from './random.ts';

/** Characters to choose from; those past ASCII are there for classes such as `\p{L}`. */
const alphabet = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
  '\t',
  '\n',
  'é',
  'ß',
  'Ж',
  '中',
  '𝒳',
];

/** Makes a text by chance; what may stand any number of times stands `most` times at the most. */
type Make = (random: Random, most: number) => string;

/** How often what is repeated stands: at the least, and at the most. */
type Count = (most: number) => readonly [low: number, high: number];

/** Makes texts that a pattern in RE2's syntax finds; some may not match after all. */
export const matching = once((pattern: string): Make => {
  let at = 0;
  const take = (expression: RegExp): RegExpExecArray | null => {
    const match = expression.exec(pattern.slice(at));
    if (match) at += match[0].length;
    return match;
  };
  const alternatives = (): Make => {
    const all = [sequence()];
    while (pattern[at] === '|') {
      at += 1;
      all.push(sequence());
    }
    return all.length === 1 ? (all[0] as Make) : (random, most) => random.pick(all)(random, most);
  };
  const sequence = (): Make => {
    const all: Make[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') all.push(repeated());
    return (random, most) => all.map((make) => make(random, most)).join('');
  };
  const repeated = (): Make => {
    const one = atom();
    const count = quantifier();
    if (count === null) return one;
    return (random, most) => {
      const [low, high] = count(most);
      let made = '';
      for (let left = random.pick([low, high, random.whole(low, high)]); left > 0; left--)
        made += one(random, most);
      return made;
    };
  };
  const quantifier = (): Count | null => {
    const match = take(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})[?+]?/);
    if (match === null) return null;
    const [, sign, low = '', comma, high] = match;
    if (sign === '?') return () => [0, 1];
    if (sign !== undefined) return (most) => [sign === '+' ? 1 : 0, most];
    return (most) => [Number(low), high ? Number(high) : Number(low) + (comma ? most : 0)];
  };
  const atom = (): Make => {
    if (take(/^\(\?[a-zA-Z-]+\)/)) return nothing;
    if (take(/^\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?/)) {
      const make = alternatives();
      take(/^\)/);
      return make;
    }
    if (take(/^(?:\^|\$|\\[bBAzZ])/)) return nothing;
    const [source] = take(
      /^(?:\[\^?\]?(?:\\.|\[:\w+:\]|[^\]])*\]|\\[pP](?:\{[^}]*\}|.)|\\x[0-9a-fA-F]{2}|\\.|.)/su,
    ) ?? [''];
    if (source === '') at = pattern.length;
    return character(source);
  };
  return alternatives();
});

const nothing: Make = () => '';

/** A character of a class, an escape, or the one that stands there itself. */
function character(source: string): Make {
  if (!/^[\\[.]/.test(source)) return () => source;
  const fitting = membersOf(source);
  return fitting.length === 0 ? nothing : (random) => random.pick(fitting);
}

function membersOf(source: string): readonly string[] {
  try {
    const one = compilePattern(`^(?:${source})$`);
    return alphabet.filter((candidate) => one.test(candidate));
  } catch {
    return [];
  }
}
