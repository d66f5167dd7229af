import { stated } from '../../specification/reading/said.ts';
import { type Check, type Scenario, scenario, Unreached } from '../check.ts';
import { stating } from '../guards.ts';
import { type Done, restsOf } from '../trial.ts';
import { all, known, type Truth, unseen } from '../verdict.ts';
import type { Emitting } from './courses.ts';
import { type Expected, expectedOf, idIn, isOf, isSurely, namesOfEvent, type Telling } from './expected.ts';
import { keeperOf, type Webhook } from './hooks.ts';
import type { Posted, Reply } from './receiver.ts';
import { comingOf, takingTime } from './scenarios.ts';
import { makerOf, startOf, tell } from './story.ts';
import { patiently } from './told.ts';
import { addressAt, type Receiving, toldBy, type WebhookObserver } from './webhook.ts';

/** What was posted to an address that fails at first, and to one that sends on. */
interface Tried extends Done {
  readonly event: Expected;
  readonly failing: Receiving;
  readonly failed: readonly Posted[];
  readonly sent: readonly Posted[];
  /** What came to where it was sent on. */
  readonly followed: readonly Posted[];
}

/** The attempts that are begun, and looked at later: pauses are long. */
interface Begun {
  readonly tried: () => Promise<Tried>;
}

/** How far from a pause an attempt may be and still be as stated: clocks are read in steps. */
export const tolerance = 0.95;

/** Answers each attempt to post an event by how many were made before. */
export function byAttempt(
  telling: Telling,
  delivery: Webhook,
  reply: (index: number) => Reply,
): (posted: Posted) => Reply {
  const counts = new Map<string, number>();
  return (posted) => {
    const id = idIn(telling, toldBy(delivery, posted)) ?? posted.content;
    const index = counts.get(id) ?? 0;
    counts.set(id, index + 1);
    return reply(index);
  };
}

/**
 * A message that was not taken is posted again, under the same id, after each pause that is stated; and no redirect is
 * followed (language §6.3). The first scenario begins, and the second looks, as late as it comes.
 */
