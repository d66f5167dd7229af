import type { Json } from '../source/node.ts';
import { withArticle } from '../specification/article.ts';
import type { Operation } from '../specification/operation.ts';
import type { Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { ifReached, Unreached } from './check.ts';
import { answerFound, succeeded } from './guards.ts';
import { identityOf, keyOf, type Members, membersOf } from './item.ts';
import { look } from './look.ts';
import type { Item } from './partly.ts';
import { acceptable, type Reason, statusesOf } from './refusal.ts';
import { bodyFor, isAboutOne, keysGiven, renewed, requestTo } from './request.ts';
import { bodyOf } from './schema.ts';
import { type Attempt, type Done, type Entry, operationFor, send, type Trial } from './trial.ts';

/** Sends a request to an operation, and reads what its answer tells. Throws `Unreached` where it cannot be made. */
export async function perform(trial: Trial, operation: Operation, attempt: Attempt = {}): Promise<Done> {
  const exchange = await send(trial, requestTo(trial, operation, attempt));
  const { subject } = operation;
  // What may have been changed is unknown until it is seen again (language §F.3).
  const changes = operation.method !== 'GET' && stated(operation.does)?.verb !== 'create';
  if (subject && changes && succeeded(exchange, operation).value !== false) trial.spares.delete(subject.name);
  return look(trial, operation, attempt, exchange);
}

/** A new item, with these members if they are given. Throws `Unreached` where none can be made. */
export async function make(
  trial: Trial,
  resource: Resource,
  members: Members = {},
): Promise<Done & { readonly item: Item }> {
  const operation = operationFor(trial.of, resource, 'create');
  if (operation === null)
    throw new Unreached(`no operation that can be exercised creates ${withArticle(resource.name)}`);
  const body = bodyFor(trial, operation, 'most');
  const done = await create(trial, operation, body === undefined ? body : { ...membersOf(body), ...members });
  const { item } = done;
  if (item === null || succeeded(done.exchange, operation).value !== true)
    throw new Unreached(
      `no ${resource.name} could be made: ${operation.key} gave ${answerFound(done.exchange)}`,
    );
  if (done.shown !== undefined || identityOf(item) === undefined) return { ...done, item };
  const read = await ifReached(() => readBack(trial, item));
  return { ...done, item: read?.item ?? item, shown: read?.shown };
}

/**
 * Asks for a creation; where the path holds the identifier, the client makes it up. One that turns out to be taken,
 * by a former run or by somebody else, is made up anew.
 */
export async function create(
  trial: Trial,
  operation: Operation,
  body: Json | undefined,
  more: Attempt = {},
): Promise<Done> {
  const { subject } = operation;
  const model = bodyOf(trial.of, operation);
  const keys = model ? keysGiven(operation, model) : [];
  const inPath = subject !== null && isAboutOne(operation);
  let members = body;
  for (let attempts = 1; ; attempts++) {
    const item = inPath ? keyOf(trial.fresh, subject) : undefined;
    const done = await perform(trial, operation, {
      ...(item && { item }),
      ...(members !== undefined && { body: members }),
      ...more,
    });
    const again = (inPath || (keys.length > 0 && !more.keepsKey)) && attempts < 3 && isTaken(trial.of, done);
    if (!again) return done;
    if (model && members !== undefined) members = renewed(trial, model, keys, members);
  }
}

/** Whether an answer says that the identifier is taken: the status of `not unique`, where it is stated. */
export function isTaken(of: Specification, { operation, exchange }: Done): boolean {
  const reason: Reason = { name: 'not unique', subject: operation.subject?.name ?? '', failures: [] };
  const stated = acceptable(of, operation, [reason]).map((refusal) => statusesOf(of, refusal));
  const status = exchange.response?.status ?? 0;
  return stated.some((codes) => (codes.length > 0 ? codes : [409]).includes(status));
}

/** An item to try things on: a new one, or else one that is there. */
export async function someItem(trial: Trial, resource: Resource): Promise<Item> {
  if (operationFor(trial.of, resource, 'create')) return (await make(trial, resource)).item;
  const [first] = (await list(trial, resource)).entries;
  if (first === undefined) throw new Unreached(`there is no ${resource.name}, and no operation creates one`);
  return first.item;
}

/** An item that requests are tried on which should be refused; a new one after any that was not. */
export async function spare(trial: Trial, resource: Resource): Promise<Item> {
  const item = trial.spares.get(resource.name) ?? (await someItem(trial, resource));
  trial.spares.set(resource.name, item);
  return item;
}

/** Asks for the list of a resource's items. Throws `Unreached` where there is no list to see. */
export async function list(
  trial: Trial,
  resource: Resource,
): Promise<Done & { readonly entries: readonly Entry[] }> {
  const operation = operationFor(trial.of, resource, 'list');
  if (operation === null)
    throw new Unreached(`no operation that can be exercised lists every ${resource.name}`);
  const done = await perform(trial, operation);
  const { entries } = done;
  if (entries === null) throw new Unreached(`${operation.key} showed no list: ${answerFound(done.exchange)}`);
  trial.seenLists.set(resource.name, entries);
  return { ...done, entries };
}

/** Asks for one item. Throws `Unreached` where no operation shows one. */
export async function readBack(trial: Trial, item: Item): Promise<Done> {
  const operation = operationFor(trial.of, item.resource, 'read');
  if (operation === null)
    throw new Unreached(`no operation that can be exercised reads ${withArticle(item.resource.name)}`);
  return await perform(trial, operation, { item });
}

/** What is kept of a resource, as far as it can be seen: its list, or else one item of it. */
export async function snapshot(
  trial: Trial,
  resource: Resource,
  item: Item | null,
): Promise<readonly Json[]> {
  if (operationFor(trial.of, resource, 'list')) {
    const entries = trial.seenLists.get(resource.name) ?? (await list(trial, resource)).entries;
    return entries.map(({ shown }) => shown);
  }
  if (item === null) throw new Unreached(`nothing shows what is kept of ${resource.name}`);
  const { shown, exchange } = await readBack(trial, item);
  return shown === undefined ? [answerFound(exchange)] : [shown];
}
