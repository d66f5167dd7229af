import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Body, bodyOf } from '../body.ts';
import type { Scenario } from '../check.ts';
import { doesJustThat } from '../guards.ts';
import { membersOf } from '../item.ts';
import { malformed, mustRefuse, refusalStatement } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { varied } from '../sample.ts';
import { isJson, jsonPatch, mediaOf, spelled } from '../spell.ts';
import type { Trial } from '../trial.ts';

/** Content that cannot be read: broken, missing, or no object where fields stand (language §H.4). */
export function unreadable(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const body = bodyOf(of, operation);
  if (!isJson(mediaOf(operation))) return [];
  const usual = spelled(operation, mediaOf(operation), bodyFor(trial, operation, 'most') ?? {});
  const contents: (readonly [string, string])[] = [
    ['broken JSON', usual.slice(0, -1)],
    ['JSON and more after it', `${usual}}`],
    ['no content', ''],
    ...unkeepable(trial, operation, body),
    ...(body && body.fields.size > 0 && mediaOf(operation) === jsonPatch
      ? ([
          ['an object for a list of operations', '{}'],
          ['text for a list of operations', '"text"'],
        ] as const)
      : []),
    ...(body && body.fields.size > 0 && mediaOf(operation) !== jsonPatch
      ? ([
          ['a list for an object', '[]'],
          ['text for an object', '"text"'],
          ['null for an object', 'null'],
        ] as const)
      : []),
  ];
  return [
    ...notBeneath(trial, operation),
    ...contents.map(([label, raw]) =>
      refusing(trial, {
        says: `${operation.key} with ${label}`,
        operation,
        cites: refusalStatement(of, operation, malformed),
        reasons: [malformed],
        must: mustRefuse(of, operation, malformed),
        ...varied(trial, operation, () => ({ raw })),
      }),
    ),
  ];
}

/** Text that is none, and an integer that cannot be kept exactly: what JSON can write and nothing can hold (§H.4). */
function unkeepable(trial: Trial, operation: Operation, body: Body | null): (readonly [string, string])[] {
  const { tools } = trial;
  const members = membersOf(bodyFor(trial, operation, 'most')) ?? {};
  const withRaw = (name: string, raw: string): string =>
    spelled(operation, mediaOf(operation), { ...members, [name]: marker }).replace(`"${marker}"`, raw);
  // A field that takes about anything of its type: what it is given breaks no rule but this one.
  const taking = (...values: readonly Json[]): string | undefined =>
    [...(body?.fields.values() ?? [])].find(
      (field) =>
        field.shape.keywords.has('type') &&
        values.every((value) => tools.failures(schemaOf(field.shape), value).length === 0),
    )?.name;
  const [text, whole] = [taking('a\u0001', 'b'), taking(2 ** 53, 1)];
  return [
    ...(text === undefined ? [] : ([['half of a surrogate pair', withRaw(text, '"a\\ud800"')]] as const)),
    ...(whole === undefined ? [] : [['an integer past 2^53', withRaw(whole, '9007199254740993')] as const]),
  ];
}

const marker = '(raw)';

/** A body that does not stand under the name that is stated for it (language §H.3, H.4: keyword `required` of it). */
function notBeneath(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const said = operation.request?.under;
  const under = stated(said);
  const body = bodyOf(of, operation);
  if (!said || under === undefined || body === null || mediaOf(operation) === jsonPatch) return [];
  const failures = [
    { field: under, keyword: 'required', value: null, limit: null, about: `${body.name}.${under}` },
  ];
  return [
    refusing(trial, {
      says: `${operation.key} with members that do not stand under ${under}`,
      operation,
      cites: { address: said.address, at: said.at },
      reasons: [{ name: 'invalid', subject: `${body.name}.${under}.required`, failures }],
      must: doesJustThat(of, operation),
      ...varied(trial, operation, () => ({ raw: JSON.stringify(bodyFor(trial, operation, 'most') ?? {}) })),
    }),
  ];
}
