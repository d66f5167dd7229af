import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Check, ifReached, type Scenario, scenario, Unreached } from '../check.ts';
import { isMade } from '../foresee/going.ts';
import { byWait, isWait, waitedMs } from '../foresee/tree.ts';
import { noteWanted } from '../foresee/waited.ts';
import { comesAfterMs } from '../states/timed-makers.ts';
import { restsOf, type Trial } from '../trial.ts';
import { emitted, inOrder, nothingElse, refusedSilently, withheld } from './checks.ts';
import { alongside, type Emitting, further, refusable, silent, withholding } from './courses.ts';
import type { Telling } from './expected.ts';
import type { Wanted } from './kinds.ts';
import { type Course, type Heard, hear, type Story } from './story.ts';
import type { Coming, Observer } from './told.ts';

/**
 * What comes by one way is held against part 6: each kind, what emits none, and what is refused.
 *
 * @param more what is to be seen of an event by this way alone
 */
export function told(
  telling: Telling,
  observer: Observer,
  all: readonly Emitting[],
  more: (wanted: Wanted, says: (what: string) => string) => readonly Check<Heard>[] = () => [],
): Scenario[] {
  const { trial, events } = telling;
  const { of } = trial;
  const [first] = all;
  if (first === undefined) return [];
  const sounding = soundedBy(telling, observer, all);
  const ofStory = (rests: readonly Address[], story: Story, checks: readonly Check<Heard>[]): Scenario => ({
    ...scenario(
      of,
      [...rests, events.envelope.address, observer.address],
      async () => {
        const silence = await sounding();
        if (silence !== null) throw new Unreached(silence);
        return await hear(telling, observer, story);
      },
      checks,
    ),
    ...takingTime(trial, story, story.marker),
  });
  const rests = (operation: Operation): readonly Address[] => restsOf(operation);
  const saying =
    (whom: string) =>
    (what: string): string =>
      `${whom}: ${what} (${observer.name})`;
  const main = all.flatMap((one) => {
    const { wanted, operation, course } = one;
    const says = saying(`${wanted.name}, emitted by ${wanted.by} (${operation.key})`);
    const coming = comingOf(one);
    const marker = course;
    const besides = withholding(trial, one);
    return [
      ofStory(rests(operation), { ...course, marker, coming, isToldOf: true }, [
        ...emitted(telling, wanted, says),
        ...more(wanted, says),
        ...nothingElse(telling, says),
        // One event alone has no order but among all.
        ...(course.steps.length > 1 || stated(observer.delivery.order) === 'all'
          ? inOrder(of, observer, says)
          : []),
      ]),
      ...(besides
        ? [ofStory(rests(operation), { ...besides, marker, coming }, [withheld(telling, wanted, says)])]
        : []),
      ...refusable(trial, one).map((refused) =>
        ofStory(rests(operation), { ...refused, marker, coming }, [
          refusedSilently(wanted, `${refused.says} (${observer.name})`, operation),
        ]),
      ),
    ];
  });
  const others = silent(trial, events).map((one) => {
    const { operation, course, last } = one;
    const near = all.find((other) => other.course.resource === course.resource) ?? first;
    const marker = alongside(trial, near.course, course);
    const isNear = near.course.resource === course.resource;
    const coming = { ...comingOf(near), ...(isNear && { foreseen: last.foreseen }) };
    return ofStory(
      rests(operation),
      { ...course, after: further(trial, one, all), marker, coming },
      nothingElse(telling, saying(operation.key)),
    );
  });
  return [...main, ...others];
}

export function comingOf({ wanted: { name, by }, last: { foreseen } }: Emitting): Coming {
  return { kind: name, by, foreseen };
}

/** How long timers are waited for until the items of courses are there, if they are. */
export function takingTime(trial: Trial, ...courses: readonly Course[]): Pick<Scenario, 'waitsMs'> {
  const all = courses.filter(({ steps }) => steps.length > 0 && (!isMade(steps) || steps.some(isWait)));
  for (const { resource, steps } of all) noteWanted(trial, resource, steps);
  const lengths = all.map(({ resource, steps }) => comesAfterMs(trial, resource) + waitedMs(trial, steps));
  return all.length > 0 ? { waitsMs: Math.min(Math.max(...lengths), Number.MAX_VALUE) } : {};
}

/** How many courses are tried until something comes. */
const most = 4;

/**
 * Listens once before anything is judged, until something comes: what was told before is out of the way then, and it is
 * known whether the way leads here at all: where it may not, it is told why.
 */
function soundedBy(
  telling: Telling,
  observer: Observer,
  all: readonly Emitting[],
): () => Promise<string | null> {
  let sounded: Promise<string | null> | undefined;
  const { trial } = telling;
  const sound = async (): Promise<string | null> => {
    for (const one of all.toSorted((a, b) => byWait(trial, a.course.steps, b.course.steps)).slice(0, most)) {
      const { course } = one;
      const story: Story = {
        resource: course.resource,
        steps: [],
        marker: course,
        coming: comingOf(one),
        isToldOf: true,
      };
      const heard = await ifReached(() => hear(telling, observer, story));
      // Where it is known to lead here, what does not come is not sent.
      if (heard && (heard.told.length > 0 || heard.silence === null)) return null;
    }
    return observer.silence();
  };
  return () => {
    sounded ??= sound();
    return sounded;
  };
}
