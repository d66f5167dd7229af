import type { Json } from '../../source/node.ts';
import { equal } from '../value/compare.ts';
import { millisecondsOf } from '../value/times.ts';
import { type Made, Tag, type Value } from '../value/value.ts';

export function isMade(made: Made, found: Json | undefined): boolean {
  const { form, when } = made;
  if (form === 'integer') return Number.isSafeInteger(found) && isNew(made, found as number);
  if (typeof found === 'string' && !isNew(made, found)) return false;
  if (form !== 'time' || typeof found !== 'string')
    return typeof found === 'string' && patternOf([made]).test(found);
  const time = millisecondsOf(found);
  return time !== undefined && (when === null || (time >= when.shown.least && time <= when.shown.most));
}

/**
 * These never come twice: the numbers of a sequence, texts that nobody can guess (language §G.4), and the tag of another
 * payload of the item (§4.3, rule 2).
 */
export function isNew(made: Made, found: string | number): boolean {
  if (made instanceof Tag) return !made.shownBefore(found).some((other) => isOfAnother(other, made));
  const isOnce = made.form === 'integer' || ['uuid', 'random'].includes(made.series);
  return !isOnce || !made.wasShown(found);
}

/** Made values of one series may be tags of other items. */
function isOfAnother(other: Made, { handle, payload, version }: Tag): boolean {
  const isOfItem = other instanceof Tag && other.handle === handle && other.version === version;
  return isOfItem && equal(other.payload, payload) === false;
}

/** Between which times a made one lies, as far as that is known. */
export function timesOf({ when }: Made): string {
  const written = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : 'any time');
  return when === null ? '' : `, ${written(when.shown.least)} to ${written(when.shown.most)}`;
}

/** A text as a regular expression that it alone fits. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

export function isNumeral(text: string | undefined): boolean {
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text);
}

/** What a text of these pieces looks like, with a group for each that is made. */
export function patternOf(pieces: readonly (string | Made)[]): RegExp {
  const groups = pieces.map((piece) =>
    typeof piece === 'string' ? escaped(piece) : piece.form === 'integer' ? '(-?\\d+)' : `(${piece.looks})`,
  );
  return new RegExp(`^${groups.join('')}$`, 's');
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** A time is compared as an instant, not as a text (language §F.1). */
export function isSameInstant(value: Value, found: Json | undefined): boolean {
  if (typeof value !== 'string' || typeof found !== 'string') return false;
  return dateTime.test(value) && dateTime.test(found) && Date.parse(value) === Date.parse(found);
}
