import type { Json } from '../../../source/node.ts';
import { step } from '../../../specification/reading/address.ts';
import type { ConditionName } from '../../../specification/vocabulary/condition.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described } from '../operations.ts';
import { commonShape, otherCode, rowsIn } from '../other-parts.ts';
import { type Place, textIn } from '../place.ts';
import { propertiesOf, requiredOf, type Shaping } from '../shape.ts';
import { conditionOf } from './conditional.ts';
import type { Meant } from './meant.ts';
import { keyConditions, keyOf } from './repeats.ts';
import { givenIn } from './taken.ts';
import { isOfUnique } from './unique.ts';

/** What members of the body of a refusal say, by what they are called. */
const texts = ['code', 'error', 'message', 'title', 'detail', 'type', 'reason', 'description', 'name'];
const numbers = ['code', 'status', 'statuscode', 'error_code', 'errorcode'];

/** What the statuses of refusals stand for, and what their bodies say. */
export function ofErrors(
  operations: readonly Described[],
  meant: ReadonlyMap<Described, Meant>,
  named: ReadonlyMap<string, string>,
  shaping: Shaping,
): readonly Guess[] {
  const givesKeys = [...meant].some(
    ([{ body }, { verb, kept }]) =>
      verb === 'create' && givenIn(body, kept.key, shaping.places) === 'required',
  );
  const isUnique = isOfUnique(operations, meant, shaping.places);
  const rows = rowsIn(operations).flatMap(({ code, status, when: usual }): Guess[] => {
    const ofKeys = keyConditions(status, operations);
    // What else is unique, few descriptions say.
    const isAsked = status === 409 && !givesKeys && !isUnique;
    const meaning = isAsked ? undefined : (usual ?? conditionOf(status, operations, meant));
    const when = [...((meaning ?? []) as readonly Json[]), ...ofKeys];
    return when.length === 0
      ? []
      : [
          {
            at: `${step('errors.codes', code)}.when`,
            value: when,
            why: `${status} usually means this`,
            confidence: isSureOf(status, operations) || (status === 409 && isUnique) ? 'high' : 'likely',
          },
        ];
  });
  const rest = ofDefault(operations, rows);
  const reasoned = new Set([...rows, ...rest].map(({ at }) => at));
  const shape = commonShape(operations, shaping);
  const body = shape && bodyOf(shape.schema, shaping);
  return [
    ...rows,
    ...rest,
    ...ofListing(operations, named).filter(({ at }) => !reasoned.has(at.replace(/operations$/, 'when'))),
    ...(shape && body
      ? [
          {
            at: 'errors.payload.body',
            value: body,
            why: `the members of ${shape.name} are called so`,
            confidence: 'stand-in' as const,
          },
        ]
      : []),
  ];
}

/** Whether a status stands for one reason alone. */
function isSureOf(status: number, operations: readonly Described[]): boolean {
  return [412, 428].includes(status) || (status === 404 && isOfPaths(operations));
}

/** Whether 404 is listed by operations alone whose path names something, and not by each operation, whatever it does. */
function isOfPaths(operations: readonly Described[]): boolean {
  const [named, others] = [true, false].map((isNamed) =>
    operations.filter(({ path }) => path.includes('{') === isNamed),
  ) as [Described[], Described[]];
  const lists = ({ failures }: Described): boolean => failures.some(({ status }) => status === '404');
  return others.length > 0 && named.some(lists) && !others.some(lists);
}

/** What may refuse a request to an operation that is described. */
const reasons: readonly ConditionName[] = [
  'malformed',
  'unsupported media',
  'unknown',
  'invalid',
  'not unique',
  'in use',
];

/** What else may refuse a request with a key for repeats (language §4.4). */
const ofKeys: readonly ConditionName[] = ['key reused', 'key busy'];

/** A refusal of any status that no other row has, if each operation has an answer for it. */
function ofDefault(operations: readonly Described[], rows: readonly Guess[]): readonly Guess[] {
  const hasDefault = ({ failures }: Described): boolean =>
    failures.some(({ status }) => status === 'default');
  if (operations.length === 0 || !operations.every(hasDefault)) return [];
  const listed = new Set(rows.flatMap(({ value }) => (Array.isArray(value) ? value : [])));
  const at = step('errors.codes', otherCode);
  const why = 'each operation has an answer of any other status';
  const all = operations.some((each) => keyOf(each)) ? [...reasons, ...ofKeys] : reasons;
  const when = all.filter((reason) => !listed.has(reason));
  return [
    { at: `${at}.when`, value: when, why, confidence: 'high' },
    { at: `${at}.status`, value: '(any)', why, confidence: 'high' },
  ];
}

/** That a status refuses only where an operation lists it. */
function ofListing(operations: readonly Described[], named: ReadonlyMap<string, string>): readonly Guess[] {
  const listing = (status: string): readonly Described[] =>
    operations.filter(({ failures }) => failures.some((each) => each.status === status));
  const rows = [
    ...rowsIn(operations).map(({ code, status }) => [code, String(status)] as const),
    [otherCode, 'default'] as const,
  ];
  return rows.flatMap(([code, status]): Guess[] => {
    const those = listing(status);
    const value = those.flatMap(({ key }) => named.get(key) ?? []);
    if (value.length === 0 || those.length === operations.length || value.length < those.length) return [];
    const at = `${step('errors.codes', code)}.operations`;
    return [{ at, value, why: 'no other operation has an answer of this status', confidence: 'high' }];
  });
}

/** The members that have to be there; undefined: nobody can say what one of them tells. */
function bodyOf(schema: Place, { places }: Shaping): Json | undefined {
  const properties = propertiesOf(schema, places);
  const required = requiredOf(schema, places);
  const names = required.length > 0 ? required : [...properties.keys()].slice(0, 2);
  const members = names.map((name): [string, Json | undefined] => {
    const member = properties.get(name);
    return [name, member && told(name.toLowerCase(), textIn(places.followed(member), 'type'))];
  });
  if (members.length === 0 || members.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(members as [string, Json][]);
}

function told(name: string, type: string | undefined): Json | undefined {
  const isNumber = type === 'integer' || type === 'number';
  if (isNumber) return numbers.includes(name) ? '${error.status}' : undefined;
  return type === 'string' && texts.includes(name) ? '${error.code}' : undefined;
}
