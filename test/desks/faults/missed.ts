/** Faults that the tester is known to miss, each with why, as far as that is known: the long form of the tests leaves them out. */
export const whyMissed: ReadonlyMap<string, string> = new Map([
  [
    'set to another resources.Parcel.fields.registeredAt.set.create',
    'the clock of an implementation is its own, and a time that is a day off is held against no other',
  ],
  [
    'moves from more states["Parcel.status"].transitions.expire.from: cancelled',
    'a parcel that is cancelled once more looks the same; only an event tells, for which nobody listens then',
  ],
  ['key of all endpoints["POST /parcels"].idempotency.per: key', 'one key is never sent as two actors'],
]);
