import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Scenario, type Statement, scenario, Unreached, unreached } from '../check.ts';
import { succeeded } from '../guards.ts';
import { namesFor } from '../names.ts';
import { perform } from '../perform.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { sample, varied } from '../sample.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { type Done, heldUp, restsOf, type Trial } from '../trial.ts';
import { admits } from './admits.ts';
import type { Persona } from './persona.ts';
import { carry } from './presenting.ts';
import { alternativesOf, isFree, schemesOf } from './schemes.ts';

const wrong: Reason = { name: 'credential wrong', subject: '', failures: [] };

/** A credential that this service issued ends when it is revoked, and when its life is over (language §5.2). */
export function lives(trial: Trial): Scenario[] {
  const { of } = trial;
  return [...schemesOf(of)].flatMap(([name, { credentials }]) => {
    const issued = stated(credentials);
    const operation = of.operations.find((one) => isAskedBy(trial, one, name));
    if (issued?.kind !== 'issued' || operation === undefined) return [];
    const revoking = of.operations.filter((one) => {
      const change = stated(one.does);
      return change?.verb === 'revoke' && change.subject.name === name;
    });
    const life = stated(issued.life);
    const cites = { address: issued.life.address, at: issued.life.at };
    return [
      ...revoking.flatMap((one) => [
        ends(trial, one),
        revoked(trial, operation, name, one),
        leavesOthers(trial, operation, one),
      ]),
      ...(life === undefined ? [] : [expired(trial, operation, name, life, cites)]),
    ];
  });
}

/** Whether a credential of this scheme alone is what an operation wants. */
function isAskedBy(trial: Trial, operation: Operation, scheme: string): boolean {
  const { of, persona } = trial;
  if (isFree(of, operation) || heldUp(of, operation) !== null) return false;
  const lets = admits(of, operation, namesFor(trial, { operation, request: null, as: persona }));
  const isWanted = alternativesOf(of, operation).some((all) => all.length === 1 && all[0] === scheme);
  return isWanted && lets.value === true;
}

/** A request with a credential of somebody's that was good once, after what ended it. */
function ended(
  trial: Trial,
  operation: Operation,
  scheme: string,
  what: string,
  cites: Statement,
  end: (persona: Persona) => Promise<void>,
): Scenario {
  let credential: string | undefined;
  const { send, item } = varied(trial, operation, () => {
    const of = schemesOf(trial.of).get(scheme);
    const carried = of && credential !== undefined ? carry(of, credential) : null;
    if (carried === null) throw new Unreached('no such credential could be come by');
    return { as: null, carried };
  });
  return refusing(trial, {
    says: `${operation.key} with a credential of ${scheme} ${what}`,
    operation,
    cites,
    reasons: [wrong],
    send,
    item: async () => {
      const persona = await trial.enter();
      credential = persona?.credentials.get(scheme);
      if (persona === null || credential === undefined) throw new Unreached('nobody could be made to ask');
      const done = await sample(trial, operation, { as: persona });
      if (succeeded(done.exchange, operation).value !== true)
        throw new Unreached('the credential was not good to begin with');
      await end(persona);
      // Where it expired meanwhile, another was come by, and that is the one that was ended.
      if (persona.credentials.get(scheme) !== credential) throw new Unreached('the credential was replaced');
      return await item?.();
    },
  });
}

/** What ends a credential answers as it is stated. */
function ends(trial: Trial, by: Operation): Scenario {
  const cites = { address: by.does.address, at: by.does.at };
  const observe = async (): Promise<Done> => {
    const as = await trial.enter();
    if (as === null) throw new Unreached('nobody could be made to ask');
    return await perform(trial, by, { as });
  };
  return scenario(trial.of, restsOf(by), observe, [
    succeeds(trial, by, by.key, [], cites),
    ...looksAsStated(trial, by),
  ]);
}

/** What ends one credential leaves another's as it is. */
function leavesOthers(trial: Trial, operation: Operation, by: Operation): Scenario {
  const cites = { address: by.does.address, at: by.does.at };
  const observe = async (): Promise<Done> => {
    const [one, other] = [await trial.enter(), await trial.enter()];
    if (one === null || other === null) throw new Unreached('nobody could be made to ask');
    const done = await perform(trial, by, { as: one });
    if (succeeded(done.exchange, by).value !== true) throw new Unreached(`${by.key} was not carried out`);
    return await sample(trial, operation, { as: other });
  };
  const says = `${operation.key} with a credential other than the one that ${by.key} ended`;
  return scenario(trial.of, restsOf(operation), observe, [succeeds(trial, operation, says, [], cites)]);
}

function revoked(trial: Trial, operation: Operation, scheme: string, by: Operation): Scenario {
  const cites = { address: by.does.address, at: by.does.at };
  return ended(trial, operation, scheme, `that ${by.key} ended`, cites, async (as) => {
    const done = await perform(trial, by, { as });
    if (succeeded(done.exchange, by).value !== true) throw new Unreached(`${by.key} was not carried out`);
  });
}

function expired(
  trial: Trial,
  operation: Operation,
  scheme: string,
  lifeMs: number,
  cites: Statement,
): Scenario {
  const says = `${operation.key} with a credential of ${scheme} that expired`;
  if (lifeMs > trial.patienceMs)
    return unreached(
      trial.of,
      [{ name: 'refused', says: `${says} is refused`, cites }],
      `it expires after ${lifeMs / 1000} s, which is longer than is waited for`,
    );
  const waiting = ended(trial, operation, scheme, 'that expired', cites, () =>
    trial.wait(lifeMs + 50, `a credential of ${scheme} to expire`),
  );
  return { ...waiting, waitsMs: lifeMs };
}
