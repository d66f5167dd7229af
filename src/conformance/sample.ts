import type { Operation } from '../specification/operation.ts';
import { stated } from '../specification/said.ts';
import type { Header } from './http.ts';
import { keyOf } from './item.ts';
import type { Item } from './partly.ts';
import { create, perform, someItem, spare } from './perform.ts';
import { bodyFor } from './request.ts';
import { bodyOf } from './schema.ts';
import type { Done, Trial } from './trial.ts';

/** Whether an operation is about one item that its path singles out. */
export function isAboutOne(operation: Operation): boolean {
  return [...operation.bindings.values()].some((binding) => binding.kind === 'subject');
}

/** A usual request to an operation, within all that is stated; a list or a page of nothing is one, too. */
export async function sample(
  trial: Trial,
  operation: Operation,
  headers: readonly Header[] = [],
): Promise<Done> {
  const { subject } = operation;
  const verb = stated(operation.does)?.verb;
  if (verb === 'create')
    return await create(trial, operation, bodyFor(trial, operation, 'most'), { headers });
  const body = bodyFor(trial, operation, 'most');
  const item = subject && isAboutOne(operation) ? await someItem(trial, subject) : undefined;
  return await perform(trial, operation, {
    headers,
    ...(item && { item }),
    ...(body !== undefined && { body }),
  });
}

/** A request to an operation that is refused if anything is, and what makes it so; null where nothing would. */
export function refusable(
  trial: Trial,
  operation: Operation,
): ((headers: readonly Header[]) => Promise<Done>) | null {
  const { subject, request } = operation;
  const creates = stated(operation.does)?.verb === 'create';
  if (subject && isAboutOne(operation) && !creates)
    return (headers) =>
      perform(trial, operation, { headers, item: keyOf(trial, subject), ...withBody(trial, operation) });
  if (bodyOf(trial.of, operation) !== null)
    return (headers) => create(trial, operation, undefined, { headers, raw: '{"' });
  const query = request && stated(stated(request.others)?.query);
  return query === 'refuse' ? (headers) => perform(trial, operation, { headers, query: 'unstated=1' }) : null;
}

function withBody(trial: Trial, operation: Operation) {
  const body = bodyFor(trial, operation, 'most');
  return body === undefined ? {} : { body };
}

/** The item that a path is about, for requests that change nothing; undefined where it is about none. */
export async function itemFor(trial: Trial, operation: Operation): Promise<Item | undefined> {
  const { subject } = operation;
  if (!subject || !isAboutOne(operation)) return undefined;
  return stated(operation.does)?.verb === 'create' ? keyOf(trial, subject) : await spare(trial, subject);
}
