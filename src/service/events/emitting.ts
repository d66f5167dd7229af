import { compileTemplate, type Frame } from '../../expression/compile.ts';
import { worked } from '../../expression/values.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { environmentOf, type Writers } from '../content/render.ts';
import { Unsent } from '../message/reply.ts';
import { forEach } from '../store/reads.ts';
import { type Doing, isClear, itemOf, lastKnown } from '../transaction/doing.ts';
import type { Done } from '../transaction/done.ts';
import type { Told } from '../transaction/told.ts';
import { nameOf } from '../transaction/written.ts';
import { cloudEvent, compileEnvelope } from './envelope.ts';
import { type Event, eventNames, eventTable, rowOf } from './event.ts';
import { compileKinds, type Kind } from './kinds.ts';
import type { OlderContents } from './payloads.ts';
import { type Dispatch, dispatch, notesOf } from './ways.ts';

/** Stores events in the transaction of the changes that they tell of (language §6.1). */
export interface Emitting {
  /** Whether any kind names this operation or transition. */
  readonly names: (by: string) => boolean;
  /** Emits what the changes come to, once all of them are made. */
  readonly settle: (doing: Doing, done: Done | null) => void;
}

/** @param stored told, in the transaction, that there is one more */
export function compileEmitting(
  events: Events,
  {
    writers,
    isActorOpen,
    fault,
  }: { readonly writers: Writers; readonly isActorOpen: boolean; readonly fault: (error: unknown) => void },
  ways: readonly Dispatch[],
  olderContents: OlderContents | null,
  stored: () => void,
): Emitting {
  const kinds = compileKinds(events, writers, isActorOpen);
  const named = new Set(kinds.flatMap(({ by }) => by));
  const envelope = compileEnvelope(events, writers);
  const source = stated(events.source);
  const sourceOf = source ? compileTemplate(source.template, environmentOf(writers)) : () => null;
  const emit = (doing: Doing, kind: Kind, told: Told): void => {
    const { by, kept, before, after } = told;
    const { tx, now } = doing;
    const row = after ?? before;
    const item = kept && row ? itemOf(doing, kept, row) : null;
    const old = kept && before ? itemOf(doing, kept, before) : null;
    // It reads nothing of the request, so that a timer's events are as any other's.
    const frame = doing.frame({ request: null, this: item, old, event: { by } });
    const lost = (what: string) => (error: unknown) =>
      fault(new Unsent(`event ${kind.name}: ${what}`, error));
    if (kind.when && worked(() => kind.when?.(frame), lost('not emitted')) !== true) return;
    const undelivered = lost('stored and not delivered');
    const body = kind.body && worked(() => kind.body?.(frame), undelivered);
    const bare = {
      id: frame.makers.uuid(7),
      kind: kind.name,
      by,
      at: now,
      source: textOf(worked(() => sourceOf(frame), lost('without source'))),
      subject: textOf(worked(() => kind.subject?.(frame), lost('without subject'))),
      body: body ?? null,
    };
    let known: Frame | undefined;
    const about = (): Frame => {
      known ??= { ...frame, names: { service: frame.names['service'], event: eventNames(bare, item) } };
      return known;
    };
    const isOpen = body === undefined || envelope === null;
    const content = isOpen ? null : (worked(() => envelope(bare, about), undelivered) ?? null);
    const isSent = content !== null && ways.length > 0;
    const notes = isSent ? notesOf(ways, about(), item) : undefined;
    const versions = content === null ? undefined : olderContents?.(doing, told, bare, content);
    const event: Event = {
      ...bare,
      item: kept && row ? [kept.name, ...row.key] : null,
      content,
      versions,
      ways: notes,
    };
    tx.insert(eventTable.name, rowOf(event, envelope === cloudEvent));
    if (isSent) dispatch(ways, doing, event, about());
    stored();
  };
  return {
    names: (by) => named.has(by),
    settle: (doing, done) => {
      if (!isClear(doing)) return;
      forEach(doing.tx, changesOf(doing, done), (group) => {
        for (const kind of kinds)
          for (const by of kind.by) {
            const told = group.find((one) => one.by === by);
            if (told === undefined) continue;
            emit(doing, kind, told);
            break;
          }
      });
    },
  };
}

/** The changes in the order in which they were made; a move that is what an operation does is one with it. */
function changesOf(doing: Doing, done: Done | null): (readonly Told[])[] {
  const { moved, written } = doing.found;
  if (done === null) return moved.map((one) => [one]);
  const [only] = done.told;
  if (only && done.told.length === 1 && moved.length === 0) return [[latestOf(doing, only)]];
  const isElse = done.told.length === 0 && !written.isEmpty;
  const own = new Map(
    (isElse ? [done.otherwise] : done.told).map((one, index) => [
      named(one) ?? String(index),
      latestOf(doing, one),
    ]),
  );
  const within = moved.slice(0, done.moves).map((one) => {
    const name = named(one) as string;
    const operation = own.get(name);
    own.delete(name);
    return operation ? [operation, one] : [one];
  });
  return [
    ...within,
    ...[...own.values()].map((one) => [one]),
    ...moved.slice(done.moves).map((one) => [one]),
  ];
}

function named({ kept, before, after }: Told): string | null {
  const row = after ?? before;
  return kept && row ? nameOf(kept, row.key) : null;
}

/** What follows in `also` is part of the operation. */
function latestOf(doing: Doing, told: Told): Told {
  const { kept, after } = told;
  return kept && after ? { ...told, after: lastKnown(doing, kept, after) } : told;
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
