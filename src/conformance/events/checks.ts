import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { rest } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Check } from '../check.ts';
import { closed, refused, stating, succeeded } from '../guards.ts';
import { hole, type Partly } from '../partly.ts';
import { dig } from '../shown-in.ts';
import { workOut } from '../solve.ts';
import { fits, shownAs } from '../unify.ts';
import { all, known, not, type Truth, unknown, unseen, yes } from '../verdict.ts';
import {
  bodyOf,
  comesWithinMs,
  contentIn,
  dueBy,
  type Expected,
  envelopeOf,
  idIn,
  isFresh,
  isOf,
  jsonIn,
  kindsIn,
  namesOfEvent,
  subjectOf,
  type Telling,
} from './expected.ts';
import { emittersOf, kindsOf, perhaps, type Wanted } from './kinds.ts';
import type { Heard } from './story.ts';
import type { Observer, Told } from './told.ts';

type Says = (what: string) => string;

/** What is claimed of an event that did not come: nothing. */
const nothing = { truth: unseen('no such event came'), expected: 'an event', found: 'none' };

/** The event that the last request of the first course should emit. */
export function eventOf({ own }: Heard, { name }: Wanted): Expected | undefined {
  return own.findLast((one) => one.name === name);
}

/** What came of it. */
export function toldOf(heard: Heard, wanted: Wanted): Told | undefined {
  const event = eventOf(heard, wanted);
  return event && heard.matched.get(event);
}

/** Whether an event is to come by the way that is observed. */
export function comes({ observing, telling }: Heard, event: Expected): Truth {
  return all(event.due, observing.due(namesOfEvent(telling.events, event)));
}

/** One comes for the change, once, and tells what is stated (language §6.1). */
export function emitted(telling: Telling, wanted: Wanted, says: Says): Check<Heard>[] {
  const { events } = telling;
  const { kind } = wanted;
  const isTold = (heard: Heard): Truth => (toldOf(heard, wanted) ? yes : unseen('no such event came'));
  return [
    {
      name: 'event.emitted',
      says: says('one comes for the change'),
      cites: { address: kind.by.address, at: kind.by.at },
      guard: (heard) => {
        const event = eventOf(heard, wanted);
        if (event === undefined) return unseen('it cannot be told what was changed');
        const isHeard = toldOf(heard, wanted) ? yes : inTime(heard);
        return all(comes(heard, event), isHeard);
      },
      claim: (heard) => {
        const event = eventOf(heard, wanted);
        const count = event === undefined ? 0 : timesOf(heard, event, heard.matched.has(event));
        return {
          truth: known(count === 1),
          expected: 'one event of the kind',
          found: count === 0 ? `none within ${comesWithinMs(telling)} ms` : `${count}`,
        };
      },
    },
    {
      name: 'event.body',
      says: says('it tells what is stated'),
      cites: { address: kind.body.address, at: kind.body.at },
      guard: isTold,
      claim: (heard) => {
        const [event, told] = [eventOf(heard, wanted), toldOf(heard, wanted)];
        if (event === undefined || told === undefined) return nothing;
        const content = contentIn(telling, told);
        if (content === undefined)
          return { truth: unknown(events.envelope.address), expected: 'an envelope', found: 'an open one' };
        const shown = fits(bodyOf(event), content.body);
        return { ...shown, truth: stating(kind.body, () => shown.truth) };
      },
    },
    ...enveloped(telling, wanted, says, isTold),
  ];
}

/** How often an event came, under ids of its own: one that comes again under its id is the same (language §6.3). */
function timesOf(heard: Heard, event: Expected, isMatched: boolean): number {
  const { telling, extra, others } = heard;
  const again = extra.filter((one) => {
    if (idIn(telling, one) === null || !isOf(telling, event, one)) return false;
    const isOthers = others.some((other) => other.name === event.name && isOf(telling, other, one));
    return !isOthers || isFresh(telling);
  });
  return again.length + (isMatched ? 1 : 0);
}

/** Whether what did not come would have come by then: its way says no longer time, and is known to be one. */
function inTime({ telling: { delivery, trial }, silence }: Heard): Truth {
  if (silence !== null) return unseen(silence);
  const within = stated(delivery.within);
  return known(
    within === undefined || within <= trial.patienceMs,
    `it may come as late as ${(within ?? 0) / 1000} s after the change, which is not waited for`,
  );
}

