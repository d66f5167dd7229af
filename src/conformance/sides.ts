import { equal } from '../expression/functions.ts';
import { pathsIn } from '../expression/template.ts';
import { instant, secondsOf } from '../expression/time.ts';
import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { PlacedTemplate } from '../specification/reading/templates.ts';
import { type Check, type Scenario, type Statement, scenario, unreached } from './check.ts';
import type { CheckName } from './check-names.ts';
import { becomes } from './effects/becomes.ts';
import { liveBy } from './effects/by-course.ts';
import { type Course, carryOut, courses } from './foresee/course.ts';
import { reasonsIn } from './foresee/foresee.ts';
import { withNewKeys } from './foresee/going.ts';
import { openWays } from './foresee/open-ways.ts';
import type { Step } from './foresee/tree.ts';
import { membersOf } from './item.ts';
import { mayBeTaken } from './keys.ts';
import { create, isFree, perform } from './perform.ts';
import { mustRefuse, type Reason } from './refusal.ts';
import { refusing } from './refusing.ts';
import { withBody } from './request.ts';
import { succeeds } from './success.ts';
import { type Done, restsOf, type Trial } from './trial.ts';
import { shownAs } from './unify.ts';
import { all as every } from './verdict.ts';

/**
 * How many requests are foreseen, and how many of them are tried on each side of an expression, and in each way to the
 * other side: one at the bound tells most.
 */
const most = { foreseen: 400, eachSide: 7, eachWay: 2 };

/** An expression that must be true of a request or of what it makes, and the condition where it is not. */
export interface Sides {
  readonly guard: PlacedTemplate;
  readonly cites: Statement;
  readonly reason: Reason;
  readonly label: string;
  /** Whether it is judged of the item as it was, or as it would be. */
  readonly of: 'before' | 'after';
  readonly isAbout: (step: Step) => boolean;
  /** The member that `value` is, where it is one (language §2, `holds`). */
  readonly member?: string;
}

/** Requests on both sides of an expression: those of which it is true succeed, the others are refused. */
export function sides(trial: Trial, operation: Operation, about: Sides): Scenario[] {
  const { cites, reason, label, isAbout } = about;
  const { subject } = operation;
  if (subject === null) return [];
  const read = readBy(about.guard);
  const valueIn = ({ last }: Pick<Course, 'last'>, path: readonly string[]) =>
    valueAt(last, path[0] === 'value' ? ['request', 'body', about.member ?? ''] : path, about.of);
  const kind = (last: Step): string => JSON.stringify(read.map((path) => valueIn({ last }, path)));
  const find = (goal: (step: Step) => boolean): readonly Course[] =>
    courses(trial, operation, (step) => isAbout(step) && goal(step), most.foreseen, kind);
  const allWithin = find(({ foreseen }) => foreseen.free.value === true);
  const isIt = ({ foreseen }: Step): boolean =>
    foreseen.judged.some(({ address, holds }) => address === cites.address && holds.value === true);
  const allBeyond = find((step) => isJust(step, reason) && isIt(step));
  const values = (course: Course): readonly Json[] => read.map((path) => valueIn(course, path));
  const within = nearest(allWithin, allBeyond, values);
  const beyond = nearest(allBeyond, allWithin, values);
  const says = (course: Course, holds: string): string => {
    const shown = read.map((path) => `${path.join('.')}: ${shownAs(valueIn(course, path))}`);
    return `${operation.key} ${label} ${holds}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}`;
  };
  const none = (name: CheckName, what: string): Scenario[] => [
    unreached(
      trial.of,
      [{ name, says: `${operation.key} ${label} ${what}`, cites }],
      'no way was found to such an item and request',
      openWays(trial, subject),
    ),
  ];
  const item = (course: Course) => carryOut(trial, subject, course.before);
  const isRead = read.map(
    (path) => (path[0] === 'value' ? about.member : path[path[0] === 'this' ? 1 : 2]) ?? '',
  );
  const given = ({ last }: Course): Json | undefined => withNewKeys(trial, operation, last.body, isRead);
  const taken = isRead.filter((name) => mayBeTaken(subject, name));
  const succeedsAs = (label: string, given: readonly string[]): Check<Done> => {
    const should = succeeds(trial, operation, label, given, cites);
    // What it reads is given as it is, though another item may have it.
    return { ...should, guard: (done) => every(should.guard(done), isFree(trial.of, done, taken, taken)) };
  };
  return [
    ...(within.length === 0 ? none('succeeds', 'is true') : []),
    ...within.map((course) =>
      scenario(trial.of, restsOf(operation), () => liveBy(trial, operation, subject, course, isRead), [
        succeedsAs(says(course, 'is true'), membersGiven(course)),
        ...(about.of === 'after' && course.before.length > 0
          ? [becomes(trial, operation, subject, says(course, 'is true'))]
          : []),
      ]),
    ),
    ...(beyond.length === 0 ? none('refused', 'is false') : []),
    ...beyond.map((course) =>
      refusing(trial, {
        says: says(course, 'is false'),
        operation,
        cites,
        reasons: [reason],
        must: mustRefuse(trial.of, operation, reason),
        members: membersGiven(course),
        ...(course.before.length > 0 ? { item: () => item(course) } : {}),
        send: async (found) =>
          found === undefined
            ? await create(trial, operation, given(course), { stays: true })
            : await perform(trial, operation, { item: found, ...withBody(given(course)) }),
      }),
    ),
  ];
}

