import { compilePattern } from '../specification/pattern.ts';
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

/**
 * A text that a pattern in RE2's syntax finds, made by walking the pattern once and choosing by chance;
 * undefined where what was made does not match after all. What may stand any number of times stands `most` times
 * at the most.
 */
export function matching(pattern: string, random: Random, most = 3): string | undefined {
  let at = 0;
  const peek = (): string | undefined => pattern[at];
  const take = (expression: RegExp): RegExpExecArray | null => {
    const match = expression.exec(pattern.slice(at));
    if (match) at += match[0].length;
    return match;
  };
  const alternatives = (): string => {
    const all = [sequence()];
    while (peek() === '|') {
      at += 1;
      all.push(sequence());
    }
    return random.pick(all);
  };
  const sequence = (): string => {
    let made = '';
    while (at < pattern.length && peek() !== '|' && peek() !== ')') made += repeated();
    return made;
  };
  const repeated = (): string => {
    const begin = at;
    const once = atom();
    const [low, high] = quantifier();
    const end = at;
    let made = '';
    for (let count = random.pick([low, high, random.whole(low, high)]); count > 0; count--) {
      if (made === '') made = once;
      else {
        at = begin;
        made += atom();
      }
    }
    at = end;
    return made;
  };
  const quantifier = (): readonly [number, number] => {
    const match = take(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})[?+]?/);
    if (match === null) return [1, 1];
    const [, sign, low = '', comma, high] = match;
    if (sign === '?') return [0, 1];
    if (sign !== undefined) return [sign === '+' ? 1 : 0, most];
    return [Number(low), high ? Number(high) : Number(low) + (comma ? most : 0)];
  };
  const atom = (): string => {
    if (take(/^\(\?[a-zA-Z-]+\)/)) return '';
    if (take(/^\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?/)) {
      const made = alternatives();
      take(/^\)/);
      return made;
    }
    if (take(/^(?:\^|\$|\\[bBAzZ])/)) return '';
    const [source] = take(
      /^(?:\[\^?\]?(?:\\.|\[:\w+:\]|[^\]])*\]|\\[pP](?:\{[^}]*\}|.)|\\x[0-9a-fA-F]{2}|\\.|.)/su,
    ) ?? [''];
    if (source === '') at = pattern.length;
    return character(source, random);
  };
  const made = alternatives();
  return compiled(pattern).test(made) ? made : undefined;
}

type Test = ReturnType<typeof compilePattern>;

/** The patterns that were met: one is tried time and again. */
const tests = new Map<string, Test>();

function compiled(pattern: string): Test {
  const test = tests.get(pattern) ?? compilePattern(pattern);
  tests.set(pattern, test);
  return test;
}

/** A character of a class, an escape, or the one that stands there itself. */
function character(source: string, random: Random): string {
  if (!/^[\\[.]/.test(source)) return source;
  const fitting = members.get(source) ?? membersOf(source);
  members.set(source, fitting);
  return fitting.length === 0 ? '' : random.pick(fitting);
}

/** The characters of each class that was met. */
const members = new Map<string, readonly string[]>();

function membersOf(source: string): readonly string[] {
  try {
    const one = compilePattern(`^(?:${source})$`);
    return alphabet.filter((candidate) => one.test(candidate));
  } catch {
    return [];
  }
}
