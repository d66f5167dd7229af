import { type Said, stated } from '../../specification/reading/said.ts';
import type { Machine } from '../../specification/vocabulary/parts/states.ts';
import { type Kind, keyOf, stating } from './deviation.ts';
import { isRecord } from './record.ts';

/** A move from a further state, or to another one (language §3.1). */
export const moves: Kind = (said, specification) => {
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
      return states.map(({ text }) => ({
        says: `it is ${text}`,
        value: { ...(value as object), template: { kind: 'literal', value: text } },
      }));
    default:
      return [];
  }
}
