import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import type { Items } from '../schemas/items.ts';
import { schemaOfValue } from '../schemas/values.ts';
import { durationWords } from '../wording/duration.ts';
import { receiverOf } from '../wording/events.ts';
import { further, type Line, line, listed, openLine, standingOf, written } from '../wording/line.ts';
import { statedLine } from './limits.ts';
import { type MemberRow, rowsOf } from './member-rows.ts';

/** A kind of event. */
export interface EventEntry {
  readonly name: string;
  /** What emits it, and when. */
  readonly says: readonly Line[];
  readonly rows: readonly MemberRow[];
}

export interface EventsEntry {
  readonly kinds: readonly EventEntry[];
  /** What is put around each, and the ways in which they leave. */
  readonly delivery: readonly { readonly name: string; readonly says: readonly Line[] }[];
  readonly open: readonly Line[];
}

export function eventsEntry(of: Specification, items: Items): EventsEntry {
  const events = stated(of.events);
  if (events === undefined) {
    const open = of.events.kind === 'open' ? [openLine(of.events, 'events')] : [];
    return { kinds: [], delivery: [], open };
  }
  const kinds = stated(events.kinds);
  return {
    kinds: [...(kinds ?? [])].map(([name, said]) => {
      const kind = stated(said);
      if (kind === undefined) return { name, says: [openLine(said, 'what it is')], rows: [] };
      const by = stated(kind.by);
      const body = stated(kind.body);
      return {
        name,
        says: [
          by
            ? line(
                `emitted by ${listed(
                  by.map(({ text }) => text),
                  'or',
                )}`,
                standingOf(kind.by),
              )
            : openLine(kind.by, 'what emits it'),
          ...statedLine('if', kind.when),
          ...(kind.body.kind === 'open' ? [openLine(kind.body, 'its body')] : []),
        ],
        rows: body ? rowsOf(schemaOfValue(body.template, items.values).schema) : [],
      };
    }),
    delivery: [...envelopeEntry(events, kinds !== undefined && kinds.size > 0), ...waysOf(events)],
    open: [
      ...further(of, 'events.kinds', 'further kinds of events'),
      ...(kinds && kinds.size > 0 ? further(of, 'events.delivery', 'further ways of delivery') : []),
    ],
  };
}

function envelopeEntry({ envelope, source }: Events, hasKinds: boolean): EventsEntry['delivery'] {
  if (!hasKinds) return [];
  const name = 'envelope';
  const said = stated(envelope);
  if (said === undefined) {
    const what = envelope.kind === 'open' ? openLine(envelope, 'envelope') : line('the body alone');
    return [{ name, says: [what] }];
  }
  const words = said.kind === 'cloudevents' ? 'CloudEvents 1.0, as JSON' : written(said.template);
  return [{ name, says: [line(words, standingOf(envelope)), ...statedLine('source', source)] }];
}

function waysOf({ delivery }: Events): EventsEntry['delivery'] {
  return [...(stated(delivery) ?? [])].map(([name, said]) => {
    const way = stated(said);
    return { name, says: way ? wayLines(way) : [openLine(said, 'how')] };
  });
}

function wayLines(way: Delivery): readonly Line[] {
  switch (way.kind) {
    case 'stream':
      return [line(`Server-Sent Events at ${receiverOf(way)}`, standingOf(way.stream))];
    case 'broker':
      return [
        ...statedLine('published to the broker, subject', way.broker),
        ...(way.broker.kind === 'open' ? [openLine(way.broker, 'subject at the broker')] : []),
      ];
    case 'webhook': {
      const { retries, timeout, sign, where, success } = way;
      const [pauses, wait, signed, codes] = [stated(retries), stated(timeout), stated(sign), stated(success)];
      const how =
        signed?.kind === 'hmac'
          ? `HMAC in ${stated(signed.header) ?? 'a header field'}`
          : 'Standard Webhooks';
      return [
        line(`posted to ${receiverOf(way)}`, standingOf(way.webhook)),
        ...statedLine('where', where),
        ...(signed ? [line(`signed: ${how}`, standingOf(sign))] : []),
        ...(codes
          ? [
              line(
                `taken as received if answered with ${listed(codes.map(String), 'or')}`,
                standingOf(success),
              ),
            ]
          : []),
        ...(wait === undefined
          ? []
          : [line(`an attempt waits for ${durationWords(wait)}`, standingOf(timeout))]),
        ...(pauses
          ? [line(`sent again after ${listed(pauses.map(durationWords))}`, standingOf(retries))]
          : []),
        ...(retries.kind === 'none' ? [line('sent once', standingOf(retries))] : []),
      ];
    }
  }
}
