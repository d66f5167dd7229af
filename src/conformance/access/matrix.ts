import { ruleOf } from '../../specification/authorization.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Authentication } from '../../specification/parts/authentication.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Refusing, Watched } from '../answered.ts';
import { bodyOf } from '../body.ts';
import {
  type Check,
  ifReached,
  type Scenario,
  type Statement,
  scenario,
  Unreached,
  unreached,
} from '../check.ts';
import { answerFound } from '../guards.ts';
import { header } from '../http.ts';
import type { Members } from '../item.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { make, perform } from '../perform.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor, isAboutOne } from '../request.ts';
import { sample, varied } from '../sample.ts';
import { succeeds } from '../success.ts';
import { type Attempt, type Done, operationFor, restsOf, type Trial } from '../trial.ts';
import { known, not, type Truth } from '../verdict.ts';

import { admits, hasItemRule } from './admits.ts';
import { type Fault, faults } from './faults.ts';
import { leavesOut } from './leaves-out.ts';
import type { Persona } from './persona.ts';
import { type Carried, carry, nothing, together } from './presenting.ts';
import { alternativesOf, carriedBy, isAboutSelf, isFree, schemesOf } from './schemes.ts';
import { enter } from './wallet.ts';

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
    letIn(trial, operation, cites),
    ...(hasItemRule(of, operation) && operation.subject && stated(operation.does)?.verb === 'list'
      ? [leavesOut(trial, operation, operation.subject, cites)]
      : []),
    ...(hasItemRule(of, operation) && isAboutOne(operation) ? [byAnother(trial, operation, cites)] : []),
  ];
}

/** Whether the rule refuses somebody, of an item where there is one. */
function refuses(trial: Trial, operation: Operation, as: Persona | null, item: Item | undefined): Truth {
  const names = namesFor(trial, { operation, request: null, as, ...(item && { item }) });
  return not(admits(trial.of, operation, names));
}

function withNothing(trial: Trial, operation: Operation, cites: Statement): Scenario[] {
  const { of } = trial;
  if (isFree(of, operation)) {
    const check = succeeds(trial, operation, `${operation.key} without a credential`, [], cites);
    return [scenario(of, restsOf(operation), () => sample(trial, operation, { as: null }), [check])];
  }
  const must = refuses(trial, operation, null, undefined);
  // What nobody is let in to is left out of a list (language §5.5).
  if (must.value === false) return [];
  const { subject } = operation;
  const about = { operation, cites, reasons: [missing], more: challenges(trial, operation) };
  const without = (how: string, carried: () => Carried): Scenario => {
    const says = `${operation.key} ${how}`;
    const asNobody = () => ({ as: null, carried: carried() });
    if (subject === null || must.value === true)
      return refusing(trial, { ...about, says, must, ...varied(trial, operation, asNobody) });
    return lazily(trial, says, cites, async () => {
      const item = await closedTo(trial, operation, subject, null);
      const send = () => sampleOf(trial, operation, item, asNobody());
      const isOut = refuses(trial, operation, null, item);
      return refusing(trial, { ...about, says, must: isOut, item: () => Promise.resolve(item), send });
    });
  };
  const words = otherWord(trial, operation);
  return [
    without('without a credential', () => nothing),
    ...(words ? [without('with a credential after another word', words)] : []),
  ];
}