/** None comes where `when` is not true (language §6.1). */
export function withheld(telling: Telling, wanted: Wanted, says: Says): Check<Heard> {
  const { when } = wanted.kind;
  return {
    name: 'event.withheld',
    says: says('none comes where its `when` is not true'),
    cites: { address: when.address, at: when.at },
    guard: (heard) => {
      const event = eventOf(heard, wanted);
      if (event === undefined) return unseen('it cannot be told what was changed');
      const { exchange, operation } = event.done;
      return all(
        succeeded(exchange, operation),
        not(dueBy(telling.trial, wanted, event.names)),
        emits(heard),
      );
    },
    claim: (heard) => {
      const event = eventOf(heard, wanted);
      if (event === undefined) return nothing;
      const count = timesOf(heard, event, heard.matched.has(event));
      return { truth: known(count === 0), expected: 'no event of the kind', found: `${count}` };
    },
  };
}

/** Whether the way was seen to bring what it should: only then does what does not come tell anything. */
export function emits(heard: Heard): Truth {
  const { others, matched } = heard;
  return known(
    others.some((one) => matched.has(one)),
    'no event came after it',
  );
}

/** A request that is refused emits none (language §6.1). */
export function refusedSilently(wanted: Wanted, says: string, operation: Operation): Check<Heard> {
  const { by } = wanted.kind;
  return {
    name: 'event.refused',
    says: `${says}: no ${wanted.name} comes of it`,
    cites: { address: by.address, at: by.at },
    guard: (heard) =>
      all(
        heard.besides ? refused(heard.besides.exchange, operation) : unseen('nothing was asked'),
        emits(heard),
        isFresh(heard.telling) || heard.own.some(({ due }) => due.value === true)
          ? yes
          : unseen('what comes may have been told of before'),
      ),
    claim: (heard) => {
      const { telling, extra, own } = heard;
      const of = extra.filter(
        (one) =>
          kindsIn(telling, one).includes(wanted.name) &&
          idIn(telling, one) !== null &&
          // What may have come of other items says nothing of this request.
          (isFresh(telling) || own.some((event) => event.due.value === true && isOf(telling, event, one))),
      );
      return {
        truth: known(of.length === 0),
        expected: 'no event of the kind besides what was changed',
        found: of.length === 0 ? 'so' : shownAs(of[0]?.content),
      };
    },
  };
}

/** Nothing comes of a kind that nobody listed, nor of a kind for what its `by` does not list (language §6.1). */
export function nothingElse(telling: Telling, says: Says): Check<Heard>[] {
  const { trial, events } = telling;
  const { of } = trial;
  const names = kindsOf(events).map(({ name }) => name);
  const isAny = ({ told }: Heard): Truth => known(told.length > 0, 'no event came');
  const unlisted: Check<Heard> = {
    name: 'event.unlisted',
    says: says('nothing is told of a kind that nobody listed'),
    cites: { address: events.kinds.address, at: events.kinds.at },
    guard: isAny,
    claim: ({ told }) => {
      const other = told.find((one) => !kindsIn(telling, one).some((name) => names.includes(name)));
      return {
        truth: other
          ? closed(of, 'events.kinds').value
            ? known(false)
            : unknown(rest('events.kinds'))
          : yes,
        expected: names.join(', '),
        found: other ? (kindsIn(telling, other)[0] ?? shownAs(other.content)) : 'these',
      };
    },
  };
  const stray: Check<Heard> = {
    name: 'event.stray',
    says: says('nothing is told besides, of what the `by` of no kind lists'),
    cites: { address: events.kinds.address, at: events.kinds.at },
    guard: (heard) =>
      all(
        isAny(heard),
        emits(heard),
        isFresh(telling) ? yes : unseen('what comes may have been told of before'),
      ),
    claim: (heard) => {
      const { extra, done } = heard;
      const due = [...heard.own, ...heard.others].map(({ name }) => name);
      const unsure = [...heard.own, ...heard.others].filter((one) => one.due.value === null);
      const found = extra.flatMap((told) => {
        const kinds = kindsOf(events).filter(({ name }) => kindsIn(telling, told).includes(name));
        const isPossible = kinds.some(
          ({ name, kind }) =>
            unsure.some((one) => one.name === name) ||
            emittersOf(kind).some((by) => done.some(({ operation }) => perhaps(of, operation, by))),
        );
        return kinds.length === 0 || isPossible ? [] : [{ told, kinds }];
      });
      const [first] = found;
      const isClosed = all(...(first?.kinds ?? []).map(({ kind }) => closed(of, kind.by.address)));
      return {
        truth: first ? (isClosed.value === true ? known(false) : isClosed) : yes,
        expected: due.length > 0 ? [...new Set(due)].join(', ') : 'no event',
        found: first ? `${first.kinds[0]?.name}: ${shownAs(first.told.content)}` : 'so',
      };
    },
  };
  return [unlisted, stray];
}

