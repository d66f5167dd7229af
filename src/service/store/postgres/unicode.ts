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

/** Simple case folding, beyond ASCII. */
export function foldTable(): Table {
  return tableOf(fold as (character: string) => string);
}

/** Lower case, beyond ASCII, where that is one character and hangs on no other. */
export function lowerTable(): Table {
  return tableOf((character) => {
    const lower = character.toLowerCase();
    return [...lower].length === 1 ? lower : character;
  });
}

function tableOf(become: (character: string) => string): Table {
  const changed = characters(/[\p{CWL}\p{CWCF}\p{CWU}\p{CWT}]/u)
    .filter((code) => code >= 0x80)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => become(character) !== character);
  const pairOf = (all: readonly string[]): [string, string] => [all.join(''), all.map(become).join('')];
  const isFar = (character: string): boolean => (character.codePointAt(0) as number) >= farFrom;
  return { near: pairOf(changed.filter((one) => !isFar(one))), far: pairOf(changed.filter(isFar)) };
}

/** Letters with a case, and what stands between letters without counting, as ICU tells them: none is both. */
export function sigmaClasses(): { readonly cased: string; readonly ignored: string } {
  const ignored = characters(/\p{Case_Ignorable}/u);
  const isIgnored = new Set(ignored);
  const cased = characters(/\p{Cased}/u).filter((code) => !isIgnored.has(code));
  return { cased: classOf(cased), ignored: classOf(ignored.filter((code) => code > 3)) };
}

function characters(of: RegExp): number[] {
  const found: number[] = [];
  for (let code = 0; code < 0x110000; code++)
    if ((code < 0xd800 || code > 0xdfff) && of.test(String.fromCodePoint(code))) found.push(code);
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
