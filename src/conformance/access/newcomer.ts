import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { Unreached } from '../check.ts';
import { isUnique } from '../keys.ts';
import type { Attempt, Trial } from '../trial.ts';
import type { Persona } from './persona.ts';

/** Who may have made an item of a resource, by whoever asked, and who is the next to make one. */
const spent = new WeakMap<Persona, Set<string>>();
const next = new WeakMap<Trial, Persona>();

/** Whether each may make but one item: all that must be the only one of its kind is worked out from who asks. */
const isOnceForEach = once(({ subject, does, bindings }: Operation): boolean => {
  if (subject === null || stated(does)?.verb !== 'create' || bindings.size > 0) return false;
  const sets = [
    ...(stated(subject.unique) ?? []).map(({ fields }) => fields.map((name) => name.text)),
    ...[...subject.fields.values()].filter((field) => isUnique(field)).map((field) => [field.name]),
  ];
  return sets.some((names) => names.every((name) => isOfActor(subject.fields.get(name))));
});

/** Whether the service works out a field on creation from who asks, and from nothing else. */
export function isOfActor(field: Field | undefined): boolean {
  const template = stated(field?.create)?.template;
  const read = (template ? expressionsIn(template) : []).flatMap(({ syntax }) => pathsRead(syntax));
  return read.length > 0 && read.every(([root]) => root === 'actor');
}

/** What each may make but once is asked for by somebody who has made none. Throws `Unreached` where there is nobody. */
export async function asNewcomer(trial: Trial, operation: Operation, attempt: Attempt): Promise<Attempt> {
  if (attempt.as !== undefined || attempt.carried) return attempt;
  const as = await makerOfNext(trial, operation);
  return as ? { ...attempt, as } : attempt;
}

/**
 * Who is to make the next item, where each may make but one, and remains so until it is made; undefined where anybody
 * may. Throws `Unreached` where there is nobody.
 */
export async function makerOfNext(trial: Trial, operation: Operation): Promise<Persona | undefined> {
  const { persona } = trial;
  if (!persona?.item || !isOnceForEach(operation)) return undefined;
  const name = operation.subject?.name ?? '';
  const free = [persona, next.get(trial)].find((one) => one && spent.get(one)?.has(name) !== true);
  const as = free ?? (await trial.enter());
  if (as === null) throw new Unreached(`nobody could be made who has no ${name}`);
  next.set(trial, as);
  return as;
}

/** Notes that somebody may have made an item. */
export function noteMaking(persona: Persona, resource: string): void {
  spent.set(persona, (spent.get(persona) ?? new Set()).add(resource));
}
