import { worked } from '../../expression/values.ts';
import type { Judge } from '../judge/judge.ts';
import type { Refusals } from '../judge/refusals.ts';
import { refuse } from '../message/refusal.ts';
import { itemsFound } from '../transaction/found.ts';
import type { Request } from './request.ts';

/**
 * The conditions that rows of part 7 state themselves (language §H.4, 15).
 *
 * @param names those that the path of the operation binds
 */
export function rowJudges({ own }: Refusals, names: readonly string[]): readonly Judge<Request>[] {
  return own.map((row) => rowJudge(row, names));
}

function rowJudge(
  { code, run, reads, follows }: Refusals['own'][number],
  names: readonly string[],
): Judge<Request> {
  // A function may read every item that is found, and is asked only where all of them are.
  const isFree = reads === null;
  const about = [...names, 'this', 'old'].filter((name) => isFree || reads.has(name));
  const readsKept = (name: string): boolean => name === 'now' || name === 'actor' || isResource(name);
  const refusal = [{ ...refuse('expression'), code }];
  return {
    condition: 'expression',
    code,
    kept: isFree || follows || about.length > 0 || [...reads].some(readsKept),
    byChange: false,
    refuses: ({ within, frame }) => {
      const known = about.length > 0 && within ? itemsFound(within.doing, within.found()) : {};
      const isMissing = isFree
        ? (within?.found().missing.length ?? 0) > 0
        : about.some((name) => (known[name] ?? null) === null);
      if (isMissing) return [];
      // An expression that cannot be worked out refuses nothing (language §H.4).
      return worked(() => run(frame(known))) === true ? refusal : [];
    },
  };
}

/** A name with a capital letter is a resource, and stands for the set of its items (language §G.2). */
function isResource(name: string): boolean {
  return /^[A-Z]/.test(name);
}
