import { answeringPath, isSuccess, pausesOf } from '../../semantics/event/receivers.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';
import type { Schema } from '../schema.ts';
import type { Pool } from './pool.ts';

/** How many of a hundred addresses are such that what comes there gets a status of its own. */
const often = 20;

/** Statuses of which a document may say that they are no success: of each class, and redirects. */
const usual = [201, 206, 302, 400, 410, 500, 503];

/** If attempts are over sooner than this, in milliseconds, none is refused after which its item moves. */
const leastMs = 30_000;

/**
 * A value that a body gives to a field. If events are sent to the address in the field, and the document says what follows
 * if they are refused, it is often an address at which they are answered with a success that is stated, or with another status.
 */
export function answering(value: Json, field: Field | undefined, schema: Schema, pool: Pool): Json {
  const statuses = field ? statusesFor(pool.specification, field) : [];
  if (statuses.length === 0 || typeof value !== 'string' || !pool.often(often)) return value;
  const address = `${value.replace(/\/+$/, '')}${answeringPath(pool.random.pick(statuses))}${pool.random.letters(6)}`;
  return pool.fits(schema, address) ? address : value;
}

/** The statuses that a receiver may answer with, half of them failures; none if nothing follows from them. */
const statusesFor = once((specification: Specification, field: Field): readonly number[] => {
  const ways = [...(stated(stated(specification.events)?.delivery)?.values() ?? [])];
  return ways.flatMap((said): number[] => {
    const way = stated(said);
    const to = way?.kind === 'webhook' ? stated(way.webhook) : undefined;
    if (way?.kind !== 'webhook' || to?.kind !== 'field') return [];
    if (to.resource !== field.resource || to.field !== field.name || way.retries.kind === 'open') return [];
    const allMs = (pausesOf(way) ?? []).reduce((sum, ms) => sum + ms, 0);
    // Else nobody knows, for a while after each event, whether the item has moved.
    const isClear = way.exhausted.kind !== 'stated' || allMs >= leastMs;
    const failures = isClear ? usual.filter((status) => !isSuccess(status, way)) : [];
    return [...(stated(way.success) ?? [200, 204]), ...failures];
  });
});
