import { once } from '../../source/once.ts';
import { transitionsIn } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { Unknown } from '../value/value.ts';

/** What is stated and not carried out here; null: nothing. What is not carried out is unknown, never true. */
export const beyond = once(({ does }: Operation, specification: Specification): Unknown | null => {
  const points: readonly (Said<unknown> | undefined)[] = widerWork(specification);
  const written = points.filter((said) => said?.kind === 'stated' || said?.kind === 'any');
  const open = does.kind === 'open' ? [does, ...written] : written;
  return open.length > 0 ? new Unknown(new Set(open.map((said) => (said as Said<unknown>).address))) : null;
});

/** The work of states whose functions may change more than the states of their items (language §I). */
function widerWork(specification: Specification): Said<unknown>[] {
  return [...(stated(specification.states) ?? [])].flatMap(([name, said]) => {
    const machine = stated(said);
    const own = machine && transitionsIn(machine);
    const works = [...((machine && stated(machine.work))?.values() ?? [])].map(stated);
    const isWide = works.some((work) =>
      (stated(work?.may) ?? []).some(
        ({ verb, resource }) => !name.startsWith(`${resource}.`) || !own?.has(verb),
      ),
    );
    return machine && isWide ? [machine.work] : [];
  });
}
