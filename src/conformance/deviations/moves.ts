import { afterTimers } from '../../semantics/request/due.ts';
import { isTimed, transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Machine } from '../../specification/vocabulary/parts/states.ts';
import { changed } from './changed.ts';
import { type Deviation, type Kind, keyOf, stating, wrapping } from './deviation.ts';
import { isRecord } from './record.ts';

/** A move from a further state, or to another one; one by itself after which something is left undone (language §3.1). */
export const moves: Kind = (said, specification) => {
  if (keyOf(said) === 'ifDeleted') return expiring(said, specification);
  const [, name] = /^states\["([^"]+)"\]/.exec(said.address) ?? [];
  const machine = name === undefined ? undefined : stated(stated(specification.states)?.get(name));
  if (!machine || said.kind !== 'stated') return [];
  return othersOf(said, statesIn(machine)).map(({ says, value }) => ({
    said,
    says,
    operation: null,
    implementation: stating(specification, said, { ...said, value }),
  }));
};

/** What time deletes is deleted, and what refers to it stays as it is (language §2.2, rule 8). */
function expiring(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const { resourcesByName, states } = specification;
  const fields = [...resourcesByName.values()].flatMap((resource) => [...resource.fields.values()]);
  const refers = stated(fields.find(({ ifDeleted }) => ifDeleted === said)?.refers);
  const machines = [...(stated(states) ?? [])].filter(([name]) => name.startsWith(`${refers?.resource}.`));
  const expires = machines.some(([, machine]) => {
    const moved = [...(stated(machine) ? transitionsIn(stated(machine) as Machine).values() : [])];
    return moved.some((move) => isTimed(move) && move.to.kind === 'none');
  });
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
