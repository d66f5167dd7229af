import type { Fault } from './mutation.ts';

/**
 * Faults of the list that change nothing that a request could show, each with why. They are argued from the document and the
 * desks, not from what a tester finds.
 */
const unseen: readonly (readonly [why: string, ids: readonly string[]])[] = [
  [
    'an account is shown by no view, so whether its key is kept hashed is seen nowhere',
    ['kept as it is resources.Account.fields.key.secret'],
  ],
  [
    'a random UUID in which one digit is another is a random UUID',
    [
      'set to another resources.Account.fields.id.set.create',
      'set to another resources.Parcel.fields.id.set.create',
    ],
  ],
  [
    'gaps may occur in a sequence, so a number that is one more is one of it',
    [
      'set to another resources.Parcel.fields.number.set.create',
      'set to another resources.Scan.fields.number.set.create',
    ],
  ],
  [
    'a parcel that nobody picked up has no courier, so that the guard refuses it alike',
    [
      'moves from more states["Parcel.status"].transitions.deliver.from: registered',
      'moves from more states["Parcel.status"].transitions.deliver.from: cancelled',
    ],
  ],
  [
    'what the transitions set keeps it true by itself',
    [
      'invariant dropped resources.Parcel.invariants["what is delivered has a time"]',
      'invariant dropped resources.Parcel.invariants["what moves has a courier"]',
    ],
  ],
  [
    'a parameter of a query that is text is a text, whatever it says',
    [
      'bound dropped endpoints["GET /parcels"].request.query.status.type',
      'bound dropped endpoints["GET /parcels"].request.query.after.type',
    ],
  ],
  [
    'both desks carry requests out one after the other: no key is ever busy',
    [
      'not refused errors.codes.key_busy',
      'wrong status errors.codes.key_busy.status: 422',
      'order swapped errors.order: key_busy before key_reused',
      'order swapped errors.order: etag_needed before key_busy',
    ],
  ],
  [
    'no client gives a reference, so none is ever to nothing',
    ['message dropped errors.messages.refers', 'message wrong errors.messages.refers'],
  ],
  [
    'no request can earn both',
    [
      'order swapped errors.order: too_many before key_missing',
      'order swapped errors.order: hook_unknown before parcel_unknown',
      'order swapped errors.order: parcel_hidden before hook_unknown',
      'order swapped errors.order: hook_hidden before parcel_hidden',
      'order swapped errors.order: not_yours before hook_hidden',
      'order swapped errors.order: changed_since before etag_needed',
      'order swapped errors.order: wrong_state before too_late',
      'order swapped errors.order: email_taken before wrong_state',
    ],
  ],
  ['nothing that the desks do takes as long', ['no time limit limits.times.request']],
];

/** Why nothing can be seen of a fault, by its identifier. */
export const whyUnseen: ReadonlyMap<string, string> = new Map(
  unseen.flatMap(([why, ids]) => ids.map((id) => [id, why] as const)),
);

/** Faults that show only after 14 days: they are tried where time passes when it is waited for, and not on the desk in Python. */
export function takesLong({ address }: Fault): boolean {
  return /transitions\.expire|parcel\.cancelled"\]\.by\[1\]/.test(address);
}

/** Faults that show only after a minute, by whatever clock. */
export function takesAMinute({ address }: Fault): boolean {
  return /^limits\.rates\.|^events\.delivery\.hooks\.(retries|timeout)/.test(address);
}
