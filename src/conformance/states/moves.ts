import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Check, type Scenario, scenario, unreached } from '../check.ts';
import { alsoDone } from '../effects/also.ts';
import { becomes } from '../effects/becomes.ts';
import { liveBy } from '../effects/by-course.ts';
import { entriesOf, followed, isListed, type Lived, leavesOthers, noIdentifier } from '../effects/listing.ts';
import { isAs, memberOf, sights, toldBy } from '../effects/sights.ts';
import { freeCourse } from '../foresee/course.ts';
import { foresee } from '../foresee/foresee.ts';
import { openWays } from '../foresee/open-ways.ts';
import { outlookOf } from '../foresee/outlook.ts';
import type { Step } from '../foresee/tree.ts';
import { answerFound, closed, doesJustThat, isRefusal, stating, succeeded } from '../guards.ts';
import { identityOf, isReadable } from '../item.ts';
import { setTo } from '../kept.ts';
import { hole } from '../partly.ts';
import { before, succeeds } from '../success.ts';
import { operationFor, restsOf, type Trial } from '../trial.ts';
import { fits, shownAs } from '../unify.ts';
import { stayed } from '../unrefused.ts';
import { all, known, type Truth, unknown, unseen, yes } from '../verdict.ts';
import { askersOf } from './askers.ts';
import type { Move } from './machines.ts';

/** Each listed transition, from each state that it leads out of, by each operation that asks for it (language §3). */
export function listedMoves(trial: Trial, move: Move): Scenario[] {
  return askersOf(trial, move).flatMap((operation) =>
    (move.from ?? []).map((state) => {
      const isIt = (step: Step): boolean =>
        step.item?.known.get(move.of.field) === state && step.foreseen.moves.includes(move);
      const says = `${operation.key} of a ${move.of.resource.name} in ${state}`;
      return { ...moving(trial, operation, move, says, isIt, move), about: state };
    }),
  );
}

/** A request that should move an item, found by what it should come to, and what it does. */
export function moving(
  trial: Trial,
  operation: Operation,
  move: Move,
  says: string,
  goal: (step: Step) => boolean,
  cites: Check<Lived>['cites'],
): Scenario {
  const { resource } = move.of;
  const course = freeCourse(trial, operation, goal);
  const about = { address: cites.address, at: cites.at };
  const checks = [succeeds(trial, operation, says, [], about), ...outcomes(trial, operation, move, says)];
  if (course === undefined)
    return unreached(
      trial.of,
      checks,
      'no way was found to such an item and request',
      openWays(trial, resource),
    );
  const observe = (): Promise<Lived> => liveBy(trial, operation, resource, course);
  return scenario(trial.of, [...restsOf(operation), move.address], observe, checks);
}

/** What is to be seen of an item that was moved. */
function outcomes(trial: Trial, operation: Operation, move: Move, says: string): Check<Lived>[] {
  const { resource } = move.of;
  const leaves = [...leavesOthers(trial, operation, resource), ...alsoDone(trial, operation, says, [move])];
  if (move.to === null) return [isGone(trial, operation, move, says), ...leaves];
  return [
    reaches(trial, operation, move, says),
    ...[...(stated(move.transition.set) ?? [])].flatMap(([name]) => sets(trial, operation, move, says, name)),
    becomes(trial, operation, resource, says, { address: move.address, at: move.at }),
    ...isListed(trial, operation, resource),
    ...leaves,
  ];
}

/** Whether what is shown of the item can be held against the move. */
function tells(trial: Trial, operation: Operation, move: Move, seen: Lived): Truth {
  return all(
    succeeded(seen.exchange, operation),
    sights(seen).length === 0 ? unseen(`nothing shows the ${move.of.resource.name}`) : yes,
    doesJustThat(trial.of, operation),
  );
}

/** The state is afterwards the one that the transition leads to. */
function reaches(trial: Trial, operation: Operation, move: Move, says: string): Check<Lived> {
  const { of: machine, transition, to } = move;
  const field = machine.resource.fields.get(machine.field);
  return {
    name: 'transition.to',
    says: `${says} takes it to ${to ?? 'another state'}`,
    cites: { address: transition.to.address, at: transition.to.at },
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        doesJustThat(trial.of, operation),
        toldBy(seen.told, field, to ?? hole()) ? yes : unseen(`nothing shows ${machine.field}`),
        stayed(trial.of, machine.resource, seen.told),
      ),
    claim: (seen) => {
      const told = toldBy(seen.told, field, to ?? hole()) ?? fits(to ?? hole(), undefined);
      return to === undefined ? { ...told, truth: unknown(transition.to.address) } : told;
    },
  };
}

/** What the transition sets is seen, at once and later. */
function sets(trial: Trial, operation: Operation, move: Move, says: string, name: string): Check<Lived>[] {
  const said = stated(move.transition.set)?.get(name);
  const field = move.of.resource.fields.get(name);
  if (said === undefined || field === undefined || !isReadable(field)) return [];
  return [
    {
      name: 'transition.set',
      says: `${says} sets ${name}`,
      cites: { address: said.address, at: said.at },
      guard: (seen) => all(tells(trial, operation, move, seen), closed(trial.of, field.address)),
      claim: (seen) => {
        const { after } = foresee(trial.of, operation, before(seen));
        const foreseen = after ? outlookOf(after).get(name) : undefined;
        const wanted = foreseen === undefined ? undefined : setTo(field, foreseen);
        const found = sights(seen).map((one) => memberOf(one, name));
        const same = found.map((one) =>
          wanted === undefined ? null : isAs(schemaOf(field.shape), wanted, one),
        );
        const truth = same.includes(false)
          ? known(false)
          : same.includes(null)
            ? unseen('it cannot be worked out')
            : yes;
        return {
          truth: stating(said, () => truth),
          expected: shownAs(wanted),
          found: found.map(shownAs).join(', then '),
        };
      },
    },
  ];
}

/** `to: (none)`: the item ceases to be, for whoever lists or reads it. */
function isGone(trial: Trial, operation: Operation, move: Move, says: string): Check<Lived> {
  const { resource } = move.of;
  const reader = operationFor(trial.of, resource, 'read');
  return {
    name: 'transition.gone',
    says: `${says} ends it`,
    cites: { address: move.transition.to.address, at: move.transition.to.at },
    guard: ({ exchange, back, after, item }) =>
      all(
        succeeded(exchange, operation),
        back || after ? yes : unseen(`nothing shows the ${resource.name}`),
        item && identityOf(item) ? yes : unseen(noIdentifier),
        after ? followed(after) : yes,
        reader ? doesJustThat(trial.of, reader) : yes,
      ),
    claim: ({ back, after = [], item }) => {
      const isRead = back ? isRefusal(back.exchange, reader) : yes;
      const left = entriesOf(after, item, { shown: undefined, lens: null }).length;
      return {
        truth: all(isRead, known(left === 0)),
        expected: 'not listed, and a refusal to whoever reads it',
        found: `${left} times in the list; ${back ? answerFound(back.exchange) : 'not read'}`,
      };
    },
  };
}
