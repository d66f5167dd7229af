import { once } from '../../source/once.ts';
import { stated } from '../reading/said.ts';
import type { Change } from '../vocabulary/change.ts';
import { transitionsIn } from './machine.ts';
import type { Operation } from './operation.ts';
import type { Specification } from './specification.ts';

/** What an operation changes: what it does, and what follows (language §4.3, `does` and `also`). */
export function changesOf({ does, endpoint }: Pick<Operation, 'does' | 'endpoint'>): readonly Change[] {
  return [stated(does) ?? [], stated(endpoint.also) ?? []].flat();
}

/** The changes that operations and transitions ask for. */
export const changesIn = once(({ operations, states }: Specification): readonly Change[] => {
  const moves = [...(stated(states)?.values() ?? [])].flatMap((said) => {
    const machine = stated(said);
    return machine ? [...transitionsIn(machine).values()] : [];
  });
  return [...operations.flatMap(changesOf), ...moves.flatMap(({ also }) => stated(also) ?? [])];
});
