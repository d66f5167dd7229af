import type { Operation } from '../../../specification/model/operation.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { Conditional } from '../../../specification/vocabulary/endpoint/conditional.ts';
import { existingItem } from '../../change/existing.ts';
import { type Refusal, refusal } from '../../change/refusal.ts';
import { some, type Truth } from '../../value/truth.ts';
import { isObject, type Members, NotComputable, seen, unknown, type Value } from '../../value/value.ts';
import type { Moment } from '../../world/moment.ts';
import type { Stored } from '../../world/stored.ts';
import { boundFields } from '../given/bound.ts';
import type { Request } from '../prediction.ts';
import { isOneTag } from './comparison.ts';
import { rangeRefusals } from './ranges.ts';
import { tagOf } from './tags.ts';
import { givenSeconds, isModifiedAfter } from './validators.ts';

/** What preconditions come to: a refusal, or that the client has what it would be sent (304). */
export interface Judged {
  readonly refusals: readonly Refusal[];
  readonly isUnmodified: boolean;
}

const passed: Judged = { refusals: [], isUnmodified: false };

/** Judges preconditions, and the range that is asked for (condition 11; language §4.3; RFC 9110 §13.2.2). */
export function preconditions(request: Request, found: Stored | null, moment: Moment): Judged {
  const conditional = stated(request.operation.endpoint.conditional);
  if (conditional === undefined) return passed;
  const judged = judgedByFields(conditional, request, found, moment);
  const isMet = judged.refusals.length === 0 && !judged.isUnmodified;
  return isMet ? { ...passed, refusals: rangeRefusals(request, found, moment) } : judged;
}

function judgedByFields(
  conditional: Conditional,
  request: Request,
  found: Stored | null,
  moment: Moment,
): Judged {
  const isOfMany = stated(request.operation.does)?.verb === 'list';
  const isAsked = ['if-match', 'if-none-match'].some((name) => request.headers[name] !== undefined);
  // The tag of a list is that of what the answer shows.
  if (isOfMany && isAsked) moment.world.leave(unknown([]));
  const stored = found ?? existing(request, moment);
  const [ifMatch, ifNoneMatch] = ['if-match', 'if-none-match'].map((name) => request.headers[name]);
  const allowsMatch = stated(conditional.ifMatch);
  const allowsNone = stated(conditional.ifNoneMatch) !== undefined;
  const hasOne = ifMatch !== undefined || (allowsNone && ifNoneMatch !== undefined);
  if (allowsMatch === 'required' && stored !== null && !hasOne)
    return { ...passed, refusals: [refusal('precondition missing')] };
  const isDated = stated(conditional.ifUnmodifiedSince) === 'required' && stored !== null;
  if (isDated && givenSeconds(request.headers['if-unmodified-since'], moment) === undefined)
    return { ...passed, refusals: [refusal('precondition missing')] };
  const tag = stored ? comparedTag(request.operation, stored, moment) : null;
  const isWeak = stated(conditional.compare) === 'weak';
  if (allowsMatch && ifMatch !== undefined && !moment.world.decide(matches(ifMatch, tag, isWeak, moment)))
    return { ...passed, refusals: [refusal('precondition failed')] };
  const byTime = judgedByTime(conditional, request, stored, moment);
  if (byTime === 'failed') return { ...passed, refusals: [refusal('precondition failed')] };
  if (byTime === 'unmodified') return { refusals: [], isUnmodified: true };
  if (!allowsNone || ifNoneMatch === undefined) return passed;
  if (!moment.world.decide(matches(ifNoneMatch, tag, true, moment))) return passed;
  const isReading = ['GET', 'HEAD'].includes(request.operation.method);
  return isReading
    ? { refusals: [], isUnmodified: true }
    : { ...passed, refusals: [refusal('precondition failed')] };
}

/** Whether a precondition needs a tag that cannot be computed, nobody states: `*` does not name it. */
function comparedTag(operation: Operation, stored: Stored, moment: Moment): Value {
  try {
    return tagOf(operation, stored, moment);
  } catch (error) {
    if (!(error instanceof NotComputable) || moment.world.decide(unknown([]))) throw error;
    return unknown([]);
  }
}

/** Whether a precondition by a time fails, and whether the client has what it would be sent (RFC 9110 §13.2.2). */
function judgedByTime(
  conditional: Conditional,
  { headers, operation }: Request,
  stored: Stored | null,
  moment: Moment,
): 'failed' | 'unmodified' | 'passed' {
  const isReading = ['GET', 'HEAD'].includes(operation.method);
  const isPreceded = (name: string, said: Said<unknown>): boolean =>
    stated(said) !== undefined && headers[name] !== undefined;
  const seconds = (name: string, said: Said<unknown>): number | undefined =>
    stated(said) === undefined ? undefined : givenSeconds(headers[name], moment);
  const { ifUnmodifiedSince, ifModifiedSince, ifMatch, ifNoneMatch } = conditional;
  const unmodified = isPreceded('if-match', ifMatch)
    ? undefined
    : seconds('if-unmodified-since', ifUnmodifiedSince);
  const modified =
    isPreceded('if-none-match', ifNoneMatch) || !isReading
      ? undefined
      : seconds('if-modified-since', ifModifiedSince);
  if (unmodified === undefined && modified === undefined) return 'passed';
  // Without a statement of when the item was changed, the service says that it cannot tell (language §4.3).
  if (stated(conditional.lastModified) === undefined || stated(operation.does)?.verb === 'list')
    return moment.world.leave(unknown([]));
  if (stored === null) return 'passed';
  const isAfter = (since: number): boolean =>
    moment.world.decide(isModifiedAfter(since, conditional, stored, moment));
  if (unmodified !== undefined && isAfter(unmodified)) return 'failed';
  return modified !== undefined && !isAfter(modified) ? 'unmodified' : 'passed';
}

/** The item that `create` is about (language §4.3, rule 8). */
function existing(request: Request, moment: Moment): Stored | null {
  const change = stated(request.operation.does);
  const { subject } = request.operation;
  if (change?.verb !== 'create' || subject === null) return null;
  const { body } = moment.names['request'] as Members;
  const given = isObject(body ?? null) ? (body as Members) : {};
  return existingItem(subject, { ...given, ...boundFields(request) }, moment.world);
}

/** Whether a field names the tag; `*` names any (RFC 9110 §8.8.3.2). A strong comparison takes no weak tags. */
function matches(field: Value, tag: Value, isWeak: boolean, { world }: Moment): Truth {
  const given = seen(field);
  if (given === '*') return tag !== null;
  if (tag === null) return false;
  const tags: readonly Value[] = typeof given === 'string' ? given.split(/\s*,\s*/) : [given];
  const isTag = (each: Value): boolean => typeof each !== 'string' || /^(W\/)?"[^"]*"$/.test(each);
  if (!tags.every(isTag)) return world.leave(unknown([]));
  return some(tags, (each) => isOneTag(each, tag, isWeak));
}
