import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { ownConditions } from '../guards.ts';
import { membersOf } from '../item.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import type { Schema } from '../schema.ts';
import { workOut } from '../solve.ts';
import type { Trial } from '../trial.ts';
import { foresee } from './foresee.ts';
import { turnings } from './hints.ts';
import { atTurns } from './turns.ts';

/** How many are made by chance before members are brought to where what refuses them turns. */
const byChance = 20;

/**
 * What may be given to an operation, and is not known to be refused for what it holds; where none such is found, what
 * is refused last.
 *
 * @param schema what it has to be
 * @param make another by chance
 * @param item what it is given for; null: something new, to which members may be added
 * @param kept members that stay as they are made
 */
export function fitting(
  trial: Trial,
  operation: Operation,
  schema: Schema,
  make: () => Json,
  item: Item | null = null,
  kept: readonly string[] = [],
): Json {
  const judged = (given: Json): Tried => ({ given, ...judgedBy(trial, operation, given, item) });
  let best = judged(make());
  for (let tried = 1; tried < byChance && best.isRefused; tried++) {
    const given = make();
    if (given === best.given) break;
    const next = judged(given);
    if (!next.isRefused || next.place > best.place) best = next;
  }
  if (!best.isRefused) return best.given;
  let unsure: Json | undefined;
  // What is judged first is mended first, and may stand last.
  for (const turning of [...turnings(trial.of), ...turnings(trial.of)]) {
    const members = membersOf(best.given);
    for (const one of members ? atTurns(trial, schema, members, turning, item, kept) : []) {
      const next = judged(one);
      if (next.place === never) return one;
      if (!next.isRefused) unsure ??= one;
      if (next.place > best.place) best = next;
    }
  }
  return unsure ?? best.given;
}

interface Tried {
  readonly given: Json;
  /** Whether it is known to be refused. */
  readonly isRefused: boolean;
  /** At which place among what is judged it is not known to stand; `never` where it stands before all. */
  readonly place: number;
}

const never = Number.POSITIVE_INFINITY;

/** By an expression of one's own first, then by what should hold. */
function judgedBy(
  trial: Trial,
  operation: Operation,
  given: Json,
  item: Item | null,
): Pick<Tried, 'isRefused' | 'place'> {
  const { of } = trial;
  const names = namesFor(trial, { operation, request: null, given, item });
  if (ownConditions(of, operation).some(({ condition }) => workOut(condition.template, names) === true))
    return { isRefused: true, place: -1 };
  const { judged, free } = foresee(of, operation, names);
  const first = judged.findIndex(({ holds }) => holds.value !== false);
  return { isRefused: free.value === false, place: first === -1 ? never : first };
}
