/** What is told of several readings of one thing: the middle, and from where to where it is likely to lie. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

const confidence = 0.95;

/**
 * The median and an interval that holds the true median with a probability of 95 % or more, whatever the
 * distribution: from the k-th smallest to the k-th largest reading, k as large as may be (the sign test's
 * interval). Below nine readings it is the smallest and the largest; below six they are less than 95 %.
 */
export function spread(readings: readonly number[]): Spread {
  const sorted = [...readings].sort((a, b) => a - b);
  const count = sorted.length;
  const at = (index: number): number => sorted[index] as number;
  const half = Math.floor(count / 2);
  const median = count % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;

  // `outside` is the probability that the true median lies beyond the reading of this rank, on one side.
  let rank = 0;
  let term = 0.5 ** count;
  let outside = term;
  for (;;) {
    term = (term * (count - rank)) / (rank + 1);
    outside += term;
    if (rank + 1 >= half || 1 - 2 * outside < confidence) break;
    rank += 1;
  }
  return { median, low: at(rank), high: at(count - 1 - rank), count };
}

/** The readings of one divided by those of the other, pair by pair, and the spread of that. */
export function ratio(ours: readonly number[], theirs: readonly number[]): Spread {
  return spread(ours.map((reading, index) => reading / (theirs[index] as number)));
}

/** Whether the spread of a ratio leaves it open which of the two is more. */
export function coversOne({ low, high }: Spread): boolean {
  return low <= 1 && high >= 1;
}

/** What a ratio is to reach: at least so much, or at most. */
export interface Target {
  readonly atLeast?: number;
  readonly atMost?: number;
}

export type Verdict = 'met' | 'not met' | 'no difference shown' | 'met, no difference shown';

/**
 * Where the spread covers 1, no difference was shown: that meets a target only if the whole spread does.
 * Otherwise the median decides.
 */
export function verdict(
  measured: Spread,
  { atLeast = 0, atMost = Number.POSITIVE_INFINITY }: Target,
): Verdict {
  if (!coversOne(measured))
    return measured.median >= atLeast && measured.median <= atMost ? 'met' : 'not met';
  return measured.low >= atLeast && measured.high <= atMost
    ? 'met, no difference shown'
    : 'no difference shown';
}