/** The credential after a word that no scheme has; null where none stands after a word. */
function otherWord(trial: Trial, operation: Operation): (() => Carried) | null {
  const isAfterWord = alternativesOf(trial.of, operation).some((all) =>
    all.some((name) => {
      const scheme = schemesOf(trial.of).get(name);
      return scheme && ['http', 'oauth2', 'openIdConnect'].includes(stated(scheme.type) ?? '');
    }),
  );
  if (!isAfterWord) return null;
  return () => {
    const { headers, query } = carriedBy(trial.of, operation, trial.persona);
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
  const mustBe = refuses(trial, operation, null, undefined);
  return alternativesOf(of, operation).flatMap((all) =>
    all.flatMap((name) => {
      const scheme = schemesOf(of).get(name);
      if (scheme === undefined || !all.every((one) => trial.persona?.credentials.has(one))) return [];
      // Whether it is refused where none is needed is a choice, unless it is stated (language §F.1).
      const isStated = stated(scheme.wrong) === 'refuse';
      if (!isStated && mustBe.value !== true) return [];
      const cites = isStated
        ? { address: scheme.wrong.address, at: scheme.wrong.at }
        : { address: scheme.credentials.address, at: scheme.credentials.at };
      return faults.flatMap(([what, make]) => {
        const about: Refusing = {
          says: `${operation.key} with ${what} for ${name}`,
          operation,
          cites,
          reasons: [wrong],
          ...varied(trial, operation, () => ({ as: null, carried: carrying(trial, all, name, make) })),
        };
        return refusing(trial, about);
      });
    }),
  );
}

function carrying(trial: Trial, all: readonly string[], fault: string, make: Fault): Carried {
  const carried = all.map((name) => {
    const scheme = schemesOf(trial.of).get(name);
    const credential = trial.persona?.credentials.get(name) ?? '';
    return (scheme && carry(scheme, name === fault ? make(credential, trial) : credential)) ?? nothing;
  });
  return together(carried);
}

/** Whoever the rule is known to let in is let in; whoever it is known not to is not authorized. */
function letIn(trial: Trial, operation: Operation, cites: Statement): Scenario {
  const { of, persona } = trial;
  const says = `${operation.key} with a good credential`;
  const turnedAway = isAboutOne(operation) ? null : refuses(trial, operation, persona, undefined);
  if (persona !== null && turnedAway?.value === true && !hasItemRule(of, operation))
    return refusing(trial, {
      says: `${says} of somebody whom the rule does not let in`,
      operation,
      cites,
      reasons: [{ name: 'not authorized', subject: '', failures: [] }],
      ...varied(trial, operation, () => ({})),
    });
  const check = succeeds(trial, operation, says, [], cites);
  return scenario(of, restsOf(operation), () => sample(trial, operation), [check]);
}

/** Somebody else asks for an item that the rule lets only its owner to (language §5.5). */
function byAnother(trial: Trial, operation: Operation, cites: Statement): Scenario {
  const { subject } = operation;
  if (subject === null || isAboutSelf(trial.of, operation)) return letIn(trial, operation, cites);
  let other: Persona | null = null;
  const says = `${operation.key} of another's ${subject.name}`;
  return lazily(trial, says, cites, async () => {
    other = await enter(trial);
    if (other === null) throw new Unreached('nobody else could be made to ask');
    const item = await closedTo(trial, operation, subject, other);
    const must = refuses(trial, operation, other, item);
    return refusing(trial, {
      says,
      operation,
      cites,
      reasons: [{ name: 'not authorized', subject: subject.name, failures: [] }],
      must,
      item: () => Promise.resolve(item),
      send: () => sampleOf(trial, operation, item, { as: other }),
    });
  });
}

/** A usual request about an item. */
async function sampleOf(trial: Trial, operation: Operation, item: Item, attempt: Attempt): Promise<Done> {
  const body = await ifReached(async () => bodyFor(trial, operation, 'most'));
  return await perform(trial, operation, { item, ...(body !== undefined && { body }), ...attempt });
}

/** An item that the rule is known not to let somebody to, where there is one. */
async function closedTo(
  trial: Trial,
  operation: Operation,
  of: Resource,
  other: Persona | null,
): Promise<Item> {
  const maker = operationFor(trial.of, of, 'create');
  const fields = maker ? [...(bodyOf(trial.of, maker)?.fields.values() ?? [])] : [];
  const booleans = fields.filter(({ shape }) => stated(shape.keywords.get('type')) === 'boolean');
  const all = (value: boolean): Members =>
    Object.fromEntries(booleans.map(({ name }) => [name, value] as const));
  let item: Item | undefined;
  for (const members of [{}, all(false), all(true)]) {
    item = (await make(trial, of, members)).item;
    if (refuses(trial, operation, other, item).value === true) break;
  }
  return item as Item;
}

/** A scenario that is planned once what it takes is there. */
function lazily(trial: Trial, says: string, cites: Statement, plan: () => Promise<Scenario>): Scenario {
  return {
    run: async () => {
      try {
        return await (await plan()).run();
      } catch (error) {
        if (!(error instanceof Unreached)) throw error;
        const check = { name: 'refused', says: `${says} is refused`, cites };
        return await unreached(trial.of, [check], error.message).run();
      }
    },
  };
}
