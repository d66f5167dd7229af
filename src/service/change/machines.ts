import { compileTemplate, type Environment, type Run } from '../../expression/compile.ts';
import { transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Machine, Transition } from '../../specification/vocabulary/parts/states.ts';
import { compileMade } from '../content/made.ts';

/** A machine, compiled (language §3): one field of a resource, and the moves that it makes. */
export interface CompiledMachine {
  readonly resource: string;
  readonly field: string;
  /** The state of a new item; null while that is open. */
  readonly initial: Run | null;
  readonly moves: readonly Move[];
}

/** Durations of ISO 8601 by the transition that they are for, `Parcel.expire`. */
type Durations = Readonly<Record<string, string>>;

/** One transition. */
export interface Move {
  readonly name: string;
  readonly machine: CompiledMachine;
  readonly from: readonly string[];
  /** Null: the item ceases to be. */
  readonly to: string | null;
  readonly guard: Run | null;
  readonly set: readonly (readonly [string, Run])[];
  readonly also: readonly Change[];
  readonly timer: Timer | null;
}

/** When a move happens by itself: so long after entry, or at a time that the item holds (language §3.3). */
export interface Timer {
  readonly kind: 'after' | 'at';
  /** The duration, or the time, as text. */
  readonly run: Run;
}

/** The machines of each resource; a move of which it is open whence or whither is none. */
export function compileMachines(
  specification: Specification,
  environment: Environment,
  operator: Durations = {},
): ReadonlyMap<string, readonly CompiledMachine[]> {
  const found = new Map<string, CompiledMachine[]>();
  for (const [name, said] of stated(specification.states) ?? []) {
    const machine = stated(said);
    const dot = name.indexOf('.');
    const resource = name.slice(0, dot);
    if (machine === undefined) continue;
    const compiled = compileMachine(resource, name.slice(dot + 1), machine, environment, operator);
    found.set(resource, [...(found.get(resource) ?? []), compiled]);
  }
  return found;
}

function compileMachine(
  resource: string,
  field: string,
  machine: Machine,
  environment: Environment,
  operator: Durations,
): CompiledMachine {
  const initial = stated(machine.initial);
  const moves: Move[] = [];
  const compiled = {
    resource,
    field,
    initial: initial ? compileTemplate(initial.template, environment) : null,
    moves,
  };
  for (const [name, transition] of transitionsIn(machine)) {
    const move = compileMove(name, compiled, transition, environment, operator[`${resource}.${name}`]);
    if (move) moves.push(move);
  }
  return compiled;
}

function compileMove(
  name: string,
  machine: CompiledMachine,
  transition: Transition,
  environment: Environment,
  operator: string | undefined,
): Move | undefined {
  const { to } = transition;
  if (transition.from.kind !== 'stated' || (to.kind !== 'stated' && to.kind !== 'none')) return undefined;
  const guard = stated(transition.when);
  return {
    name,
    machine,
    from: transition.from.value.map((one) => one.text),
    to: to.kind === 'stated' ? to.value.text : null,
    guard: guard ? compileTemplate(guard.template, environment) : null,
    set: [...(stated(transition.set) ?? [])].flatMap(([field, said]) => {
      const value = stated(said);
      return value ? [[field, compileMade(value.template, said.address, environment)] as const] : [];
    }),
    also: stated(transition.also) ?? [],
    timer: compileTimer(transition, environment, operator),
  };
}

function compileTimer(
  { after, at }: Transition,
  environment: Environment,
  operator: string | undefined,
): Timer | null {
  const moment = stated(at);
  if (moment) return { kind: 'at', run: compileTemplate(moment.template, environment) };
  const span = stated(after);
  if (span?.kind === 'duration') return { kind: 'after', run: () => span.duration.text };
  if (span?.kind === 'expression')
    return { kind: 'after', run: compileTemplate(span.expression.template, environment) };
  return operator === undefined ? null : { kind: 'after', run: () => operator };
}

/** The transitions of which the operator says how long after entry they happen: `Parcel.expire`. */
export function operatorsMoves(specification: Specification): string[] {
  return [...(stated(specification.states) ?? [])].flatMap(([name, said]) => {
    const machine = stated(said);
    return [...(machine ? transitionsIn(machine) : [])].flatMap(([move, { after }]) =>
      stated(after)?.kind === 'operator' ? [`${name.split('.')[0]}.${move}`] : [],
    );
  });
}
