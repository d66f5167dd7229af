import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { isFree } from '../access/schemes.ts';
import { bytes } from '../bytes/bytes.ts';
import { ranges } from '../bytes/ranges.ts';
import {
  type Check,
  type Described,
  notKnown,
  type Plan,
  type Scenario,
  scenario,
  unreached,
} from '../check.ts';
import { conditional } from '../conditional/conditional.ts';
import { ofOwnShape } from '../constraints.ts';
import { cors } from '../cors.ts';
import { derivedElsewhere } from '../derived.ts';
import { effects } from '../effects.ts';
import { succeeded } from '../guards.ts';
import { sent } from '../media/sent.ts';
import { medias } from '../media/taken.ts';
import { parameters } from '../parameters.ts';
import { paths } from '../paths/paths.ts';
import { protocol } from '../protocol.ts';
import { derivedOfReferrers } from '../referrers.ts';
import { refusing } from '../refusing.ts';
import { repeats } from '../repeats.ts';
import { sample, varied } from '../sample.ts';
import { before, deed, looksAsStated, succeeds } from '../success.ts';
import { type Done, heldUp, restsOf, type Trial } from '../trial.ts';
import { isOnlyUnforeseen, unexercised } from '../unexercised.ts';
import { nothingRefuses } from '../unrefused.ts';
import { all, unknown } from '../verdict.ts';

/** Part 4: what each endpoint does and answers (language §4). */
export function checks(trial: Trial): Plan[] {
  const { of } = trial;
  const runnable = of.operations.filter((operation) => heldUp(of, operation) === null);
  return [
    ...of.operations
      .filter((operation) => !runnable.includes(operation) && !isAboutWho(trial, operation))
      .map((operation) => () => [
        heldBack(trial, operation, heldUp(of, operation)),
        ...(isOnlyUnforeseen(of, operation) ? ofOwnShape(trial, operation) : []),
      ]),
    ...ofOperations(
      trial,
      runnable.filter((operation) => !isAboutEvery(operation)),
    ),
    () => protocol(trial, runnable),
  ];
}

/** What is judged in part 5: whether somebody is let in. */
function isAboutWho({ of, persona }: Trial, operation: Operation): boolean {
  const verb = stated(operation.does)?.verb;
  if (persona === null) return false;
  return verb === 'revoke' || (verb === 'authenticate' && isFree(of, operation));
}

/** The checks of what is done to every item at once: after them nothing may be left. */
export function emptying(trial: Trial): Plan[] {
  return ofOperations(
    trial,
    trial.of.operations.filter(
      (operation) => isAboutEvery(operation) && heldUp(trial.of, operation) === null,
    ),
  );
}

function isAboutEvery({ does }: Operation): boolean {
  return stated(does)?.subject.kind === 'every';
}

/** What each of them does comes before anything else of any. */
function ofOperations(trial: Trial, operations: readonly Operation[]): Plan[] {
  const plans = [deeds, paths, medias, sent, ofOwnShape, parameters, unstatedQuery, cors];
  return plans.flatMap((plan) => operations.map((operation) => () => plan(trial, operation)));
}

/** What the operation does; one that only answers (`does: (none)`) is seen in its answer alone. */
function deeds(trial: Trial, operation: Operation): Scenario[] {
  const { subject, does } = operation;
  if (does.kind !== 'stated') {
    const checks = [succeeds(trial, operation, operation.key, []), ...looksAsStated(trial, operation)];
    return [scenario(trial.of, restsOf(operation), () => sample(trial, operation), checks)];
  }
  const found = subject ? effects(trial, operation, subject) : [];
  const change = `${does.value.verb}${does.value.subject.kind === 'every' ? ' every' : ''}`;
  if (subject && found.length > 0)
    return [
      ...found,
      ...(does.value.verb === 'read'
        ? [
            ...derivedElsewhere(trial, operation, subject),
            ...derivedOfReferrers(trial, operation, subject),
            ...bytes(trial, operation, subject),
            ...ranges(trial, operation, subject),
          ]
        : []),
      ...conditional(trial, operation, subject),
      ...repeats(trial, operation, subject),
    ];
  return found.length > 0 ? found : [heldBack(trial, operation, `this version does not exercise ${change}`)];
}

/** The checks of an operation that is not exercised, with the reason: what is stated of it is never passed over. */
function heldBack(trial: Trial, operation: Operation, reason: string | null): Scenario {
  const { key } = operation;
  const checks: readonly Described[] = [
    { name: 'succeeds', says: `${key} does what is stated`, cites: deed(operation) },
    ...looksAsStated(trial, operation),
  ];
  const word = unexercised(trial.of, operation).find((one) => one.word !== undefined)?.word;
  if (word !== undefined) return notKnown(trial.of, checks, word);
  return unreached(trial.of, checks, reason ?? 'it cannot be exercised');
}

/** A query parameter that nobody stated is as `others` says (language §4.2). */
function unstatedQuery(trial: Trial, operation: Operation): Scenario[] {
  const { of, random } = trial;
  const { request, key } = operation;
  const others = request && stated(request.others);
  const said = others?.query ?? request?.others;
  if (
    !request ||
    !said ||
    (said.kind === 'open' && request.body.kind === 'open' && request.query.kind === 'open')
  )
    return [];
  const name = `unstated${random.letters(6)}`;
  const query = `${name}=1`;
  const cites = { address: said.address, at: said.at };
  const says = `${key} with the query parameter ${name}, which nobody stated,`;
  if (others && stated(others.query) === 'refuse')
    return [
      refusing(trial, {
        says,
        operation,
        cites,
        reasons: [
          {
            name: 'invalid',
            subject: `query.${name}`,
            failures: [{ field: name, keyword: 'others', value: '1', limit: null, about: `query.${name}` }],
          },
        ],
        ...varied(trial, operation, () => ({ query })),
      }),
    ];
  const silent = said.kind === 'open' ? [unknown(said.address)] : [];
  const ignored: Check<Done> = {
    ...succeeds(trial, operation, says, [], cites),
    name: 'others.ignore',
    guard: (done) => all(...silent, nothingRefuses(of, operation, [], before(done), done.exchange)),
  };
  const looks =
    said.kind === 'open'
      ? []
      : looksAsStated(trial, operation).filter((check) => check.name === 'answer.status');
  return [
    scenario(of, restsOf(operation), () => sample(trial, operation, { query }), [
      ignored,
      ...looks.map((check) => ({ ...check, guard: ({ exchange }: Done) => succeeded(exchange, operation) })),
    ]),
  ];
}
