import { type Check, type Scenario, scenario } from '../check.ts';
import { restsOf } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, not, type Truth, unseen } from '../verdict.ts';
import { comes, eventOf, toldOf } from './checks.ts';
import type { Emitting } from './courses.ts';
import { isOf, namesOfEvent, type Telling } from './expected.ts';
import { strangenesses, type Webhook } from './hooks.ts';
import { comingOf, takingTime } from './scenarios.ts';
import { type Heard, hear, makerOf, startOf } from './story.ts';
import type { Told } from './told.ts';
import type { Receiving, WebhookObserver } from './webhook.ts';

/** What came to an address that an event is meant for, and to one that it is not. */
interface Apart extends Heard {
  readonly stranger: Receiving;
  readonly strangers: readonly Told[];
}

/** An event goes where `where` holds, and nowhere else: to no address of another's, nor to one that wants other kinds (language §6.3). */
export function strangers(
  telling: Telling,
  observer: WebhookObserver,
  delivery: Webhook,
  emitting: Emitting,
): Scenario[] {
  const { where } = delivery;
  const { wanted, course, operation } = emitting;
  if (where.kind !== 'stated') return [];
  const ways = strangenesses(telling, delivery, comingOf(emitting));
  return Array.from({ length: ways }, (_, strange) => {
    const observe = async (): Promise<Apart> => {
      const start = await startOf(telling, course);
      const coming = { ...comingOf(emitting), as: await makerOf(telling.trial, course, start) };
      const stranger = await observer.receive(coming, undefined, strange);
      try {
        const heard = await hear(telling, observer, { ...course, start, marker: course, coming });
        return { ...heard, stranger, strangers: [...stranger.told] };
      } finally {
        await stranger.close();
      }
    };
    const isStrange = (heard: Apart): Truth => {
      const event = eventOf(heard, wanted);
      if (event === undefined) return unseen('it cannot be told what was changed');
      return all(comes(heard, event), not(heard.stranger.due(namesOfEvent(telling.events, event))));
    };
    const elsewhere: Check<Apart> = {
      name: 'event.elsewhere',
      says: `${wanted.name}, emitted by ${wanted.by} (${operation.key}): it is sent to no address for which \`where\` is not true (${observer.name}, case ${strange + 1})`,
      cites: { address: where.address, at: where.at },
      guard: (heard) =>
        all(isStrange(heard), known(toldOf(heard, wanted) !== undefined, 'no such event came to the others')),
      claim: (heard) => {
        const event = eventOf(heard, wanted);
        const [found] = event ? heard.strangers.filter((one) => isOf(telling, event, one)) : [];
        return {
          truth: known(found === undefined),
          expected: 'nothing there',
          found: found ? shownAs(found.content) : 'so',
        };
      },
    };
    return {
      ...scenario(telling.trial.of, [...restsOf(operation), observer.address], observe, [elsewhere]),
      ...takingTime(telling.trial, course),
    };
  });
}
