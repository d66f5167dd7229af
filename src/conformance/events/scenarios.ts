import type { Address } from '../../specification/address.ts';
import type { Operation } from '../../specification/operation.ts';
import { type Check, ifReached, type Scenario, scenario } from '../check.ts';
import { restsOf } from '../trial.ts';
import { emitted, inOrder, nothingElse, refusedSilently, withheld } from './checks.ts';
import { type Emitting, refusable, silent, withholding } from './courses.ts';
import type { Telling } from './expected.ts';
import { type Heard, hear, type Story } from './story.ts';
import type { Coming, Observer } from './told.ts';

/** What comes by one way is held against part 6: each kind, what emits none, and what is refused. */
export function told(telling: Telling, observer: Observer, all: readonly Emitting[]): Scenario[] {
  const { trial, events } = telling;
  const { of } = trial;
  const [first] = all;
  if (first === undefined) return [];
  const sounding = soundedBy(telling, observer, all);
  const ofStory = (rests: readonly Address[], story: Story, checks: readonly Check<Heard>[]): Scenario =>
    scenario(
      of,
      [...rests, events.envelope.address, observer.address],
      async () => {
        await sounding();
        return await hear(telling, observer, story);
      },
      checks,
    );
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
      ofStory(rests(operation), { ...course, marker, coming }, [
        ...emitted(telling, wanted, says),
        ...nothingElse(telling, says),
        inOrder(observer, says),
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
  const others = silent(trial, events).map(({ operation, course }) =>
    ofStory(
      rests(operation),
      { ...course, marker: first.course, coming: comingOf(first) },
      nothingElse(telling, saying(operation.key)),
    ),
  );
  return [...main, ...others];
}

function comingOf({ wanted: { name, by }, last: { foreseen } }: Emitting): Coming {
  return { kind: name, by, foreseen };
}

/** How many courses are tried until something comes. */
const most = 4;

/**
 * Listens once before anything is judged, until something comes: what was told before is out of the way then, and it is
 * known whether the way leads here at all.
 */
function soundedBy(telling: Telling, observer: Observer, all: readonly Emitting[]): () => Promise<void> {
  let sounded: Promise<void> | undefined;
  const sound = async (): Promise<void> => {
    for (const one of all.slice(0, most)) {
      const story = { resource: one.course.resource, steps: [], marker: one.course, coming: comingOf(one) };
      const heard = await ifReached(() => hear(telling, observer, story));
      if (heard && heard.told.length > 0) return;
    }
  };
  return () => {
    sounded ??= sound();
    return sounded;
  };
}
