import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Kind } from '../../specification/vocabulary/parts/events.ts';
import { envelopeOf } from '../event/envelope.ts';
import type { EmittedEvent } from '../event/event.ts';
import { seen, unknown, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';
import { maybeMoved } from './by-itself.ts';
import { type Expected, idOf, judgedEvent, kindOf, type ObservedEvent, together } from './event.ts';
import type { Difference, Judgement } from './judgement.ts';
import { tellsOfOurs } from './ours.ts';
import { mayBeInOrder, paired } from './pairing.ts';

/** What is known when events are judged. */
export interface EventsSeen {
  /** The world by now. */
  readonly world: World;
  /** How long nothing more was expected to come, in milliseconds. Null: more may come. */
  readonly waitedMs: number | null;
  /** The operations of which it is not known what a request emitted. */
  readonly unknownBy: ReadonlySet<string>;
  /** Until when events were awaited, in milliseconds since 1970. Default: until the last request was received */
  readonly untilMs?: number;
}

/** What one event comes to: one that is expected, one that came, or both. */
export interface EventFinding extends Judgement {
  /** Null: none is. */
  readonly expected: Expected | null;
  /** Null: none came. */
  readonly came: ObservedEvent | null;
  /** The id of what came, as far as it is shown. */
  readonly id: string | null;
}

/** Events that came, each with the one that it is, and its id as far as it is shown. */
export interface Pair extends EventFinding {
  readonly expected: Expected;
  readonly came: ObservedEvent;
}

/** What the events come to. */
export interface EventsJudgement extends Judgement {
  readonly pairs: readonly Pair[];
  /** Of all events that are judged; without those that may still come, and those of which nobody knows. */
  readonly findings: readonly EventFinding[];
  /** How many did not come that should. */
  readonly awaited: number;
}

/**
 * Holds the events that came against those that should (language §6.4). Each that came is one that is expected, under an
 * id of its own. What came of the items of others is passed over.
 *
 * @param emitted in the order in which they were emitted
 * @param observed in the order in which they came
 */
export function judgeEvents(
  emitted: readonly EmittedEvent[],
  observed: readonly ObservedEvent[],
  about: EventsSeen,
): EventsJudgement {
  const { world } = about;
  const ways = stated(stated(world.specification.events)?.delivery) ?? [];
  const judgements = [...ways].flatMap(([way, said]) => {
    const delivery = stated(said);
    if (delivery === undefined) return [];
    const came = observed.filter((each) => each.way === way);
    const expected = emitted.flatMap((event) => expectedBy(way, event, world));
    const urls = new Set([...expected, ...came].map(({ url }) => url));
    return [...urls].map((url) =>
      judgedWay(
        onceEach(expected.filter((each) => each.url === url)),
        came.filter((each) => each.url === url),
        { ...about, delivery, address: said.address, all: expected, moves: emitted.filter(isOfMove) },
      ),
    );
  });
  const findings = judgements.flatMap((each) => each.findings);
  const awaited = judgements.reduce((sum, each) => sum + each.awaited, 0);
  const { undetermined, ...judgement } = together(findings);
  return {
    ...judgement,
    // What has not come may still come.
    undetermined: undetermined + (about.waitedMs === null ? awaited : 0),
    findings,
    pairs: judgements.flatMap(({ pairs }) => pairs),
    awaited,
  };
}

/** An event that is expected at an address; null: its way has none. */
interface Addressed extends Expected {
  readonly url: Value;
}

/** An attempt uses the address that the item holds when it is made (language §6.3, rule 22). */
function expectedBy(way: string, event: EmittedEvent, world: World): Addressed[] {
  return event.deliveries
    .filter((delivery) => delivery.way === way)
    .flatMap((delivery): Addressed[] => {
      const url = seen(delivery.url);
      const now = seen((delivery.to && world.stored(delivery.to)?.members.get(delivery.field)) ?? null);
      if (now === url) return [{ event, delivery, url }];
      const perhaps = { event, delivery: { ...delivery, isSent: unknown([]) } };
      return [url, ...(now === null ? [] : [now])].map((each) => ({ ...perhaps, url: each }));
    });
}

/** If several items hold the same address, an event comes there for each of them, under one id. */
function onceEach(expected: readonly Expected[]): readonly Expected[] {
  const sorted = expected.toSorted(
    (a, b) => Number(b.delivery.isSent === true) - Number(a.delivery.isSent === true),
  );
  const first = new Map<EmittedEvent, Expected>();
  for (const each of sorted) if (!first.has(each.event)) first.set(each.event, each);
  return expected.filter((each) => first.get(each.event) === each);
}

/** An event is delivered at least once: what comes again under its id is the same (language §6.3, `order`). */
function withoutRepeats(
  observed: readonly ObservedEvent[],
  idIn: (came: ObservedEvent) => string | null,
): readonly ObservedEvent[] {
  const ids = new Set<string>();
  return observed.filter((event) => {
    const id = idIn(event);
    const isNew = id === null || !ids.has(id);
    if (id !== null) ids.add(id);
    return isNew;
  });
}

/** What is known of one way, to one address. */
interface Way extends EventsSeen {
  readonly delivery: Delivery;
  readonly address: Address;
  /** What is expected by the way at any address. */
  readonly all: readonly Expected[];
  /** What moves emit. A timer may be carried out late, so its event goes to whoever holds an address by then. */
  readonly moves: readonly EmittedEvent[];
}

const isOfMove = ({ by }: EmittedEvent): boolean => by.includes('.');

function judgedWay(
  expected: readonly Expected[],
  all: readonly ObservedEvent[],
  way: Way,
): Pick<EventsJudgement, 'findings' | 'pairs' | 'awaited'> {
  const shown = { envelope: envelopeOf(stated(way.world.specification.events)?.envelope) };
  const idIn = (came: ObservedEvent): string | null =>
    idOf(shown, came) ?? expected.map((each) => judgedEvent(each, came)).find(isRight)?.id ?? null;
  const observed = withoutRepeats(all, idIn);
  const certain = expected.filter(({ delivery }) => delivery.isSent === true);
  const found = paired(expected, observed, isIt, (each) => certain.includes(each));
  const left = observed.filter((came) => ![...found.values()].includes(came) && isOurs(came, way));
  const awaited = certain.filter((each) => !found.has(each));
  const isOver = way.waitedMs !== null && way.waitedMs >= (stated(way.delivery.within) ?? 0);
  // Until then, the right one may still come.
  const wrong = isOver ? wrongPairs(awaited, left) : new Map<Expected, ObservedEvent>();
  const absentees = awaited.filter((each) => !wrong.has(each));
  const pairOf = ([each, came]: [Expected, ObservedEvent]): Pair => {
    const judgements = [
      judgedEvent(each, came),
      ...(found.has(each) ? [verdict(`${each.event.address}.by`, [])] : []),
    ];
    return { ...together(judgements), expected: each, came, id: idIn(came) };
  };
  const pairs = [...found].map(pairOf);
  const unexpectedOnes = left
    .filter((came) => ![...wrong.values()].includes(came))
    .flatMap((came): EventFinding[] => {
      const id = idIn(came);
      const judgement = unexpected({ came, kind: kindOf(shown, came), id }, expected, way);
      return judgement ? [{ ...judgement, expected: null, came, id }] : [];
    });
  const order = ordered(
    certain.filter((each) => found.has(each)),
    observed,
    way,
  );
  return {
    pairs,
    findings: [
      ...pairs,
      ...[...wrong].map(pairOf),
      ...(isOver
        ? absentees.map((each) => ({ ...missing(each), expected: each, came: null, id: null }))
        : []),
      ...unexpectedOnes,
      ...(order ? [{ ...order, expected: null, came: null, id: null }] : []),
    ],
    awaited: awaited.length,
  };
}

function isIt(expected: Expected, came: ObservedEvent): boolean {
  return isRight(judgedEvent(expected, came));
}

function isRight({ differences }: Judgement): boolean {
  return differences.length === 0;
}

function verdict(by: Address, differences: readonly Difference[]): Judgement {
  return { by: [by], differences, determined: 1, undetermined: 0 };
}

function missing({ event: { kind, address, by }, delivery: { way } }: Expected): Judgement {
  const difference = {
    at: `event.${kind}`,
    expected: `an event by ${way}, emitted by ${by}`,
    found: undefined,
    by: `${address}.by`,
  };
  return verdict(difference.by, [difference]);
}

/** An event that came, with its kind and its id as far as they are shown. */
interface Came {
  readonly came: ObservedEvent;
  readonly kind: string | null;
  readonly id: string | null;
}

/** An event that nothing emits, if the lists that say so are closed: of the kinds, and of what emits them. Null: it is not known. */
function unexpected({ came, kind, id }: Came, expected: readonly Expected[], way: Way): Judgement | null {
  const { completeness, events } = way.world.specification;
  const kinds = [...(stated(stated(events)?.kinds) ?? [])];
  const meant = kinds.filter(([name]) => kind === null || kind === name);
  const emitters = meant.map(([, said]) => `${said.address}.by`);
  const lists = kind !== null && emitters.length > 0 ? emitters : ['events.kinds', ...emitters];
  const isClosed = lists.every((list) => completeness.closed(list) !== undefined);
  const isTwice = expected.some((each) => isIt(each, came));
  if (way.moves.some((event) => event.kind === kind && !way.all.some((each) => each.event === event)))
    return null;
  // Without an id, it may be one that is delivered again.
  if (meant.some(([, said]) => mayBeEmitted(stated(said), way)) || !isClosed || (isTwice && id === null))
    return null;
  const at = `event.${kind ?? way.delivery.kind}`;
  const found = came.content;
  const isElsewhere = !isTwice && way.all.some((each) => isIt(each, came));
  if (isElsewhere) {
    const by = `${way.address}.where`;
    return verdict(by, [{ at, expected: 'no event at this address', found, by }]);
  }
  const [by = 'events.kinds'] = lists;
  return verdict(by, [{ at, expected: isTwice ? 'one event for the change' : 'no event', found, by }]);
}

/** Whether something may have emitted a kind of which nobody knows. */
function mayBeEmitted(kind: Kind | undefined, { unknownBy, world, untilMs }: EventsSeen): boolean {
  const transitions = maybeMoved(world, unknownBy, untilMs);
  return ((kind && stated(kind.by)) ?? []).some(({ text }) => {
    const [, transition] = text.split('.');
    return unknownBy.has(text) || (transition !== undefined && transitions.has(transition));
  });
}

/** What one item emits, or everything, comes in the order of the changes (language §6.3, `order`). */
function ordered(
  expected: readonly Expected[],
  observed: readonly ObservedEvent[],
  way: Way,
): Judgement | null {
  const { order } = way.delivery;
  const word = stated(order) ?? (order.kind === 'none' ? null : 'item');
  const isSaid =
    order.kind !== 'open' || way.world.specification.completeness.closed(way.address) !== undefined;
  const laneOf = ({ event: { item } }: Expected): string =>
    word === 'all' ? '' : `${item?.resource} ${item?.handle}`;
  const isShared = new Set(expected.map(laneOf)).size < expected.length;
  if (!isSaid || word === null || !isShared) return null;
  const isInOrder = mayBeInOrder(expected, observed, isIt, laneOf, isBefore);
  if (isInOrder === null) return null;
  const difference = {
    at: 'event.order',
    expected: expected.map(({ event }) => event.kind).join(', '),
    found: observed.map((came) => came.kind ?? came.content).join(', '),
    by: order.address,
  };
  return verdict(order.address, isInOrder ? [] : [difference]);
}

/** Of a timer and another one that may have been due at the same time, or a request, nobody knows which came first. */
function isBefore({ event: first }: Expected, { event: second }: Expected): boolean {
  if (first.item?.handle === second.item?.handle || !(first.isTimed || second.isTimed)) return true;
  return first.at.most <= second.at.least;
}

/** On a service that others use, what carries our fresh values is ours. */
function isOurs(came: ObservedEvent, { world }: EventsSeen): boolean {
  return !world.isShared || tellsOfOurs(came, world);
}

/** Events of an expected kind that tell something else: each with the one that it is nearest to. */
function wrongPairs(
  expected: readonly Expected[],
  left: readonly ObservedEvent[],
): Map<Expected, ObservedEvent> {
  const found = new Map<Expected, ObservedEvent>();
  const rest = new Set(left);
  for (const each of expected) {
    const near = [...rest]
      .map((came) => ({ came, differences: judgedEvent(each, came).differences }))
      .filter(({ differences }) => !differences.some(({ at }) => at === 'kind'))
      .toSorted((a, b) => a.differences.length - b.differences.length)[0];
    if (near === undefined) continue;
    found.set(each, near.came);
    rest.delete(near.came);
  }
  return found;
}
