import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Authentication } from '../../specification/vocabulary/parts/authentication.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Watched } from '../answered.ts';
import { type Check, type Scenario, type Statement, scenario } from '../check.ts';
import { answerFound } from '../guards.ts';
import { header } from '../http.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { isAboutOne } from '../request.ts';
import { sample, varied } from '../sample.ts';
import { succeeds } from '../success.ts';
import { type Attempt, restsOf, type Trial } from '../trial.ts';
import { known } from '../verdict.ts';
import { hasItemRule } from './admits.ts';
import { atOnce } from './at-once.ts';
import { closedTo, lazily, sampleOf } from './closed.ts';
import { type Fault, faultsOf } from './faults.ts';
import { leavesOut } from './leaves-out.ts';
import type { Persona } from './persona.ts';
import { troupe } from './personas.ts';
import { type Carried, carry, nothing, together } from './presenting.ts';
import { alternativesOf, isFree, kindOf, schemesOf } from './schemes.ts';
import { byOthers, calledIn, strangers, underAnothers } from './strangers.ts';
import { bodyOfIt, letIn, refuses, turnedAway } from './turned-away.ts';

const missing: Reason = { name: 'credential missing', subject: '', failures: [] };
const wrong: Reason = { name: 'credential wrong', subject: '', failures: [] };

/** Each operation by who asks: nobody, with a credential that is not good, somebody, somebody else (language §5). */
export function matrix(trial: Trial, part: Authentication, operation: Operation): Scenario[] {
  const { of } = trial;
  const rule = ruleOf(part, operation);
  const cites = { address: rule.address, at: rule.at };
  return [
    ...withNothing(trial, operation, cites),
    ...withWrong(trial, operation),
    ...atOnce(trial, part, operation),
    ...withGood(trial, operation, cites),
    ...strangers(trial, operation, cites),
    ...(hasItemRule(of, operation) && operation.subject && stated(operation.does)?.verb === 'list'
      ? troupe(trial).map((_, index) =>
          leavesOut(
            trial,
            operation,
            operation.subject as Resource,
            cites,
            () => troupe(trial)[index] as Persona,
          ),
        )
      : []),
    ...(hasItemRule(of, operation) && isAboutOne(operation) ? byOthers(trial, operation, cites) : []),
    ...underAnothers(trial, operation, cites),
  ];
}

function withNothing(trial: Trial, operation: Operation, cites: Statement): Scenario[] {
  const { of } = trial;
  if (isFree(of, operation)) {
    const check = succeeds(trial, operation, `${operation.key} without a credential`, [], cites);
    return [scenario(of, restsOf(operation), () => sample(trial, operation, { as: null }), [check])];
  }
  const free = letIn(trial, operation, null);
  const some = () => ({ as: null, ...bodyOfIt(trial, operation, free) });
  const admitted = `${operation.key} without a credential, where none is needed,`;
  const enters =
    free.body !== undefined && free.must.value === true
      ? [
          scenario(of, restsOf(operation), () => sample(trial, operation, some()), [
            succeeds(trial, operation, admitted, [], cites),
          ]),
        ]
      : [];
  const said = turnedAway(trial, operation, null);
  const { must } = said;
  // What nobody is let in to is left out of a list (language §5.5).
  if (must.value === false) return enters;
  const { subject } = operation;
  const about = { operation, cites, reasons: [missing], more: challenges(trial, operation) };
  const without = (how: string, carried: () => Carried): Scenario => {
    const says = `${operation.key} ${how}`;
    const asNobody = () => ({ as: null, carried: carried(), ...bodyOfIt(trial, operation, said) });
    if (subject === null || must.value === true)
      return refusing(trial, { ...about, says, must, ...varied(trial, operation, asNobody) });
    return lazily(trial, says, cites, async () => {
      const item = await closedTo(trial, operation, subject, null);
      const send = () => sampleOf(trial, operation, item, asNobody());
      const isOut = refuses(trial, operation, null, { item });
      return refusing(trial, { ...about, says, must: isOut, item: () => Promise.resolve(item), send });
    });
  };
  const words = otherWord(trial, operation);
  return [
    ...enters,
    without('without a credential', () => nothing),
    ...(words ? [without('with a credential after another word', words)] : []),
  ];
}

/** The credential after a word that no scheme has; null where none stands after a word. */
function otherWord(trial: Trial, operation: Operation): (() => Carried) | null {
  const after = alternativesOf(trial.of, operation).find((all) =>
    all.some((name) => {
      const scheme = schemesOf(trial.of).get(name);
      return scheme && ['http', 'oauth2', 'openIdConnect'].includes(stated(scheme.type) ?? '');
    }),
  );
  if (after === undefined || holderOf(trial, after) === undefined) return null;
  return () => {
    const { headers, query } = carrying(trial, after, (credential) => credential);
    return { query, headers: headers.map(([name, value]) => [name, value.replace(/^\S+ /, 'Unstated ')]) };
  };
}

