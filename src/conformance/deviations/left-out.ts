import type { Said } from '../../specification/reading/said.ts';
import { isStated } from './changed.ts';
import { type Kind, keyOf, nothing, stating } from './deviation.ts';
import { isRecord } from './record.ts';

/** A statement that is left out, where the language says what follows of that. */
export const leftOut: Kind = (said, specification) =>
  needed.has(keyOf(said)) || whole.test(said.address) || hasParts(said)
    ? []
    : [
        {
          said,
          says: 'it is left out',
          operation: null,
          implementation: stating(specification, said, nothing(said)),
        },
      ];

/** Without these, nobody can say what happens: an implementation has to do something. */
const needed: ReadonlySet<string> = new Set(
  [
    'resources, states, endpoints, authentication, errors, limits, versioning, events',
    'identifier, of, fields, readable, writable, does, operation, request, response, status, initial, transitions',
    'schemes, scheme, credentials, codes, rule, protocol, place, versions, body, media, header, rates, quotas, others, per, window, kept, issued, actor',
    'allow, window, every',
  ].flatMap((line) => line.split(', ')),
);

/** Endpoints, resources and parameters of a path: without them, no request leads there. */
const whole = /^endpoints\["[^"]*"\]$|^resources\.\w+$|\.request\.path(\.\w+)?$/;

/** Whether statements stand in it: each of these is left out by itself. */
function hasParts(said: Said<unknown>): boolean {
  if (said.kind !== 'stated' || !isRecord(said.value) || Array.isArray(said.value)) return false;
  const parts = said.value instanceof Map ? [...said.value.values()] : Object.values(said.value);
  return parts.some((part) => isRecord(part) && isStated(part));
}
