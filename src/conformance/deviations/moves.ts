import { afterTimers } from '../../semantics/request/due.ts';
import { among } from '../../semantics/value/compare.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { Timer } from '../../semantics/world/timer.ts';
import { Ways } from '../../semantics/world/ways.ts';
import type { World } from '../../semantics/world/world.ts';
import { isTimed, machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Machine } from '../../specification/vocabulary/parts/states.ts';
import { changed } from './changed.ts';
import {
  type Deviation,
  type Implementation,
  isSuccess,
  type Kind,
  keyOf,
  stating,
  wrapping,
} from './deviation.ts';
import { isRecord } from './record.ts';

/** A move from a further state, or to another one; one by itself after which something is left undone (language §3.1). */
export const moves: Kind = (said, specification) => {
  if (keyOf(said) === 'ifDeleted')
    return [...expiring(said, specification), ...overOnly(said, specification)];
  const [, name] = /^states\["([^"]+)"\]/.exec(said.address) ?? [];
  const machine = name === undefined ? undefined : stated(stated(specification.states)?.get(name));
  if (!machine || said.kind !== 'stated') return [];
  if (keyOf(said) === 'after') return lingering(said, machine, specification);
  return othersOf(said, statesIn(machine)).map(({ says, value }) => ({
    said,
    says,
    operation: null,
    implementation: stating(specification, said, { ...said, value }),
  }));
};

/** The resource and the field whose `ifDeleted` a statement is. */
function referringBy(said: Said<unknown>, { resourcesByName }: Specification): Referring | undefined {
  return [...resourcesByName.values()]
    .flatMap((resource) => [...resource.fields.values()].map((field) => ({ resource, field })))
    .find(({ field }) => field.ifDeleted === said);
}

interface Referring {
  readonly resource: Resource;
  readonly field: Field;
}

/** What refers and is in a final state refuses no deletion (language §2.2, rule 8). */
function overOnly(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const { resource, field } = referringBy(said, specification) ?? {};
  if (!resource || !field || said.kind !== 'stated' || said.value !== 'refuse') return [];
  const lax = stating(specification, said, { ...said, value: 'keep' })();
  const key = field.name;
  return [...machinesOf(specification, resource.name)].flatMap(([state, machine]): Deviation[] => {
    const final = (stated(machine.final) ?? []).map(({ text }) => text);
    if (final.length === 0) return [];
    const isOver = ({ members }: Stored): boolean => among(members.get(state) ?? null, final) === true;
    const wrong =
      (right: Implementation): Implementation =>
      (world, request) => {
        const steps = right(world, request);
        if (steps.some(isSuccess)) return steps;
        const others = lax(world, request);
        const left = others.flatMap(({ world: after }) =>
          after ? severed(world, after, resource.name, key) : [],
        );
        return left.length > 0 && left.every(isOver) ? others : steps;
      };
    return [wrapping(said, specification, `what is ${final.join(' or ')} does not refuse it`, wrong)];
  });
}

/** The items that refer to something else than before. */
function severed(before: World, after: World, resource: string, field: string): readonly Stored[] {
  return after.all(resource).filter((stored) => {
    const former = before.stored(stored);
    return former !== undefined && former.members.get(field) !== stored.members.get(field);
  });
}

/** A timer goes on after its item has left the state, and moves the item if it is in that state again (language §3.3, rule 2). */
function lingering(
  said: Said<unknown>,
  machine: Machine,
  specification: Specification,
): readonly Deviation[] {
  const [name, transition] = [...transitionsIn(machine)].find(([, { after }]) => after === said) ?? [];
  const from = (stated(transition?.from) ?? []).map(({ text }) => text);
  const entering = [...transitionsIn(machine).values()].some(({ to }) =>
    from.includes(stated(to)?.text ?? ''),
  );
  if (name === undefined || !entering) return [];
  const isOf = ({ kind, move }: Timer): boolean => kind === 'after' && move === name;
  const wrong =
    (right: Implementation): Implementation =>
    (world, request) =>
      right(world, request).map((step) => {
        const { world: after } = step;
        if (after === null) return step;
        const left = world.timers.filter(
          (timer) =>
            isOf(timer) &&
            timer.due.least > after.received.at.most &&
            after.stored(timer) !== undefined &&
            !after.timers.includes(timer),
        );
        if (left.length === 0) return step;
        const next = after.fork(new Ways());
        for (const timer of left) next.setTimer(timer);
        return { ...step, world: next };
      });
  return [wrapping(said, specification, 'it goes on after the state was left, and entered again', wrong)];
}

/** What time deletes is deleted, and what refers to it stays as it is (language §2.2, rule 8). */
function expiring(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const refers = stated(referringBy(said, specification)?.field.refers);
  const machines = refers ? [...machinesOf(specification, refers.resource).values()] : [];
  const expires = machines.some((machine) =>
    [...transitionsIn(machine).values()].some((move) => isTimed(move) && move.to.kind === 'none'),
  );
  if (!expires || said.kind !== 'stated' || !['clear', 'delete'].includes(said.value as string)) return [];
  const lax = changed(specification, new Map([[said, { ...said, value: 'keep' }]]));
  const says = 'nothing is done where time deletes';
  return [
    wrapping(
      said,
      specification,
      says,
      (right) => (world, request) =>
        afterTimers(world.under(lax), request.url, (start) => right(start.under(specification), request)) ??
        right(world, request),
    ),
  ];
}

type States = readonly { readonly text: string }[];

function statesIn(machine: Machine): States {
  return stated(machine.states) ?? [];
}

function othersOf(
  said: Said<unknown> & { readonly kind: 'stated' },
  states: States,
): { readonly says: string; readonly value: unknown }[] {
  const { value } = said;
  switch (keyOf(said)) {
    case 'from': {
      const from = value as States;
      const further = states.filter(({ text }) => !from.some((each) => each.text === text));
      return further.map((state) => ({ says: `it is also from ${state.text}`, value: [...from, state] }));
    }
    case 'to': {
      const others = states.filter(({ text }) => isRecord(value) && text !== value['text']);
      return others.map((state) => ({ says: `it leads to ${state.text}`, value: state }));
    }
    case 'initial':
      return states
        .filter(({ text }) => !isText(value, text))
        .map(({ text }) => ({
          says: `it is ${text}`,
          value: { ...(value as object), template: { kind: 'literal', value: text } },
        }));
    default:
      return [];
  }
}

/** Whether a template is a text. */
function isText(value: unknown, text: string): boolean {
  const template = isRecord(value) ? value['template'] : undefined;
  return isRecord(template) && template['kind'] === 'literal' && template['value'] === text;
}
