import { type Operation, singlesOut } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { bindings } from '../bindings.ts';
import { bodyOf } from '../body.ts';
import { type Plan, type Scenario, unreached } from '../check.ts';
import { unwanted } from '../media/taken.ts';
import { unreadable } from '../refusals/malformed.ts';
import { orders } from '../refusals/order.ts';
import { ownRefusals } from '../refusals/own.ts';
import { neighbours, pairs } from '../refusals/pairs.ts';
import { notUnique } from '../refusals/unique.ts';
import { unknown } from '../refusals/unknown.ts';
import { heldUp, type Trial } from '../trial.ts';

/** The conditions that are brought about here, in parts 2, 3 and 4, or in the protocol. */
const caused = [
  'malformed',
  'unknown path',
  'method not allowed',
  'unsupported media',
  'unknown',
  'invalid',
  'not unique',
  'transition refused',
  'guard refused',
  'invariant broken',
  'quota exceeded',
  'key missing',
  'key reused',
  'precondition missing',
  'precondition failed',
  'in use',
  'not acceptable',
  'different',
  'expression',
  'rate exceeded',
  'too large',
];

/** Those that are brought about in part 5, where it is stated who may ask. */
const causedByAsking = ['credential missing', 'credential wrong', 'not authorized', 'wrong credentials'];

/** And those of part 9, where versions are told apart. */
const causedByVersion = ['version missing', 'version unknown', 'version retired'];

/** Part 7: every reason to refuse that can be brought about, and how it is answered (language §7, H.4). */
export function checks(trial: Trial): Plan[] {
  const { of } = trial;
  const runnable = of.operations.filter((operation) => heldUp(of, operation) === null);
  const verb = (one: (typeof runnable)[number]): string => stated(one.does)?.verb ?? '';
  const takesBody = (one: (typeof runnable)[number]): boolean => bodyOf(of, one) !== null;
  const single = runnable.filter((one) => singlesOut(one) && !['create', 'list', ''].includes(verb(one)));
  return [
    ...runnable.filter(takesBody).map((operation) => () => unreadable(trial, operation)),
    ...single.filter(refusesUnknown).map((operation) => () => unknown(trial, operation)),
    ...runnable.map((operation) => () => bindings(trial, operation)),
    ...runnable.map((operation) => () => unwanted(trial, operation)),
    ...single
      .filter((one) => takesBody(one) && refusesUnknown(one))
      .map((operation) => () => orders(trial, operation)),
    ...runnable
      .filter((one) => ['create', 'update'].includes(verb(one)))
      .map((operation) => () => notUnique(trial, operation)),
    ...runnable.filter((one) => one.method !== 'GET').map((operation) => () => pairs(trial, operation)),
    () => neighbours(trial),
    ...runnable.map((operation) => () => ownRefusals(trial, operation)),
    () => notCaused(trial),
  ];
}

/** Whether an operation refuses what is about an item that is not there (language §H.2, `absent`). */
function refusesUnknown({ does }: Operation): boolean {
  return stated(does)?.qualifiers.absent.kind !== 'stated';
}

/** Rows whose condition nothing here brings about: stated, and not run by this version. */
function notCaused({ of, persona }: Trial): Scenario[] {
  const brought = [
    ...caused,
    ...(persona ? causedByAsking : []),
    ...(stated(of.versioning) ? causedByVersion : []),
  ];
  const errors = stated(of.errors);
  const rows = [...((errors && stated(errors.codes)) ?? [])].flatMap(([code, said]) => {
    const row = stated(said);
    const conditions = (row && stated(row.when)) ?? [];
    return row && !conditions.some((one) => one.names.some((name) => brought.includes(name)))
      ? [[code, row.when] as const]
      : [];
  });
  return rows.map(([code, { address, at }]) =>
    unreached(
      of,
      [{ name: 'refused', says: `${code} answers its conditions`, cites: { address, at } }],
      'stated, not run by this version: nothing here brings it about',
    ),
  );
}
