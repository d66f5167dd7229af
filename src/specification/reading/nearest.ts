/** Words for a hint: a handful of them, however many there are. */
export function shownNames(names: readonly string[], between = ', '): string {
  const few = names.slice(0, 12).join(between);
  return names.length > 12 ? `${few} and ${names.length - 12} more` : few;
}

/**
 * The known word that a mistyped one most likely is, or undefined where none is near. Words of two letters are all
 * near one another, so that one is taken for another alone where their letters are the same, in any order and case.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known.slice(0, mostCandidates)) {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase(), least);
    if (
      distance < least &&
      (word.length > 2 || word.length !== candidate.length || isSwap(word, candidate))
    ) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

function isSwap(one: string, other: string): boolean {
  const letters = (word: string): string => [...word.toLowerCase()].sort().join('');
  return letters(one) === letters(other);
}

const mostCandidates = 1000;

/** Nobody mistypes a longer one, and the comparison takes time by its square. */
const longestWord = 100;

/** Insertions, deletions, substitutions and swaps of neighbours between two words; at most `limit`. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] as number;
}
