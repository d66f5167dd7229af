import type { Operation } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import type { Scenario } from '../check.ts';
import { doesJustThat } from '../guards.ts';
import { membersOf } from '../item.ts';
import { keysGiven } from '../keys.ts';
import { make, perform } from '../perform.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor, isAboutOne } from '../request.ts';
import { bodyOf } from '../schema.ts';
import type { Trial } from '../trial.ts';

/** An identifier that the client gives, given twice (language §2, `identifier`; H.2, `present`). */
export function notUnique(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const { subject, key } = operation;
  if (subject === null) return [];
  const [name] = stated(subject.identifier) ?? [];
  const body = bodyOf(of, operation);
  const bound = isAboutOne(operation);
  if (name === undefined || (!bound && (body === null || !keysGiven(operation, body).includes(name.text))))
    return [];
  const reason: Reason = { name: 'not unique', subject: `${subject.name}.${name.text}`, failures: [] };
  return [
    refusing(trial, {
      says: `${key} with an identifier that is taken`,
      operation,
      cites: { address: subject.identifier.address, at: subject.identifier.at },
      reasons: [reason],
      must: doesJustThat(of, operation),
      item: async () => (await make(trial, subject)).item,
      send: async (item) => {
        const taken = item?.known.get(name.text);
        const given = {
          ...membersOf(bodyFor(trial, operation, 'most')),
          ...(bound || taken === undefined ? {} : { [name.text]: taken }),
        };
        const { exchange } = await perform(trial, operation, { ...(item && { item }), body: given });
        return { exchange, given };
      },
    }),
  ];
}