/** A 401 tells by which schemes one may ask (language §5.1, `challenge`). */
function challenges({ of }: Trial, operation: Operation): Check<Watched>[] {
  const admitted = new Set(alternativesOf(of, operation).flat());
  return [...schemesOf(of)].flatMap(([name, { challenge }]): Check<Watched>[] => {
    if (!admitted.has(name) || challenge.kind !== 'stated') return [];
    return [
      {
        name: 'authentication.challenge',
        says: `${operation.key} without a credential is answered with the challenge of ${name}`,
        cites: { address: challenge.address, at: challenge.at },
        guard: ({ exchange }) =>
          known(exchange.response?.status === 401, `the answer was ${answerFound(exchange)}`),
        claim: ({ exchange }) => {
          const found = header(exchange.response, 'www-authenticate');
          return {
            truth: known(found?.includes(challenge.value) === true),
            expected: challenge.value,
            found: found ?? 'no WWW-Authenticate',
          };
        },
      },
    ];
  });
}

/** Credentials that are not good, of each scheme by which the operation may be asked for. */
function withWrong(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const said = turnedAway(trial, operation, null);
  return alternativesOf(of, operation).flatMap((all) =>
    all.flatMap((name) => {
      const scheme = schemesOf(of).get(name);
      const good = holderOf(trial, all)?.credentials.get(name);
      if (scheme === undefined || good === undefined) return [];
      const faults = faultsOf(trial, name, good);
      const attempt = (make: Fault, body: Pick<Attempt, 'body'>): Attempt => ({
        as: null,
        carried: carrying(trial, all, (credential, of) =>
          of === name ? make(credential, trial) : credential,
        ),
        ...body,
      });
      const isRefused = stated(scheme.wrong) === 'refuse';
      const stating = isRefused || said.must.value !== true ? scheme.wrong : scheme.credentials;
      const cites = { address: stating.address, at: stating.at };
      const free = letIn(trial, operation, null);
      // Only where none is needed does it show that a wrong one is not taken for none.
      const telling = isRefused && free.must.value === true ? free : said;
      // Whether it is refused where none is needed is a choice, unless it is stated (language §F.1).
      if (isRefused || said.must.value === true)
        return faults.flatMap(([what, make]) =>
          refusing(trial, {
            says: `${operation.key} with ${what} for ${name}`,
            operation,
            cites,
            reasons: [wrong],
            ...varied(trial, operation, () => attempt(make, bodyOfIt(trial, operation, telling))),
          }),
        );
      if (stated(scheme.wrong) !== 'ignore' || all.length > 1 || free.must.value !== true) return [];
      return faults.map(([what, make]) => {
        const observe = () => sample(trial, operation, attempt(make, bodyOfIt(trial, operation, free)));
        const says = `${operation.key} with ${what} for ${name}, where none is needed,`;
        return scenario(of, restsOf(operation), observe, [succeeds(trial, operation, says, [], cites)]);
      });
    }),
  );
}

/** Credentials of all these schemes at once, each as it is made of the one that somebody has. */
function carrying(
  trial: Trial,
  all: readonly string[],
  make: (credential: string, scheme: string) => string,
): Carried {
  const holder = holderOf(trial, all);
  const carried = all.map((name) => {
    const scheme = schemesOf(trial.of).get(name);
    return (scheme && carry(scheme, make(holder?.credentials.get(name) ?? '', name))) ?? nothing;
  });
  return together(carried);
}

/** Somebody who has credentials of all these schemes. */
function holderOf(trial: Trial, all: readonly string[]): Persona | undefined {
  return troupe(trial).find((one) => all.every((name) => one.credentials.has(name)));
}

/** Whoever the rule is known to let in is let in: the usual one, and one of each other kind (language §5.5). */
function withGood(trial: Trial, operation: Operation, cites: Statement): Scenario[] {
  const { of } = trial;
  const enters = (says: string, attempt: () => Attempt): Scenario =>
    scenario(of, restsOf(operation), () => sample(trial, operation, attempt()), [
      succeeds(trial, operation, `${operation.key} ${says}`, [], cites),
    ]);
  const others = trial.cast.flatMap((as) => {
    if (kindOf(of, operation, as) === null || isFree(of, operation)) return [];
    const said = letIn(trial, operation, as);
    if (said.must.value !== true) return [];
    return enters(`by ${calledIn(of, as)}`, () => ({ as, ...bodyOfIt(trial, operation, said) }));
  });
  return [enters('with a good credential', () => ({})), ...others];
}
