import type { Operation } from '../../specification/model/operation.ts';
import type { Said } from '../../specification/reading/said.ts';
import type { Seen, Statement } from '../check.ts';
import { header } from '../http.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import type { Attempt, Done, Trial } from '../trial.ts';

export const cite = ({ address, at }: Said<unknown>): Statement => ({ address, at });
export const past = 'Sun, 06 Nov 1994 08:49:37 GMT';
export const future = 'Fri, 31 Dec 2999 23:59:59 GMT';

export const tagIn = ({ exchange }: Seen): string | undefined => header(exchange.response, 'etag');

/** Asks for an operation on an item as it usually is asked for. */
export async function ask(trial: Trial, operation: Operation, item: Item, more: Attempt = {}): Promise<Done> {
  const body = bodyFor(trial, operation, 'most');
  return await perform(trial, operation, { item, ...(body !== undefined && { body }), ...more });
}
