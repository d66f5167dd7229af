import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Events, Kind } from '../../specification/vocabulary/parts/events.ts';
import { alsoAny } from '../foresee/also.ts';
import type { Foreseen } from '../foresee/foresee.ts';
import { askersOf } from '../states/askers.ts';
import { type Move, machinesOf, moveNamed } from '../states/machines.ts';
import { isTimer } from '../states/timers.ts';
import { heldUp, type Trial } from '../trial.ts';

/** A kind of event that is stated. */
export interface Stated {
  readonly name: string;
  readonly said: Said<Kind>;
  readonly kind: Kind;
}

/** A kind, and one that emits it. */
export interface Wanted extends Stated {
  /** The name in `by`. */
  readonly by: string;
}

export function kindsOf(events: Events): readonly Stated[] {
  return [...(stated(events.kinds) ?? [])].flatMap(([name, said]) => {
    const kind = stated(said);
    return kind ? [{ name, said, kind }] : [];
  });
}

export function wantedOf(events: Events): readonly Wanted[] {
  return kindsOf(events).flatMap((one) => emittersOf(one.kind).map((by) => ({ ...one, by })));
}

/** The names in the `by` of a kind. */
export function emittersOf({ by }: Kind): readonly string[] {
  return (stated(by) ?? []).map(({ text }) => text);
}

/** A transition by its name in `by`: `R.name`. */
export function moveOf(of: Specification, by: string): Move | undefined {
  const dot = by.indexOf('.');
  const resource = of.resourcesByName.get(by.slice(0, dot));
  return dot === -1 || resource === undefined ? undefined : moveNamed(of, resource, by.slice(dot + 1));
}

/** The operations by which a client has an event emitted: the one that is named, or those that ask for the transition. */
export function operationsBy(trial: Trial, by: string): readonly Operation[] {
  const { of } = trial;
  const named = of.operations.filter((one) => one.name === by);
  const move = moveOf(of, by);
  const all = named.length > 0 ? named : move ? askersOf(trial, move) : [];
  return all.filter((one) => heldUp(of, one) === null);
}

/** The names in `by` that a request surely brings about, where it changes anything: its operation, and its moves. */
export function surely({ name }: Operation, { moves }: Pick<Foreseen, 'moves'>): readonly string[] {
  return [name, ...moves.map(nameOf)];
}

/**
 * The names that what follows a request may bring about: moves by `also`, and those that happen by themselves, of
 * which it is not told here whether they do.
 */
export function perhaps(of: Specification, operation: Operation, by: string): boolean {
  const move = moveOf(of, by);
  if (move === undefined) return false;
  const moves = operation.subject ? machinesOf(of, operation.subject).flatMap((one) => one.moves) : [];
  return (
    isTimer(move) ||
    alsoAny(of, operation, moves).some(({ change: { verb, subject } }) => {
      const name = subject.kind === 'one' || subject.kind === 'every' ? subject.name : null;
      return verb === move.name && (name === null || name === move.of.resource.name);
    })
  );
}

function nameOf({ name, of }: Move): string {
  return `${of.resource.name}.${name}`;
}
