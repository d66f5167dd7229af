/** Whether tests run whole, not as a sample: `npm run test:long`. */
export const isLong = process.env['TACET_LONG'] !== undefined;

/** Of the cases of a long test, every so many: the same each time. All of them if tests run whole. */
export function sampled<T>(cases: readonly T[], every: number): readonly T[] {
  return isLong ? cases : cases.filter((_, place) => place % every === 0);
}
