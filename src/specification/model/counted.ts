import { expressionsIn } from '../../expression/template.ts';
import { isSaid, type Said, stated } from '../reading/said.ts';
import type { Share } from '../vocabulary/parts/limits.ts';
import type { Operation } from './operation.ts';
import type { Specification } from './specification.ts';
import { readsActor } from './workings.ts';

/** What is counted of requests: whose together, and which (language §8.1, §8.2). */
export type Counting = Pick<Share, 'allow' | 'per' | 'operations' | 'when'> & {
  readonly every?: Said<number>;
};

/** Whether it is told of an operation's requests how many there may be, in what time, and whose are counted together. */
export function counts({ allow, every, per, operations, when }: Counting, operation: Operation): boolean {
  if (allow.kind !== 'stated' || (every && every.kind !== 'stated') || !isSaid(per)) return false;
  if (when.kind === 'open' && when.question !== null) return false;
  return stated(operations)?.some(({ text }) => text === operation.name) ?? true;
}

/** Whether a rate, or a bound on what runs at once, counts an operation's requests. */
export function isAnyCounted(of: Limited, operation: Operation): boolean {
  return countedBy(of, operation).length > 0;
}

/** Whether it takes to know who asks to count an operation's requests. */
export function countsByActor(of: Limited, operation: Operation): boolean {
  return countedBy(of, operation).some((one) => {
    const per = stated(one.per);
    const read = [stated(one.when), per?.kind === 'expression' ? per.expression : undefined];
    const readsIt = read.some((made) => made && expressionsIn(made.template).some(readsActor));
    return per?.kind === 'actor' || readsIt;
  });
}

type Limited = Pick<Specification, 'limits'>;

/** The rates and bounds that count an operation's requests. */
function countedBy({ limits }: Limited, operation: Operation): readonly Counting[] {
  const part = stated(limits);
  const said: readonly Said<Counting>[] = [
    ...((part && stated(part.rates))?.values() ?? []),
    ...((part && stated(part.concurrency))?.values() ?? []),
  ];
  return said.flatMap((one) => stated(one) ?? []).filter((one) => counts(one, operation));
}
