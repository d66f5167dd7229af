import { fold } from '../../../expression/fold.ts';

/** The version of Unicode that this Node knows: what hangs on it is named by it, and so made anew for another. */
export const unicode: string = (process.versions.unicode ?? '').replaceAll('.', '_');

/** Characters, and what each of them becomes, as `translate` takes them: those of most alphabets, and all others. */
interface Table {
  readonly near: readonly [string, string];
  readonly far: readonly [string, string];
}

/** What begins the characters of the second table. */
export const farFrom = 0x530;

/** What the functions know of Unicode. */
export interface Tables {
  /** Simple case folding, beyond ASCII. */
  readonly folded: Table;
  /** Lower case, beyond ASCII, where that is one character and hangs on no other. */
  readonly lower: Table;
  /** Letters with a case, and what stands between letters without counting, as ICU tells them: none is both. */
  readonly cased: string;
  readonly ignored: string;
  /** What words are of: letters, marks and digits. */
  readonly words: string;
}

let made: Tables | undefined;

/** Looks all characters through, once. */
export function tables(): Tables {
  made ??= {
    folded: tableOf(fold as (character: string) => string),
    lower: tableOf((character) => {
      const lower = character.toLowerCase();
      return [...lower].length === 1 ? lower : character;
    }),
    ...sigmaClasses(),
    words: classOf(characters(/[\p{L}\p{M}\p{Nd}]/gu)),
  };
  return made;
}

function tableOf(become: (character: string) => string): Table {
  const changed = characters(/[\p{CWL}\p{CWCF}\p{CWU}\p{CWT}]/gu)
    .filter((code) => code >= 0x80)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => become(character) !== character);
  const pairOf = (all: readonly string[]): [string, string] => [all.join(''), all.map(become).join('')];
  const isFar = (character: string): boolean => (character.codePointAt(0) as number) >= farFrom;
  return { near: pairOf(changed.filter((one) => !isFar(one))), far: pairOf(changed.filter(isFar)) };
}

function sigmaClasses(): { readonly cased: string; readonly ignored: string } {
  const ignored = characters(/\p{Case_Ignorable}/gu);
  const isIgnored = new Set(ignored);
  const cased = characters(/\p{Cased}/gu).filter((code) => !isIgnored.has(code));
  return { cased: classOf(cased), ignored: classOf(ignored.filter((code) => code > 3)) };
}

/** How many characters are looked through at once. */
const stretch = 0x800;

function characters(of: RegExp): number[] {
  const found: number[] = [];
  for (let from = 0; from < 0x110000; from += stretch) {
    if (from === 0xd800) continue;
    const text = String.fromCodePoint(...Array.from({ length: stretch }, (_, index) => from + index));
    for (const character of text.match(of) ?? []) found.push(character.codePointAt(0) as number);
  }
  return found;
}

/** A bracket expression of PostgreSQL's, of ranges. */
function classOf(codes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  const escaped = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`;
  return `[${ranges.map(([from, to]) => (from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`)).join('')}]`;
}
