/** Faults that the tester is known to miss, each with why, as far as that is known: the long form of the tests leaves them out. */
export const whyMissed: ReadonlyMap<string, string> = new Map([
  [
    'set to another resources.Account.fields.key.set.create',
    'only the answer that makes it shows it, and what `set` makes of a field is not looked for there',
  ],
  [
    'set to another resources.Scan.fields.number.set.create',
    'scans are listed by their parcel alone, and the tester wants a list of all',
  ],
]);
