import type { Json } from '../../source/node.ts';
import { boundFields, type Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { bodyOf } from '../body.ts';
import type { Scenario, Statement } from '../check.ts';
import { reasonsOf } from '../constraints.ts';
import { doesJustThat } from '../guards.ts';
import { keyOf, membersOf } from '../item.ts';
import { perform } from '../perform.ts';
import { pastBound } from '../probes.ts';
import { malformed, type Reason, unknownItem, unsupported } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { otherMedia } from '../spell.ts';
import { deed } from '../success.ts';
import type { Attempt, Trial } from '../trial.ts';

const versionUnknown: Reason = { name: 'version unknown', subject: '', failures: [] };

/** Requests that earn several conditions: the order of part 7 decides, or, where it is silent, either may answer (F.1). */
export function orders(trial: Trial, operation: Operation): Scenario[] {
  const { of, tools } = trial;
  const { subject, key } = operation;
  const body = bodyOf(of, operation);
  if (subject === null || body === null) return [];
  const wrong = pastBound(body.schema, tools, (place) => place.length > 0);
  const gone = unknownItem(operation);
  const isVersioned = stated(stated(of.versioning)?.place) !== undefined;
  const usual = (): Json => bodyFor(trial, operation, 'most') ?? {};
  const pairs: (readonly [string, readonly Reason[], () => Attempt])[] = [
    ['broken JSON', [malformed, gone], () => ({ raw: '{"' })],
    [
      'content of another media type',
      [unsupported, gone],
      () => ({ body: usual(), media: otherMedia(operation) }),
    ],
    ...(isVersioned
      ? [
          [
            'broken JSON, in a version that nobody has,',
            [versionUnknown, malformed, gone],
            () => ({ raw: '{"', version: `x${trial.random.letters(8)}` }),
          ] as const,
        ]
      : []),
    ...(wrong
      ? [
          [
            'a member out of bounds',
            [gone, ...reasonsOf(body.name, wrong.value, wrong.failures)],
            () => ({ body: wrong.value }),
          ] as const,
        ]
      : []),
  ];
  const order = stated(of.errors)?.order;
  const cites: Statement = order ? { address: order.address, at: order.at } : deed(operation);
  return pairs.map(([label, reasons, attempt]) =>
    refusing(trial, {
      says: `${key} of an unknown ${subject.name} with ${label}`,
      operation,
      cites,
      reasons,
      must: doesJustThat(of, operation),
      members: Object.keys(membersOf(wrong?.value) ?? {}),
      item: () => Promise.resolve(keyOf(trial.fresh, subject, boundFields(operation))),
      send: async (item) => {
        const { exchange, given } = await perform(trial, operation, { ...(item && { item }), ...attempt() });
        return { exchange, given };
      },
    }),
  );
}
