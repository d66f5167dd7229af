import { step } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import type { Plan, Scenario } from '../check.ts';
import { answering } from '../events/answering.ts';
import { attempts } from '../events/attempts.ts';
import { brokerObserver, published } from '../events/broker.ts';
import { type Ticking, ticking, toldByItself, toldOnceLeft } from '../events/by-itself.ts';
import { eventsAs } from '../events/content.ts';
import { type Emitting, emitting } from '../events/courses.ts';
import type { Telling } from '../events/expected.ts';
import type { Webhook } from '../events/hooks.ts';
import { wantedOf } from '../events/kinds.ts';
import { resumes } from '../events/resume.ts';
import { told } from '../events/scenarios.ts';
import { strangers } from '../events/strangers.ts';
import { streamObserver, streamOf } from '../events/stream.ts';
import type { Observer } from '../events/told.ts';
import { posted, type WebhookObserver, webhookObserver } from '../events/webhook.ts';
import { partStatedOnly, unchecked } from '../stated.ts';
import { heldUp, type Trial } from '../trial.ts';

/** Part 6, what is told to others (language §6): each kind by each operation that emits it, by each way that is stated. */
export function checks(trial: Trial): Plan[] {
  return [() => scenariosOf(trial)];
}

function scenariosOf(trial: Trial): Scenario[] {
  const { of } = trial;
  const events = stated(of.events);
  if (events === undefined) return partStatedOnly(of, 'events');
  const ways = [...(stated(events.delivery) ?? [])].map(([name, said]) =>
    observerOf(trial, events, name, said),
  );
  const observers = ways.filter((one) => 'open' in one);
  const unheard = ways.flatMap((one) => ('why' in one ? [unchecked(of, one.address, one.why)] : []));
  if (observers.length === 0) {
    const [first] = ways.flatMap((one) => ('why' in one ? [one.why] : []));
    return [
      unchecked(of, 'events', first ?? 'there is no way by which the tester could follow what is told'),
    ];
  }
  const found = wantedOf(events).flatMap((wanted) => emitting(trial, wanted));
  const askedFor = new Set(found.map(({ wanted }) => `${wanted.name} ${wanted.by}`));
  const others = wantedOf(events)
    .filter(({ name, by }) => !askedFor.has(`${name} ${by}`))
    .map((wanted) => ({ wanted, how: ticking(trial, wanted) }));
  const timers = others.flatMap(({ how }) => ('why' in how ? [] : [how]));
  const heard = new Set([...found, ...timers].map(({ wanted }) => wanted.name));
  const silent = others.flatMap(({ wanted: { name }, how }) =>
    'why' in how && !heard.has(name) ? [[step('events.kinds', name), how.why] as const] : [],
  );
  return [
    ...observers.flatMap((observer) =>
      byWay(
        { trial, events: eventsAs(of, events, observer.delivery), delivery: observer.delivery },
        observer,
        found,
        timers,
      ),
    ),
    ...[...new Map(silent)].map(([address, why]) => unchecked(of, address, why)),
    ...unheard,
  ];
}

/** The checks of one way: those of every way, and those of its own. */
function byWay(
  telling: Telling,
  observer: Observer,
  all: readonly Emitting[],
  timers: readonly Ticking[],
): Scenario[] {
  const [first] = all;
  const { delivery: way } = observer;
  const more: NonNullable<Parameters<typeof told>[3]> = (wanted, says) => {
    if (way.kind === 'broker') return published(telling, way, wanted, says);
    return way.kind === 'webhook' ? posted(telling, way, wanted, says) : [];
  };
  const byItself = timers.flatMap((one) => {
    const marker = all.find(({ wanted }) => wanted.name === one.wanted.name);
    const onceLeft = marker ? toldOnceLeft(telling, observer, one, marker) : [];
    return [toldByItself(telling, observer, one, more), ...onceLeft];
  });
  if (first === undefined) return byItself;
  const stream = streamOf(telling.trial, observer);
  const usual = told(telling, observer, all, more);
  if (stream) return [...usual, resumes(telling, observer, stream, first), ...byItself];
  if (!isWebhook(observer)) return [...usual, ...byItself];
  const delivery = observer.delivery as Webhook;
  const tries = attempts(telling, observer, delivery, first);
  const answers = answering(telling, observer, delivery, first);
  return [
    tries.first,
    ...answers.first,
    ...usual,
    ...strangers(telling, observer, delivery, first),
    tries.last,
    ...answers.last,
    ...byItself,
  ];
}

function isWebhook(observer: Observer): observer is WebhookObserver {
  return observer.delivery.kind === 'webhook';
}

/** What observes a way of delivery, or why none does. */
function observerOf(
  trial: Trial,
  events: Events,
  name: string,
  said: Said<Delivery>,
): Observer | { readonly address: string; readonly why: string } {
  const address = step('events.delivery', name);
  const delivery = stated(said);
  const about = delivery && { name, address, at: said.at, delivery };
  const unheard = (why: string) => ({ address, why });
  if (about === undefined) return unheard('it is open how events are delivered');
  switch (about.delivery.kind) {
    case 'stream': {
      const operation = streamOf(trial, about);
      return operation && heldUp(trial.of, operation) === null
        ? streamObserver(trial, about, operation)
        : unheard('it cannot be asked for');
    }
    case 'webhook': {
      const to = stated(about.delivery.webhook);
      if (to === undefined) return unheard('it is open to which addresses it is sent');
      if (to.kind === 'operator' && !trial.listening.isPlaced)
        return unheard(
          'the operator says where it is sent, and it was not said where the tester receives it',
        );
      return webhookObserver(
        { trial, events: eventsAs(trial.of, events, about.delivery), delivery: about.delivery },
        about,
        about.delivery,
      );
    }
    case 'broker':
      if (trial.listening.nats === undefined)
        return unheard('it is published at a broker, and it was not said where the tester finds it');
      if (stated(about.delivery.broker) === undefined) return unheard('it is open under which subject');
      return brokerObserver(about, about.delivery, trial.listening.nats);
  }
}
