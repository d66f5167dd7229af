/** Faults that the tester is known to miss, each with why, as far as that is known: the long form of the tests leaves them out. */
export const whyMissed: ReadonlyMap<string, string> = new Map();
