import { once } from '../../source/once.ts';
import { transitionsIn } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Machine, Transition } from '../../specification/vocabulary/parts/states.ts';
import { Unknown } from '../value/value.ts';

/** What is stated and not carried out here; null: nothing. What is not carried out is unknown, never true. */
export const beyond = once(({ does }: Operation, specification: Specification): Unknown | null => {
  const limits = stated(specification.limits);
  const sizes = limits && stated(limits.sizes);
  const machines = [...(stated(specification.states)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const points: readonly (Said<unknown> | undefined)[] = [sizes?.page, ...machines.flatMap(movesByItself)];
  const written = points.filter((said) => said?.kind === 'stated' || said?.kind === 'any');
  const open = does.kind === 'open' ? [does, ...written] : written;
  return open.length > 0 ? new Unknown(new Set(open.map((said) => (said as Said<unknown>).address))) : null;
});

/** A timer that is due after so many milliseconds is not due while the tester looks. */
const soon = 3_600_000;

/** What moves items although nobody asks: handlers, and timers that may be due soon (language §3.1, §3.3). */
function movesByItself(machine: Machine): Said<unknown>[] {
  return [machine.work, ...[...transitionsIn(machine).values()].flatMap(dueSoon)];
}

function dueSoon({ after, at }: Transition): Said<unknown>[] {
  const said = stated(after);
  const isLate =
    said?.kind === 'duration' && (said.duration.milliseconds ?? Number.POSITIVE_INFINITY) >= soon;
  return isLate ? [at] : [after, at];
}