/** What one item emitted, or everything, comes in the order of the changes (language §6.3). */
export function inOrder(of: Specification, observer: Observer, says: Says): Check<Heard>[] {
  const { order } = observer.delivery;
  // Where no more can be stated of the way, there is no order to keep to.
  if (order.kind === 'open' && of.completeness.closed(observer.address)) return [];
  const isAll = stated(order) === 'all';
  const check: Check<Heard> = {
    name: 'event.order',
    says: says(isAll ? 'all come in the order of the changes' : 'what one item emits comes in order'),
    cites: { address: order.address, at: order.kind === 'open' ? observer.at : order.at },
    guard: (heard) =>
      known(
        sequences(heard, isAll).some((one) => one.length > 1),
        'no two events came that have an order',
      ),
    claim: (heard) => {
      const { told, matched } = heard;
      const places = sequences(heard, isAll).map((one) =>
        one.map((event) => ({ event, place: told.indexOf(matched.get(event) as Told) })),
      );
      const wrong = places.find((one) =>
        one.some(({ place }, index) => place < (one[index - 1]?.place ?? -1)),
      );
      const shown = (one: (typeof places)[number]): string => one.map(({ event }) => event.name).join(', ');
      const [most = []] = places.toSorted((a, b) => b.length - a.length);
      return {
        truth: stating(order, () => known(wrong === undefined)),
        expected: shown(wrong ?? most),
        found: wrong ? shown(wrong.toSorted((a, b) => a.place - b.place)) : 'so',
      };
    },
  };
  return [check];
}

/** Events that came and have an order among them. */
function sequences({ own, others, matched }: Heard, isAll: boolean): readonly (readonly Expected[])[] {
  const came = (all: readonly Expected[]): Expected[] =>
    all.filter((one) => one.due.value === true && matched.has(one));
  return isAll ? [came([...own, ...others])] : [came(own), came(others)];
}

/** CloudEvents 1.0.2 §3.1: what the required attributes are; or the template that is stated. */
function enveloped(
  telling: Telling,
  wanted: Wanted,
  says: Says,
  guard: (heard: Heard) => Truth,
): Check<Heard>[] {
  const { events } = telling;
  const { envelope } = events;
  const said = stated(envelope);
  if (said === undefined) return [];
  const isCloudEvent = said.kind === 'cloudevents';
  return [
    {
      name: 'event.envelope',
      says: says(isCloudEvent ? 'it is a CloudEvent' : 'it stands in its envelope'),
      cites: { address: envelope.address, at: envelope.at },
      guard,
      claim: (heard) => {
        const [event, told] = [eventOf(heard, wanted), toldOf(heard, wanted)];
        if (event === undefined || told === undefined) return nothing;
        const found = jsonIn(told);
        const whole = envelopeOf(events, event);
        if (whole !== undefined) return fits(whole, found);
        const source = stated(events.source);
        const subject = subjectOf(events, event);
        const expected: { readonly [member: string]: Partly } = {
          specversion: '1.0',
          id: told.id ?? hole({ picks: /^[\s\S]+$/ }),
          type: wanted.name,
          time: hole({ picks: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/ }),
          source: source ? workOut(source.template, event.names) : hole(),
          ...(subject !== undefined && subject !== null && { subject }),
        };
        const own = Object.fromEntries(Object.keys(expected).map((key) => [key, dig(found, [key]) ?? null]));
        return fits(expected, own);
      },
    },
  ];
}
