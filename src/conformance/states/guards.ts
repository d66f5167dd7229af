import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Operation } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import type { PlacedTemplate } from '../../specification/templates.ts';
import { type Scenario, type Statement, scenario, unreached } from '../check.ts';
import { live } from '../effects/listing.ts';
import { type Course, carryOut, courses, type Step, withNewKeys } from '../foresee/course.ts';
import { membersOf } from '../item.ts';
import { create, perform } from '../perform.ts';
import { mustRefuse, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { succeeds } from '../success.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { askersOf } from './askers.ts';
import type { Move } from './machines.ts';
import { isJust } from './unlisted.ts';

/** How many requests are tried on each side of an expression: one at its bound tells most. */
const eachSide = 3;

/** Both sides of a guard: where it is true the item is moved, where it is not the request is refused (language §3). */
export function guards(trial: Trial, move: Move): Scenario[] {
  const { when } = move.transition;
  const guard = stated(when);
  if (guard === undefined) return [];
  const reason: Reason = {
    name: 'guard refused',
    subject: `${move.of.resource.name}.${move.name}`,
    failures: [],
  };
  const cites = { address: when.address, at: when.at };
  return askersOf(trial, move).flatMap((operation) =>
    sides(trial, operation, {
      guard,
      cites,
      reason,
      label: `where the guard of ${move.name}`,
      isAbout: ({ foreseen }) => foreseen.moves.includes(move),
    }),
  );
}

/** An expression that must be true of a request or of what it makes, and the condition where it is not. */
export interface Sides {
  readonly guard: PlacedTemplate;
  readonly cites: Statement;
  readonly reason: Reason;
  readonly label: string;
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
    valueAt(last, path[0] === 'value' ? ['request', 'body', about.member ?? ''] : path);
  const kind = (last: Step): string => JSON.stringify(read.map((path) => valueIn({ last }, path)));
  const find = (goal: (step: Step) => boolean): readonly Course[] =>
    courses(trial, operation, (step) => isAbout(step) && goal(step), eachSide, kind);
  const within = find(({ foreseen }) => foreseen.free.value === true);
  const beyond = find((step) => isJust(step, reason));
  const says = (course: Course, holds: string): string => {
    const values = read.map((path) => `${path.join('.')}: ${shownAs(valueIn(course, path))}`);
    return `${operation.key} ${label} ${holds}${values.length > 0 ? ` (${values.join(', ')})` : ''}`;
  };
  const none = (name: string, what: string): Scenario[] => [
    unreached(
      trial.of,
      [{ name, says: `${operation.key} ${label} ${what}`, cites }],
      'no way was found to such an item and request',
    ),
  ];
  const item = (course: Course) => carryOut(trial, subject, course.before);
  const given = ({ last: { body } }: Course) => (body === undefined ? {} : { body });
  return [
    ...(within.length === 0 ? none('succeeds', 'is true') : []),
    ...within.map((course) =>
      scenario(
        trial.of,
        restsOf(operation),
        () =>
          live(trial, subject, async () =>
            course.before.length === 0
              ? await makeBy(trial, course)
              : await perform(trial, operation, { item: await item(course), ...given(course) }),
          ),
        [succeeds(trial, operation, says(course, 'is true'), membersGiven(course), cites)],
      ),
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
            ? await makeBy(trial, course)
            : await perform(trial, operation, { item: found, ...given(course) }),
      }),
    ),
  ];
}

/** A new item by the one request of a course. */
async function makeBy(trial: Trial, { last: { operation, body } }: Course): Promise<Done> {
  return await create(trial, operation, withNewKeys(trial, operation, body));
}

function membersGiven({ last }: Course): readonly string[] {
  return Object.keys(membersOf(last.body) ?? {});
}

/** The members of the item and of the request that an expression reads. */
function readBy({ template }: PlacedTemplate): readonly string[][] {
  const paths = expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax));
  const told = paths.filter(([first, second]) => first === 'this' || first === 'value' || second === 'body');
  const unique = new Map(told.map((path) => [path.join('.'), path]));
  return [...unique.values()];
}

function valueAt({ foreseen, body }: Step, [first, ...rest]: readonly string[]) {
  const item = foreseen.before ?? foreseen.after;
  const [name] = first === 'this' ? rest : rest.slice(1);
  return (first === 'this' ? item?.known.get(name ?? '') : membersOf(body)?.[name ?? '']) ?? null;
}