export function attempts(
  telling: Telling,
  observer: WebhookObserver,
  delivery: Webhook,
  emitting: Emitting,
): { readonly first: Scenario; readonly last: Scenario } {
  const { trial } = telling;
  const { wanted, course, operation } = emitting;
  const { retries, success } = delivery;
  const [pauseMs] = stated(retries) ?? [];
  const failure = stated(success)?.includes(500) ? 503 : 500;
  // The operator's one address is everybody's: nothing else may come meanwhile.
  const isShared = keeperOf(trial, delivery) === null;
  let begun: Promise<Begun> | undefined;
  const begin = async (): Promise<Begun> => {
    const start = await startOf(telling, course);
    const coming = { ...comingOf(emitting), as: await makerOf(trial, course, start) };
    const taken = stated(success)?.[0] ?? 204;
    const receiver = await trial.listening.receiver();
    /** Answers the first attempt of each event so, and takes all others. */
    const failingFirst = (first: Reply): ((posted: Posted) => Reply) =>
      byAttempt(telling, delivery, (index) => (index === 0 ? first : { status: taken }));
    const failing = await observer.receive(coming, failingFirst({ status: failure }));
    const landing = receiver.inbox(trial.fresh.random.letters(20), () => ({ status: taken }));
    const sending = isShared
      ? null
      : await observer.receive(
          coming,
          failingFirst({ status: 307, location: addressAt(trial, delivery, receiver, landing) }),
        );
    const done = await tell(telling, course, start);
    const event = done
      .flatMap((one) => expectedOf(telling, one))
      .findLast(({ name }) => name === wanted.name);
    if (event === undefined) throw new Unreached('it cannot be told what was changed');
    const idOf = (one: Posted): string | null => idIn(telling, toldBy(delivery, one));
    /** The attempts to post it; what may be another event of its kind is none of them. */
    const cameTo = (of: Receiving | null): Posted[] => {
      const all = (of?.inbox.posted ?? []).filter((one) => isOf(telling, event, toldBy(delivery, one)));
      return all.filter(
        (one) =>
          one === all[0] ||
          one.content === all[0]?.content ||
          (idOf(one) !== null && idOf(one) === idOf(all[0] as Posted)) ||
          isSurely(telling, event, toldBy(delivery, one)),
      );
    };
    const isCome = (): boolean =>
      cameTo(failing).length > 0 && (sending === null || cameTo(sending).length > 0);
    const more = (): Promise<void> => Promise.race([failing.more(), ...(sending ? [sending.more()] : [])]);
    await patiently(trial, 'events', isCome, more);
    return {
      tried: async () => {
        const since = cameTo(failing)[0]?.at ?? trial.now();
        const longestMs = since + (pauseMs ?? 0) + trial.graceMs - trial.now();
        if (pauseMs !== undefined && pauseMs <= trial.patienceMs)
          await patiently(
            trial,
            'another attempt',
            () => cameTo(failing).length > 1,
            failing.more,
            Math.max(0, longestMs),
          );
        const found = {
          event,
          failing,
          failed: cameTo(failing),
          sent: cameTo(sending),
          followed: [...landing.posted],
        };
        await failing.close();
        await sending?.close();
        return { ...(done.at(-1) as Done), ...found };
      },
    };
  };
  const first: Scenario = {
    run: async () => {
      if (isShared) return [];
      begun ??= begin();
      await begun.catch(() => undefined);
      return [];
    },
    waitsMs: 0,
    ...takingTime(trial, course),
  };
  const says = (what: string): string => `${wanted.name}, ${what} (${observer.name})`;
  const cites = { address: retries.address, at: retries.kind === 'open' ? observer.at : retries.at };
  const came = (posted: readonly Posted[]): Truth => known(posted.length > 0, 'no such event came');
  const isWaitedFor = (): Truth =>
    stating(retries, () =>
      known(
        (pauseMs ?? 0) <= trial.patienceMs,
        `it is tried again after ${(pauseMs ?? 0) / 1000} s, which is not waited for`,
      ),
    );
  const isDue = ({ event, failing }: Tried): Truth =>
    all(event.due, failing.due(namesOfEvent(telling.events, event)));
  const retried: Check<Tried> = {
    name: 'event.retried',
    says: says(
      pauseMs === undefined
        ? `that was answered ${failure}, is not posted again`
        : `that was answered ${failure}, is posted again`,
    ),
    cites,
    guard: (seen) => all(isDue(seen), came(seen.failed), isWaitedFor()),
    claim: ({ failed }) => ({
      truth: stating(retries, () => known(pauseMs === undefined ? failed.length === 1 : failed.length > 1)),
      expected: pauseMs === undefined ? 'one attempt' : 'another attempt',
      found: `${failed.length}`,
    }),
  };
  const paused: Check<Tried> = {
    name: 'event.paused',
    says: says(`is posted again after a pause of ${(pauseMs ?? 0) / 1000} s, and no sooner`),
    cites,
    guard: ({ failed }) => known(failed.length > 1, 'it was not posted again'),
    claim: ({ failed: [one, other] }) => {
      const paused = (other?.at ?? 0) - (one?.at ?? 0);
      return {
        truth: known(paused >= (pauseMs ?? 0) * tolerance),
        expected: `${(pauseMs ?? 0) / 1000} s`,
        found: `${paused / 1000} s`,
      };
    },
  };
  const same: Check<Tried> = {
    name: 'event.again',
    says: says('posted again, is the same event, under the same id'),
    cites: { address: observer.address, at: observer.at },
    guard: ({ failed }) => known(failed.length > 1, 'it was not posted again'),
    claim: ({ failed: [one, other] }) => {
      const [id, again] = [one, other].map((posted) => posted && idIn(telling, toldBy(delivery, posted)));
      const isShown = id !== null && id !== undefined;
      return {
        truth: isShown
          ? known(id === again && one?.content === other?.content)
          : unseen('nothing shows its id'),
        expected: `${id}, with the same content`,
        found: `${again}`,
      };
    },
  };
  const stays: Check<Tried> = {
    name: 'event.redirected',
    says: says('that was answered with a redirect, does not go there'),
    cites: { address: observer.address, at: observer.at },
    guard: ({ sent }) => came(sent),
    claim: ({ followed }) => ({
      truth: known(followed.length === 0),
      expected: 'nothing there',
      found: followed.length === 0 ? 'so' : `${followed[0]?.method} ${followed[0]?.url}`,
    }),
  };
  const observe = async (): Promise<Tried> => {
    begun ??= begin();
    return await (await begun).tried();
  };
  const checks = pauseMs === undefined ? [retried, stays] : [retried, paused, same, stays];
  const last = scenario(trial.of, [...restsOf(operation), observer.address], observe, checks);
  return { first, last: { ...last, waitsMs: pauseMs ?? 0 } };
}
