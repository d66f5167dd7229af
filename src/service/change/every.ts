import { stated } from '../../specification/reading/said.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { KeptResource } from '../resource/kept.ts';
import { forEach } from '../store/reads.ts';
import type { Row } from '../store/store.ts';
import { type Doing, isClear, itemOf, latest, naming } from '../transaction/doing.ts';
import type { Perform, Performed, Ways } from './perform.ts';

/** What a change of several items came to: of all together, and of the last. Null where it was refused. */
export type Every = (
  doing: Doing,
  kept: KeptResource,
  rows: readonly Row[],
) => { readonly outcome: Outcome; readonly last: Performed | null } | null;

/**
 * Carries a change out for each of several items, as it is by then; one that is gone by then is passed over. What
 * is deleted goes all at once, so that none of them stands in another's way (language §H.2).
 */
export function compileEvery(change: Change, perform: Perform, ways: Ways): Every {
  const { verb, qualifiers } = change;
  const as = stated(qualifiers.as)?.text;
  if (verb === 'delete')
    return (doing, kept, rows) => {
      ways.remove(
        doing,
        kept,
        rows.flatMap((row) => latest(doing, kept, row) ?? []),
      );
      return isClear(doing) ? { outcome: 'deleted', last: null } : null;
    };
  const mayStay = verb === 'update' || verb === 'replace';
  return (doing, kept, rows) => {
    let outcome: Outcome = mayStay ? 'unchanged' : 'changed';
    let last: Performed | null = null;
    forEach(doing.tx, rows, (row) => {
      const now = latest(doing, kept, row);
      if (now === null) return true;
      last = perform(as === undefined ? doing : naming(doing, { [as]: itemOf(doing, kept, now) }), kept, now);
      if (last?.outcome === 'changed') outcome = 'changed';
      return isClear(doing);
    });
    if (!isClear(doing)) return null;
    return { outcome, last };
  };
}
