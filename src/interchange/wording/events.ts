import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Kind } from '../../specification/vocabulary/parts/events.ts';
import type { DrawnChange } from './changes.ts';
import { type Line, line, openLine, type Standing, standingOf, written } from './line.ts';

/** A kind of event that an operation emits. */
export interface Emitted {
  /** Null: which kind is open. */
  readonly kind: string | null;
  readonly lines: readonly Line[];
}

/** The kinds of events that name the operation, or a move that it makes (language §6.1). */
export function emittedBy(
  of: Specification,
  operation: Operation,
  changes: readonly DrawnChange[],
): readonly Emitted[] {
  const events = stated(of.events);
  if (events === undefined)
    return of.events.kind === 'open' && of.events.question !== null
      ? [{ kind: null, lines: [openLine(of.events, 'events')] }]
      : [];
  const names = new Set([operation.name, ...changes.flatMap(({ move }) => move ?? [])]);
  return [...(stated(events.kinds) ?? [])].flatMap(([name, said]): Emitted[] => {
    const kind = stated(said);
    if (kind === undefined) return [];
    return stated(kind.by)?.some(({ text }) => names.has(text))
      ? [{ kind: name, lines: emission(name, kind, standingOf(said, kind.by)) }]
      : [];
  });
}

function emission(name: string, { when, body }: Kind, standing: Standing): readonly Line[] {
  const condition = stated(when);
  return [
    line(`emits ${name}`, standing),
    ...(condition ? [line(`if ${written(condition)}`, standingOf(when))] : []),
    ...(isAsked(when) ? [openLine(when, 'if')] : []),
    ...(body.kind === 'open' ? [openLine(body, 'its body')] : []),
  ];
}

/** Who receives what is delivered. */
export function receiverOf(way: Delivery): string {
  switch (way.kind) {
    case 'webhook': {
      const held = stated(way.webhook);
      if (held === undefined) return '(open) webhook';
      return held.kind === 'operator' ? "operator's address" : `${held.resource}.${held.field}`;
    }
    case 'stream':
      return stated(way.stream)?.text ?? '(open) stream';
    case 'broker': {
      const subject = stated(way.broker);
      return subject ? `broker: ${written(subject)}` : '(open) broker';
    }
  }
}
