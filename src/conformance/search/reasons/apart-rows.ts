import { type Operation, queryParameters } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { Condition, ConditionName } from '../../../specification/vocabulary/condition.ts';
import type { Row } from '../../../specification/vocabulary/parts/errors.ts';
import { isOfItemAlone } from '../../deviations/access/unauthorized.ts';
import { mayMeet, withoutOthers } from '../../deviations/meets.ts';
import { exchanged } from './exchanged.ts';
import type { Rule } from './same-meaning.ts';

/** One condition of a row: a name, and what it is about. */
interface Single {
  readonly name: ConditionName;
  readonly subject: string;
}

/** What only the change of an item tells (language §H.4, 13 and 14). */
const ofChange: ReadonlySet<ConditionName> = new Set([
  'transition refused',
  'guard refused',
  'not unique',
  'different',
  'in use',
  'invariant broken',
  'quota exceeded',
]);

const ofVersion: ReadonlySet<ConditionName> = new Set([
  'version missing',
  'version unknown',
  'version retired',
]);

const isPaged = (operation: Operation): boolean =>
  queryParameters(operation).some(({ roles }) => stated(roles.page) === 'size');

/** Whether two conditions never hold together. Each is asked with the first and the second in either order. */
const apart: readonly ((
  one: Single,
  other: Single,
  operation: Operation,
  specification: Specification,
) => boolean)[] = [
  // A request that means no version is judged for whether it can be read, and for nothing else (rule 9).
  ({ name }, other) => ofVersion.has(name) && !['malformed', 'unknown path'].includes(other.name),
  // Either a credential came, or none did (rule 10).
  ({ name }, other) => name === 'credential missing' && other.name === 'credential wrong',
  // Content that is too large, or of another type, is not read (rule 6).
  ({ name, subject }, other, operation) =>
    name === 'too large' &&
    (subject === 'body' || !isPaged(operation)) &&
    ['unsupported media', 'malformed'].includes(other.name),
  ({ name }, other) => name === 'unsupported media' && other.name === 'malformed',
  // What cannot be read changes nothing, and neither does a change of an item that does not exist (rule 8).
  ({ name }, other) => ['malformed', 'unknown', 'gone'].includes(name) && ofChange.has(other.name),
  // Only an item that exists is somebody's (rule 7).
  ({ name }, other, operation, specification) =>
    ['unknown', 'gone'].includes(name) &&
    other.name === 'not authorized' &&
    (other.subject !== '' || isOfItemAlone(operation, specification)),
  ({ name }, other) => name === 'key missing' && ['key reused', 'key busy'].includes(other.name),
  ({ name }, other, { endpoint }) => {
    const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = stated(endpoint.conditional) ?? {};
    const given = [ifMatch, ifNoneMatch, ifUnmodifiedSince].filter((said) => said?.kind === 'stated');
    return name === 'precondition missing' && other.name === 'precondition failed' && given.length === 1;
  },
  // Only a transition that there is has a guard (language §3.1).
  ({ name }, other) =>
    name === 'transition refused' &&
    other.name === 'guard refused' &&
    /\./.test(other.subject) &&
    !/\.(create|update|delete)$/.test(other.subject),
];

/** The order of two rows matters only to a request that meets both (language §7.1, `order`). */
export const apartRows: Rule = {
  name: 'no request meets both conditions',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    if (said.address !== 'errors.order') return false;
    const codes = stated(stated(specification.errors)?.codes);
    const rows = exchanged<{ readonly text: string }>({ said, says }).flatMap(
      ({ text }) => stated(codes?.get(text) ?? undefined) ?? [],
    );
    const [one, other] = rows;
    if (one === undefined || other === undefined) return false;
    return specification.operations.every((operation) => areApart(one, other, operation, specification));
  },
};

/** Whether no request to an operation meets two rows. If that is not sure, it may. */
function areApart(one: Row, other: Row, operation: Operation, specification: Specification): boolean {
  const own = withoutOthers(operation);
  const [ours, theirs] = [one, other].map((row) => singles(row, own, specification));
  if (ours === undefined || theirs === undefined) return false;
  return ours.every((mine) =>
    theirs.every((each) =>
      apart.some(
        (are) => are(mine, each, operation, specification) || are(each, mine, operation, specification),
      ),
    ),
  );
}

/** The conditions of a row that a request to an operation may meet; undefined: it is not said which. */
function singles(
  row: Row,
  operation: Operation,
  specification: Specification,
): readonly Single[] | undefined {
  const { when } = row;
  if (!mayMeet(row, operation, specification)) return [];
  if (when.kind !== 'stated') return undefined;
  return when.value.flatMap((condition: Condition) =>
    condition.names.flatMap((name) => {
      const alone: Condition = { ...condition, names: [name] };
      const own: Row = { ...row, when: { ...when, value: [alone] } };
      return mayMeet(own, operation, specification) ? [{ name, subject: condition.subject }] : [];
    }),
  );
}
