import { equal } from '../../value/compare.ts';
import type { Truth } from '../../value/truth.ts';
import { seen, Text, textOf, Unknown, unknown, type Value } from '../../value/value.ts';

/** Whether two tags are one, by a weak or a strong comparison: a strong one takes no weak tags (RFC 9110 §8.8.3.2). */
export function isOneTag(given: Value, tag: Value, isWeak: boolean): Truth {
  const [a, b] = [plainTag(given), plainTag(tag)];
  if (b instanceof Unknown && b.not.some((each) => equal(each, a) === true)) return false;
  if (a instanceof Unknown || b instanceof Unknown) return unknown([a, b]);
  return !isWeak && (hasWeakMark(given) || hasWeakMark(tag)) ? false : equal(a, b);
}

function hasWeakMark(tag: Value): boolean {
  const text = seen(tag);
  const first = text instanceof Text ? text.pieces[0] : text;
  return typeof first === 'string' && first.startsWith('W/');
}

/** The tag without the mark of a weak one. */
function plainTag(tag: Value): Value {
  if (!hasWeakMark(tag)) return tag;
  const text = seen(tag);
  if (typeof text === 'string') return text.slice(2);
  const [first, ...others] = (text as Text).pieces as [string, ...Text['pieces']];
  return textOf([first.slice(2), ...others]);
}