/**
 * Of the courses on one side, for each way in which they come to the other (this member is another, or that one), the
 * nearest, where an expression that is slightly off shows; and the farthest of all.
 */
function nearest(
  own: readonly Course[],
  others: readonly Course[],
  values: (course: Course) => readonly Json[],
): readonly Course[] {
  const across = others.map(values);
  const ranked = own.map((course) => {
    const here = values(course);
    const all = across.map((there) => ({ there, far: apart(here, there) }));
    const first = all.reduce((best, one) => (one.far < best.far ? one : best), {
      there: here,
      far: Infinity,
    });
    return { course, far: first.far, way: here.map((one, index) => equal(one, first.there[index] ?? null)) };
  });
  const sorted = ranked.sort((a, b) => a.far - b.far);
  const taken = new Map<string, number>();
  const near = sorted.filter(({ way }) => {
    const count = (taken.get(way.join()) ?? 0) + 1;
    taken.set(way.join(), count);
    return count <= most.eachWay;
  });
  const few = near.slice(0, most.eachSide - 1);
  return [...new Set([...few, ...sorted.slice(-1)])].map(({ course }) => course);
}

/** A time as days since 1970; anything else as it is. */
function measured<T>(value: T): T | number {
  return instant(value) === value ? value : secondsOf(value) / 86_400;
}

/** How far values of two kinds are from one another: farther than any that can be compared. */
const unlike = 1e9;

function apart(a: readonly Json[], b: readonly Json[]): number {
  const each = a.map(measured).map((one, index) => {
    const other = measured(b[index]);
    if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other);
    if (equal(one, other)) return 0;
    return typeof one === typeof other ? 1 : unlike;
  });
  return each.reduce((sum, one) => sum + one, 0);
}

function membersGiven({ last }: Course): readonly string[] {
  return Object.keys(membersOf(last.body) ?? {});
}

/** The members of the item and of the request that an expression reads. */
function readBy({ template }: PlacedTemplate): readonly (readonly string[])[] {
  const paths = pathsIn(template);
  const told = paths.filter(([first, second]) => first === 'this' || first === 'value' || second === 'body');
  const unique = new Map(told.map((path) => [path.join('.'), path]));
  return [...unique.values()];
}

function valueAt({ foreseen, body }: Step, [first, ...rest]: readonly string[], of: Sides['of']) {
  const item = foreseen[of] ?? foreseen.after;
  const [name] = first === 'this' ? rest : rest.slice(1);
  return (first === 'this' ? item?.known.get(name ?? '') : membersOf(body)?.[name ?? '']) ?? null;
}

/** Whether a condition surely holds of a request, and no other one that may be foreseen. */
export function isJust({ foreseen }: Step, reason: Reason): boolean {
  const reasons = reasonsIn(foreseen);
  const [only] = reasons;
  return (
    reasons.length === 1 &&
    only?.name === reason.name &&
    only.subject === reason.subject &&
    foreseen.judged.every(({ holds }) => holds.value !== null)
  );
}
