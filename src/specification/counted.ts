import { expressionsIn } from '../expression/template.ts';
import type { Operation } from './operation.ts';
import type { Share } from './parts/limits.ts';
import { isSaid, type Said, stated } from './said.ts';
import type { Specification } from './specification.ts';
import { readsActor } from './workings.ts';

/** What is counted of requests: whose together, and which (language §8.1, §8.2). */
type Counting = Pick<Share, 'allow' | 'per' | 'operations' | 'when'> & { readonly every?: Said<number> };

/** Whether it is told of an operation's requests how many there may be, in what time, and whose are counted together. */
export function counts({ allow, every, per, operations, when }: Counting, operation: Operation): boolean {
  if (allow.kind !== 'stated' || (every && every.kind !== 'stated') || !isSaid(per)) return false;
  if (when.kind === 'open' && when.question !== null) return false;
  return stated(operations)?.some(({ text }) => text === operation.name) ?? true;
}

/** Whether it takes to know who asks to count an operation's requests. */
export function countsByActor({ limits }: Pick<Specification, 'limits'>, operation: Operation): boolean {
  const part = stated(limits);
  const counted: readonly Said<Counting>[] = [
    ...((part && stated(part.rates))?.values() ?? []),
    ...((part && stated(part.concurrency))?.values() ?? []),
  ];
  return counted.some((said) => {
    const one = stated(said);
    if (one === undefined || !counts(one, operation)) return false;
    const per = stated(one.per);
    const read = [stated(one.when), per?.kind === 'expression' ? per.expression : undefined];
    const readsIt = read.some((made) => made && expressionsIn(made.template).some(readsActor));
    return per?.kind === 'actor' || readsIt;
  });
}
