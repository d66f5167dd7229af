import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { openHolds } from '../../specification/openness/holds.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { bodyOf } from '../body.ts';
import { ifReached, Unreached } from '../check.ts';
import { answerFound, succeeded } from '../guards.ts';
import { keysGiven, renewed } from '../keys.ts';
import type { Item } from '../partly.ts';
import { create, perform, readBack } from '../perform.ts';
import { populated } from '../referring.ts';
import { machinesOf } from '../states/machines.ts';
import { noteSince, type Since, sinceOf } from '../states/since.ts';
import type { Attempt, Done, Trial } from '../trial.ts';
import { isWait, type Step, statesOf, type Way } from './tree.ts';

/** Takes an item, or a new one, through requests. Throws `Unreached` where one of them does not lead where it should. */
export async function goOn(
  trial: Trial,
  resource: Resource,
  from: Item | undefined,
  steps: readonly Step[],
  more: Attempt = {},
): Promise<Item> {
  let item = from;
  for (const { operation, body: usual, foreseen } of steps) {
    item &&= await populated(trial, operation, item);
    const body = withNewKeys(trial, operation, usual);
    const earliestMs = trial.now();
    const since = item && sinceOf(item);
    const done: Done = item
      ? await perform(trial, operation, { item, ...(body !== undefined && { body }), ...more })
      : await create(trial, operation, body, more);
    if (succeeded(done.exchange, operation).value !== true || done.item === null)
      throw new Unreached(
        `no ${resource.name} could be brought there: ${operation.key} gave ${answerFound(done.exchange)}`,
        openHolds(trial.of, operation),
      );
    const entered = { earliestMs, latestMs: trial.now() };
    item = await refreshed(trial, done, done.item);
    const [wanted, found] = [foreseen.after && statesOf(trial, foreseen.after), statesOf(trial, item)];
    if (found.includes('null') === false && wanted !== found)
      throw new Unreached(`after ${operation.key} the ${resource.name} is in ${found}, and not in ${wanted}`);
    const fields = since
      ? foreseen.moves.map((move) => move.of.field)
      : machinesOf(trial.of, resource).map(({ field }) => field);
    noteSince(item, new Map([...(since ?? []), ...fields.map((field): [string, Since] => [field, entered])]));
  }
  if (item === undefined) throw new Unreached(`no operation that can be exercised creates ${resource.name}`);
  return item;
}

/** Whether the first request makes the item; if not, it comes by itself. */
export function isMade([first]: Way): boolean {
  return first !== undefined && !isWait(first) && stated(first.operation.does)?.verb === 'create';
}

/**
 * The same body with an identifier that was not used before, and with what else no two items may have, where the client
 * gives them.
 *
 * @param but members that are to stay as they are
 */
export function withNewKeys(
  trial: Trial,
  operation: Operation,
  body: Json | undefined,
  but: readonly string[] = [],
): Json | undefined {
  const model = bodyOf(trial.of, operation);
  if (model === null || body === undefined) return body;
  const keys = keysGiven(operation, model).filter((name) => !but.includes(name));
  return renewed(trial, model, keys, body);
}

/** The item as it is known after a request, read again where the answer does not show it. */
export async function refreshed(trial: Trial, done: Done, item: Item): Promise<Item> {
  if (done.shown !== undefined) return item;
  const back = await ifReached(() => readBack(trial, item));
  return back?.shown !== undefined && back.item ? back.item : item;
}
