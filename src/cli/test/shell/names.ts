import type { Bound } from '../../../conformance/sequences/sequence.ts';

/** How a value is spelled where a variable stands for it: as it is, in other letters, or as an address or JSON has it. */
export type Spelling = 'Plain' | 'PLAIN' | 'plain' | 'uri' | 'json' | 'number';

/** A variable in a text. */
export interface Variable {
  readonly index: number;
  readonly spelling: Spelling;
}

/**
 * Stands for a value in a text until the text is quoted. The characters about it are those that no text has by itself.
 * In capitals, or in small letters, it stands for the value in these.
 */
export function standIn(index: number, spelling: Spelling = 'Plain'): string {
  return `\ue000${spelling}${index}\ue001`;
}

/** A text with its values spelled otherwise. */
export function spelledAs(text: string, spelling: Spelling): string {
  return text.replaceAll('\ue000Plain', `\ue000${spelling}`);
}

/** A text as its literal parts, and the variables between them. */
export function partsOf(text: string): readonly (string | Variable)[] {
  const parts: (string | Variable)[] = [];
  let end = 0;
  for (const match of text.matchAll(/\ue000([A-Za-z]+)(\d+)\ue001/g)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ index: Number(match[2]), spelling: match[1] as Spelling });
    end = match.index + match[0].length;
  }
  return end < text.length ? [...parts, text.slice(end)] : parts;
}

/**
 * A name for each value: what its place in an answer is called, with the number of the request (`id_1`), or `new_1`. The
 * number keeps it apart from names that mean something to a shell, such as `status`.
 */
export function namesOf(values: readonly Bound[]): readonly string[] {
  const times = new Map<string, number>();
  return values.map(({ from }) => {
    const words = (from?.at.header ?? from?.at.body ?? '').split(/[^A-Za-z0-9]+/);
    const word = words.findLast((each) => /^[A-Za-z]/.test(each))?.toLowerCase() ?? 'value';
    const stem = from ? `${word}_${from.step + 1}` : 'new';
    const before = times.get(stem) ?? 0;
    times.set(stem, before + 1);
    return from && before === 0 ? stem : `${stem}_${before + 1}`;
  });
}
