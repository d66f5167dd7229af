import { changes, permission } from '../change.ts';
import { type Duration, duration, durationOf } from '../duration.ts';
import {
  entry,
  list,
  listOf,
  named,
  placedText,
  type Read,
  record,
  text,
  type Values,
  value,
} from '../reading.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  type PlacedTemplate,
  template,
  textTemplate,
} from '../templates.ts';

/** How long after entry: a time span, the operator's setting, or an expression (language §3.1). */
export type After =
  | { readonly kind: 'duration'; readonly duration: Duration }
  | { readonly kind: 'operator' }
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate };

const after: Read<After> = (node, place, reading) => {
  if (holdsExpression(node) || isHandled(node)) {
    const worked = expression(node, place, reading);
    return worked && { kind: 'expression', expression: worked };
  }
  const written = text(node, place, reading);
  if (written === undefined) return undefined;
  if (written === 'operator') return { kind: 'operator' };
  const found = durationOf(written);
  return found
    ? { kind: 'duration', duration: found }
    : reading.report('bad-duration', node.span, { found: written });
};

const transition = {
  from: value(listOf(placedText)),
  to: value(placedText),
  when: entry(expression),
  set: entry(named(value(template))),
  also: entry(changes),
  after: entry(after),
  at: entry(expression),
  within: entry(duration),
};

/** What is done while an item is in a state, and the moves that it may ask for (language §3.1, §I). */
const work = { handled: value(placedText), may: entry(listOf(permission)) };

/** Part 3: each entry is one machine, named `Resource.field` (language §3). */
const keys = {
  states: value(listOf(placedText)),
  initial: value(textTemplate),
  final: entry(listOf(placedText)),
  transitions: list(named(value(record(transition)), /^[A-Za-z][A-Za-z0-9_-]*$/)),
  work: entry(named(value(record(work)))),
};

export type Transition = Values<typeof transition>;
export type Machine = Values<typeof keys>;
export const read = named(value(record(keys)), /^[A-Z][A-Za-z0-9]*\../);
export type States = Exclude<ReturnType<typeof read>, undefined>;
