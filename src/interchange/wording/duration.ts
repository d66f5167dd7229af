const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** So many milliseconds, in the largest unit that they are a whole number of: `14 days`. */
export function durationWords(ms: number): string {
  const [unit, size] = units.find(([, each]) => ms >= each && ms % each === 0) ?? ['millisecond', 1];
  const number = ms / size;
  return number === 1 ? `1 ${unit}` : `${number} ${unit}s`;
}
