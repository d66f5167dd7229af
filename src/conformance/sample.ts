import type { Operation } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import type { Refusing } from './answered.ts';
import { bodyOf } from './body.ts';
import { carryOut, freeCourse } from './foresee/course.ts';
import { waitedMs } from './foresee/tree.ts';
import type { Header } from './http.ts';
import { keyOf } from './item.ts';
import { someItem, spare } from './items.ts';
import type { Item } from './partly.ts';
import { create, keyToMake, perform } from './perform.ts';
import { populated } from './referring.ts';
import { bodyFor, isAboutOne } from './request.ts';
import { moveNamed } from './states/machines.ts';
import type { Attempt, Done, Trial } from './trial.ts';

/** A usual request to an operation, within all that is stated, with something about it set. */
export async function sample(trial: Trial, operation: Operation, attempt: Attempt = {}): Promise<Done> {
  const { subject } = operation;
  const item =
    subject && isAboutOne(operation) && !creates(operation)
      ? await readyItem(trial, operation, subject)
      : undefined;
  return await ask(trial, operation, item, attempt);
}

/** An item of which the request is foreseen not to be refused: in the state that it needs. */
export async function readyItem(trial: Trial, operation: Operation, resource: Resource): Promise<Item> {
  const course = isMove(trial, operation, resource) ? freeCourse(trial, operation) : undefined;
  const isWaited = course && waitedMs(trial, course.before) < Number.POSITIVE_INFINITY;
  return isWaited
    ? await populated(trial, operation, await carryOut(trial, resource, course.before))
    : await someItem(trial, resource);
}

/** Whether an operation asks for a transition by its name. */
export function isMove({ of }: Trial, { does }: Operation, resource: Resource): boolean {
  return moveNamed(of, resource, stated(does)?.verb ?? '') !== undefined;
}

/** The same for what should be refused: an item that was not changed serves again. */
export function varied(
  trial: Trial,
  operation: Operation,
  attempt: () => Attempt,
): Pick<Refusing, 'item' | 'send'> {
  const { subject } = operation;
  const send = (item: Item | undefined): Promise<Done> =>
    ask(trial, operation, item, { ...attempt(), stays: true });
  return subject && isAboutOne(operation) && !creates(operation)
    ? { item: () => spare(trial, subject), send }
    : { send };
}

function creates(operation: Operation): boolean {
  return stated(operation.does)?.verb === 'create';
}

async function ask(
  trial: Trial,
  operation: Operation,
  item: Item | undefined,
  attempt: Attempt,
): Promise<Done> {
  const body =
    attempt.raw === undefined && attempt.body === undefined
      ? bodyFor(trial, operation, 'most')
      : attempt.body;
  if (creates(operation)) return await create(trial, operation, body, attempt);
  return await perform(trial, operation, {
    ...(item && { item }),
    ...(body !== undefined && { body }),
    ...attempt,
  });
}

/** A request to an operation that is refused if anything is, and what makes it so; null where nothing would. */
export function refusable(
  trial: Trial,
  operation: Operation,
): ((headers: readonly Header[]) => Promise<Done>) | null {
  const { subject, request } = operation;
  if (subject && isAboutOne(operation) && !creates(operation))
    return (headers) => ask(trial, operation, keyOf(trial.fresh, subject), { headers });
  if (bodyOf(trial.of, operation) !== null)
    return (headers) => create(trial, operation, undefined, { headers, raw: '{"' });
  const query = request && stated(stated(request.others)?.query);
  return query === 'refuse' ? (headers) => perform(trial, operation, { headers, query: 'unstated=1' }) : null;
}

/** The item that a path is about, for requests that change nothing; undefined where it is about none. */
export async function itemFor(trial: Trial, operation: Operation): Promise<Item | undefined> {
  const { subject } = operation;
  if (!subject || !isAboutOne(operation)) return undefined;
  return creates(operation) ? await keyToMake(trial, operation, subject) : await spare(trial, subject);
}
