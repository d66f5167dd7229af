import type { Operation } from '../../specification/model/operation.ts';
import { type Check, type Scenario, scenario, Unreached } from '../check.ts';
import { type Done, restsOf } from '../trial.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import type { Emitting } from './courses.ts';
import { type Expected, expectedOf, idIn, type Telling } from './expected.ts';
import { follow } from './follow.ts';
import { takingTime } from './scenarios.ts';
import { match, meant, tell } from './story.ts';
import { asked } from './stream.ts';
import { type Observer, patiently, type Told } from './told.ts';

/** What a reader is told who was away for a while. */
interface Resumed extends Done {
  readonly told: readonly Told[];
  readonly matched: ReadonlyMap<Expected, Told>;
  /** The event that was read last. */
  readonly last: string;
  /** What was emitted while nobody read, and afterwards. */
  readonly meanwhile: readonly Expected[];
  readonly since: readonly Expected[];
}

/** A stream goes on after the event that `Last-Event-ID` names, with what was emitted meanwhile (language §6.3). */
export function resumes(
  telling: Telling,
  observer: Observer,
  stream: Operation,
  { course, operation }: Emitting,
): Scenario {
  const { trial, events } = telling;
  const cites = { address: observer.address, at: observer.at };
  const due = (one: Expected): boolean => one.due.value === true;
  const says = (what: string): string => `${stream.key} with Last-Event-ID ${what} (${observer.name})`;
  const observe = async (): Promise<Resumed> => {
    const last = await lastRead();
    const missed = await tell(telling, course);
    const following = await follow(await asked(trial, stream, last));
    try {
      const after = await tell(telling, course);
      const [meanwhile, since] = [missed, after].map((told) =>
        told.flatMap((done) => expectedOf(telling, done)),
      );
      const expected = [...(meanwhile ?? []), ...(since ?? [])];
      const isAll = (): boolean => {
        const matched = meant(telling, expected, following.told);
        return expected.filter(due).every((one) => matched.has(one));
      };
      await patiently(trial, 'events', isAll, following.more);
      const told = [...following.told];
      return {
        ...(after.at(-1) as Done),
        told,
        last,
        meanwhile: meanwhile ?? [],
        since: since ?? [],
        ...match(telling, expected, told),
      };
    } finally {
      await following.close();
    }
  };
  /** Reads until an event came, and goes away. */
  const lastRead = async (): Promise<string> => {
    const following = await follow(await asked(trial, stream));
    try {
      const expected = (await tell(telling, course)).flatMap((done) => expectedOf(telling, done)).filter(due);
      const found = (): Told | undefined => {
        const matched = meant(telling, expected, following.told);
        return expected.every((one) => matched.has(one)) ? following.told.at(-1) : undefined;
      };
      await patiently(trial, 'events', () => found() !== undefined, following.more);
      const told = found();
      const id = told && idIn(telling, told);
      if (!id) throw new Unreached('no event came that the stream could go on after');
      return id;
    } finally {
      await following.close();
    }
  };
  const came = ({ matched }: Resumed, of: readonly Expected[]): boolean =>
    of.some(due) && of.filter(due).every((one) => matched.has(one));
  const goesOn: Check<Resumed> = {
    name: 'event.resumed',
    says: says('tells what was emitted meanwhile'),
    cites,
    guard: (seen) => (seen.meanwhile.some(due) ? yes : unseen('it cannot be told what was emitted')),
    claim: (seen) => ({
      truth: known(came(seen, seen.meanwhile)),
      expected: seen.meanwhile.map(({ name }) => name).join(', '),
      found: came(seen, seen.meanwhile) ? 'so' : `${seen.told.length} events, and not these`,
    }),
  };
  const begins: Check<Resumed> = {
    name: 'event.after',
    says: says('begins after it'),
    cites,
    guard: (seen) => all(seen.told.length > 0 ? yes : unseen('no event came')),
    claim: (seen) => {
      const isAgain = seen.told.some((one) => idIn(telling, one) === seen.last);
      return {
        truth: known(!isAgain),
        expected: 'the events after it',
        found: isAgain ? 'it once more' : 'so',
      };
    },
  };
  const rests = [...restsOf(operation), events.envelope.address];
  return { ...scenario(trial.of, rests, observe, [goesOn, begins]), ...takingTime(trial, course) };
}
