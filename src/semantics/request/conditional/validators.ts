import { stated } from '../../../specification/reading/said.ts';
import type { Conditional } from '../../../specification/vocabulary/endpoint/conditional.ts';
import { absent } from '../../value/evaluate.ts';
import { call } from '../../value/functions.ts';
import { millisecondsOf, secondsOfDate } from '../../value/times.ts';
import { attempt, type Truth } from '../../value/truth.ts';
import { Item, Made, seen, Unknown, unknown, type Value } from '../../value/value.ts';
import type { Moment } from '../../world/moment.ts';
import type { Stored } from '../../world/stored.ts';
import { itemOf } from '../../world/world.ts';
import type { Prediction, Request } from '../prediction.ts';
import { tagOf } from './tags.ts';

/** When an item was last changed (language §4.3, `lastModified`); null: at no time that is known to the service. */
function lastModified({ lastModified: said }: Conditional, stored: Stored, moment: Moment): Value {
  const expression = stated(said);
  const resource = moment.world.specification.resourcesByName.get(stored.resource);
  if (expression === undefined || resource === undefined) return null;
  return attempt(() => moment.value(expression, { this: itemOf(stored, resource) }));
}

/** The text of `Last-Modified`; null: it is not sent. */
export function modifiedDate(conditional: Conditional, stored: Stored, moment: Moment): Value {
  const time = lastModified(conditional, stored, moment);
  return time === null || time instanceof Unknown ? time : attempt(() => call('httpDate', [time], 'time'));
}

/**
 * The seconds since 1970 of a field that names a time; undefined: the field is not there, or is no date. Dates in other
 * forms than that of RFC 9110 are unknown.
 */
export function givenSeconds(field: Value | undefined, { world }: Moment): number | undefined {
  const text = field === undefined ? undefined : seen(field);
  if (text === undefined) return undefined;
  if (typeof text !== 'string') return world.leave(unknown([text]));
  const seconds = secondsOfDate(text);
  return seconds === undefined && /\d/.test(text) ? world.leave(unknown([])) : seconds;
}

/** Whether an item was changed after a second. Without a time, nothing was. */
export function isModifiedAfter(
  seconds: number,
  conditional: Conditional,
  stored: Stored,
  moment: Moment,
): Truth {
  const time = seen(lastModified(conditional, stored, moment));
  if (time === null) return false;
  const shown = time instanceof Made ? time.when?.taken : undefined;
  if (shown) {
    const [least, most] = [shown.least, shown.most].map((ms) => Math.floor(ms / 1000)) as [number, number];
    return least > seconds ? true : most <= seconds ? false : unknown([]);
  }
  const ms = typeof time === 'string' ? millisecondsOf(time) : undefined;
  return ms === undefined ? unknown([time]) : Math.floor(ms / 1000) > seconds;
}

/** The client has what it would be sent (RFC 9110 §15.4.5). */
export function notModified({ operation }: Request, stored: Stored | null, moment: Moment): Prediction {
  const headers = stored ? { etag: tagOf(operation, stored, moment) } : {};
  return { status: [304], headers, body: absent, by: operation.endpoint.conditional.address };
}

/** The tag and the time of an item that an answer shows. To PUT it depends on what was sent (language §4.3, rule 5). */
export function validators(
  { operation }: Request,
  { status }: Prediction,
  moment: Moment,
): Record<string, Value> {
  const item = moment.names['this'];
  const stored = item instanceof Item ? moment.world.stored(item) : undefined;
  const isShown = !(status instanceof Unknown) && status.every((each) => each === 200 || each === 201);
  if (!isShown || stored === undefined || operation.method === 'PUT') return {};
  const tag = tagOf(operation, stored, moment);
  const conditional = stated(operation.endpoint.conditional);
  const date = conditional ? modifiedDate(conditional, stored, moment) : null;
  return { ...(tag !== null && { etag: tag }), ...(date !== null && { 'last-modified': date }) };
}
