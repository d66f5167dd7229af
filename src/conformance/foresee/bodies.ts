import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { type Members, membersOf } from '../item.ts';
import { bodyFor } from '../request.ts';
import type { Schema } from '../schema.ts';
import { machinesOf, writesState } from '../states/machines.ts';
import type { Trial } from '../trial.ts';
import { fitting } from './fitting.ts';
import { isLimited } from './foresee.ts';
import { type Turning, turnings } from './hints.ts';
import { atTurns } from './turns.ts';

/** How many bodies are tried for one operation, and how many of them are made by chance at the least. */
const most = { bodies: 80, byChance: 12 };

const made = new WeakMap<Trial, Map<Operation, readonly (Json | undefined)[]>>();

/** Bodies to try: usual ones, and each member at each value at which something may turn. */
export function bodies(trial: Trial, operation: Operation): readonly (Json | undefined)[] {
  const all = made.get(trial) ?? new Map<Operation, readonly (Json | undefined)[]>();
  made.set(trial, all);
  const known = all.get(operation) ?? [...variants(trial, operation)].slice(0, most.bodies);
  all.set(operation, known);
  return known;
}

function* variants(trial: Trial, operation: Operation): Iterable<Json | undefined> {
  const body = bodyOf(trial.of, operation);
  if (body === null) return yield undefined;
  const usual = bodyFor(trial, operation, 'most');
  const members = membersOf(usual);
  yield usual;
  yield bodyFor(trial, operation, 'least');
  if (members === undefined) return;
  for (const machine of operation.subject ? machinesOf(trial.of, operation.subject) : [])
    if (writesState(trial.of, operation, machine))
      for (const state of machine.states)
        yield { ...(stated(operation.does)?.verb === 'update' ? {} : members), [machine.field]: state };
  yield* withLists(trial, body.schema, members);
  for (const field of operation.subject?.fields.values() ?? [])
    for (const value of isLimited(field) && !body.fields.has(field.name) ? fewOf(trial, field) : [])
      yield { ...members, [field.name]: value };
  yield* inTurn(
    turnings(trial.of).map((turning) => settledAtTurns(trial, operation, body.schema, members, turning)),
  );
  for (let i = 0; i < most.byChance; i++) yield bodyFor(trial, operation, i % 3 === 0 ? 'least' : 'most');
}

/** Members at each value at which an expression turns; where that is a time, the others such that nothing is broken. */
function* settledAtTurns(
  trial: Trial,
  operation: Operation,
  schema: Schema,
  members: Members,
  turning: Turning,
): Iterable<Json> {
  for (const one of atTurns(trial, schema, members, turning)) {
    const settled = turning.readsNow
      ? fitting(trial, operation, schema, () => one, null, turning.members)
      : one;
    yield settled;
    if (settled !== one) yield one;
  }
}

/** A few values of a field. */
function fewOf({ tools }: Trial, { shape }: Field): readonly Json[] {
  const schema = tools.resolve(schemaOf(shape));
  if (Array.isArray(schema['enum'])) return (schema['enum'] as Json[]).slice(0, 2);
  const value = tools.valid(schema, 'most');
  return value === undefined ? [] : [value];
}

/** The first of each, then the second of each, and so on. */
function* inTurn<T>(many: readonly Iterable<T>[]): Iterable<T> {
  let left = many.map((one) => one[Symbol.iterator]());
  while (left.length > 0) {
    const next = left.map((iterator) => ({ iterator, result: iterator.next() }));
    for (const { result } of next) if (!result.done) yield result.value;
    left = next.filter(({ result }) => !result.done).map(({ iterator }) => iterator);
  }
}

/** Each list with no element, with two and with three. */
function* withLists({ tools }: Trial, schema: Schema, members: Members): Iterable<Json> {
  for (const [name, said] of Object.entries(membersOf(schema['properties']) ?? {}))
    for (const length of [0, 2, 3]) {
      const inner = tools.resolve(membersOf(said) ?? {});
      const value =
        inner['type'] === 'array' && tools.valid({ ...inner, minItems: length, maxItems: length }, 'most');
      const one = { ...members, [name]: value || null };
      if (value && tools.failures(schema, one).length === 0) yield one;
    }
}
