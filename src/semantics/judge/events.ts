import { exhaustedIn } from '../../specification/model/exhausted.ts';
import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Kind } from '../../specification/vocabulary/parts/events.ts';
import { envelopeOf } from '../event/envelope.ts';
import type { EmittedEvent } from '../event/event.ts';
import { seen, unknown, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';
import { type Expected, idOf, judgedEvent, kindOf, type ObservedEvent, together } from './event.ts';
import type { Difference, Judgement } from './judgement.ts';
import { mayBeInOrder, paired } from './pairing.ts';

/** What is known when events are judged. */
export interface EventsSeen {
  /** The world by now. */
  readonly world: World;
  /** How long nothing more was expected to come, in milliseconds. Null: more may come. */
  readonly waitedMs: number | null;
  /** The operations of which it is not known what a request emitted. */
  readonly unknownBy: ReadonlySet<string>;
}

/** What the events come to. */
export interface EventsJudgement extends Judgement {
  /** Events that came, each with the one that it is, and its id as far as it is shown. */
  readonly pairs: readonly {
    readonly expected: Expected;
    readonly came: ObservedEvent;
    readonly id: string | null;
  }[];
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
        { ...about, delivery, address: said.address },
      ),
    );
  });
  return {
    ...together(judgements),
    pairs: judgements.flatMap(({ pairs }) => pairs),
    awaited: judgements.reduce((sum, { awaited }) => sum + awaited, 0),
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
}

function judgedWay(expected: readonly Expected[], all: readonly ObservedEvent[], way: Way): EventsJudgement {
  const shown = { envelope: envelopeOf(stated(way.world.specification.events)?.envelope) };
  const idIn = (came: ObservedEvent): string | null =>
    idOf(shown, came) ?? expected.map((each) => judgedEvent(each, came)).find(isRight)?.id ?? null;
  const observed = withoutRepeats(all, idIn);
  const certain = expected.filter(({ delivery }) => delivery.isSent === true);
  const pairs = paired(expected, observed, isIt, (each) => certain.includes(each));
  const left = observed.filter((came) => ![...pairs.values()].includes(came) && isOurs(came, way));
  const wrong = wrongPairs(
    certain.filter((each) => !pairs.has(each)),
    left,
  );
  const absentees = certain.filter((each) => !pairs.has(each) && !wrong.has(each));
  const isOver = way.waitedMs !== null && way.waitedMs >= (stated(way.delivery.within) ?? 0);
  const further = left.filter((came) => ![...wrong.values()].includes(came));
  const judgement = together([
    ...[...pairs, ...wrong].map(([each, came]) => judgedEvent(each, came)),
    ...[...pairs.keys()].map(({ event }) => verdict(`${event.address}.by`, [])),
    ...absentees.map((each) => (isOver ? missing(each) : unseenYet)),
    ...further.map((came) => unexpected({ came, kind: kindOf(shown, came), id: idIn(came) }, expected, way)),
    ordered(
      certain.filter((each) => pairs.has(each)),
      observed,
      way,
    ),
  ]);
  return {
    ...judgement,
    pairs: [...pairs].map(([each, came]) => ({ expected: each, came, id: idIn(came) })),
    awaited: absentees.length,
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

/** Nothing is judged. */
const nothing: Judgement = { by: [], differences: [], determined: 0, undetermined: 0 };

/** What has not come may still come. */
const unseenYet: Judgement = { ...nothing, undetermined: 1 };

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

/** An event that nothing emits, if the lists that say so are closed: of the kinds, and of what emits them. */
function unexpected({ came, kind, id }: Came, expected: readonly Expected[], way: Way): Judgement {
  const { completeness, events } = way.world.specification;
  const kinds = [...(stated(stated(events)?.kinds) ?? [])];
  const meant = kinds.filter(([name]) => kind === null || kind === name);
  const emitters = meant.map(([, said]) => `${said.address}.by`);
  const lists = kind !== null && emitters.length > 0 ? emitters : ['events.kinds', ...emitters];
  const isClosed = lists.every((list) => completeness.closed(list) !== undefined);
  const isTwice = expected.some((each) => isIt(each, came));
  // Without an id, it may be one that is delivered again.
  if (meant.some(([, said]) => mayBeEmitted(stated(said), way)) || !isClosed || (isTwice && id === null))
    return nothing;
  const [by = 'events.kinds'] = lists;
  const difference = {
    at: `event.${kind ?? way.delivery.kind}`,
    expected: isTwice ? 'one event for the change' : 'no event',
    found: came.content,
    by,
  };
  return verdict(by, [difference]);
}

/** A timer that is due within so many milliseconds may fire while the events are collected. */
const soonMs = 60_000;

/**
 * Whether something may have emitted a kind of which nobody knows: a request, a timer, or the end of the attempts to reach a
 * receiver. Each may ask for further transitions.
 */
function mayBeEmitted(kind: Kind | undefined, { unknownBy, world }: EventsSeen): boolean {
  const { timers, received, specification } = world;
  const isOwn =
    unknownBy.size > 0 ||
    exhaustedIn(specification).length > 0 ||
    timers.some(({ due }) => due.least <= received.at.most + soonMs);
  const names = (kind && stated(kind.by)) ?? [];
  return names.some(({ text }) => unknownBy.has(text) || (isOwn && text.includes('.')));
}

/** What one item emits, or everything, comes in the order of the changes (language §6.3, `order`). */
function ordered(expected: readonly Expected[], observed: readonly ObservedEvent[], way: Way): Judgement {
  const { order } = way.delivery;
  const word = stated(order) ?? (order.kind === 'none' ? null : 'item');
  const isSaid =
    order.kind !== 'open' || way.world.specification.completeness.closed(way.address) !== undefined;
  const laneOf = ({ event: { item } }: Expected): string =>
    word === 'all' ? '' : `${item?.resource} ${item?.handle}`;
  const isShared = new Set(expected.map(laneOf)).size < expected.length;
  if (!isSaid || word === null || !isShared) return nothing;
  const isInOrder = mayBeInOrder(expected, observed, isIt, laneOf);
  if (isInOrder === null) return nothing;
  const difference = {
    at: 'event.order',
    expected: expected.map(({ event }) => event.kind).join(', '),
    found: observed.map((came) => came.kind ?? came.content).join(', '),
    by: order.address,
  };
  return verdict(order.address, isInOrder ? [] : [difference]);
}

/** On a service that others use, what carries our fresh values is ours. */
function isOurs({ content, subject }: ObservedEvent, { world }: EventsSeen): boolean {
  return !world.isShared || world.holdsOurs(content) || (subject !== null && world.holdsOurs(subject));
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
