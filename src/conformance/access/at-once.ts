import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Authentication } from '../../specification/vocabulary/parts/authentication.ts';
import { type Scenario, scenario } from '../check.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { sample, varied } from '../sample.ts';
import { succeeds } from '../success.ts';
import { restsOf, type Trial } from '../trial.ts';
import { faultsOf } from './faults.ts';
import type { Persona } from './persona.ts';
import { troupe } from './personas.ts';
import { type Carried, carry, placeOf, together } from './presenting.ts';
import { alternativesOf, schemesOf } from './schemes.ts';
import { bodyOfIt, letIn, turnedAway } from './turned-away.ts';

const wrong: Reason = { name: 'credential wrong', subject: '', failures: [] };

/** Somebody who has a credential of a scheme. */
interface Holder {
  readonly scheme: string;
  readonly persona: Persona;
}

/** Credentials of two schemes at once: they are refused, or the first counts (language §5.1, `several`). */
export function atOnce(trial: Trial, part: Authentication, operation: Operation): Scenario[] {
  const said = stated(part.several);
  const pair = pairFor(trial, operation);
  const nobody = turnedAway(trial, operation, null);
  if (said === undefined || pair === null || nobody.must.value !== true) return [];
  const [first, second] = pair;
  const cites = { address: part.several.address, at: part.several.at };
  const both = `credentials of ${first.scheme} and ${second.scheme} at once`;
  const refused = (how: string, carried: () => Carried): Scenario => {
    const { send, ...about } = varied(trial, operation, () => ({
      as: null,
      carried: carried(),
      ...bodyOfIt(trial, operation, nobody),
    }));
    return refusing(trial, {
      says: `${operation.key} with ${how}`,
      operation,
      cites,
      reasons: [wrong],
      ...about,
      send: async (item) => {
        for (const { persona } of pair) await trial.renew(persona);
        return await send(item);
      },
    });
  };
  if (said === 'refuse') return [refused(both, () => carrying(trial, first, second))];
  const lets = letIn(trial, operation, first.persona);
  const observe = async () => {
    await trial.renew(first.persona);
    const carried = carrying(trial, first, second, second);
    return await sample(trial, operation, {
      as: first.persona,
      carried,
      ...bodyOfIt(trial, operation, lets),
    });
  };
  const says = `${operation.key} with ${both}, of which the second is wrong,`;
  return [
    refused(`${both}, of which the first is wrong`, () => carrying(trial, first, second, first)),
    ...(lets.must.value === true
      ? [scenario(trial.of, restsOf(operation), observe, [succeeds(trial, operation, says, [], cites)])]
      : []),
  ];
}

/** The first two of the schemes, by their order, that are each enough, and whose credentials stand apart. */
function pairFor(trial: Trial, operation: Operation): readonly [Holder, Holder] | null {
  const schemes = schemesOf(trial.of);
  const alternatives = alternativesOf(trial.of, operation);
  const held = [...schemes.keys()].flatMap((scheme): Holder[] => {
    const persona = troupe(trial).find(({ credentials }) => credentials.has(scheme));
    return persona && alternatives.some((all) => all.length === 1 && all[0] === scheme)
      ? [{ scheme, persona }]
      : [];
  });
  for (const [index, first] of held.entries())
    for (const second of held.slice(index + 1)) {
      const places = [first, second].map(({ scheme }) => {
        const of = schemes.get(scheme);
        return of ? placeOf(of) : null;
      });
      const areMeant = alternatives.some((all) =>
        [first, second].every(({ scheme }) => all.includes(scheme)),
      );
      if (!areMeant && !places.includes(null) && places[0] !== places[1]) return [first, second];
    }
  return null;
}

/** What carries both credentials. @param spoilt the one that is not good */
function carrying(trial: Trial, first: Holder, second: Holder, spoilt?: Holder): Carried {
  const all = [first, second].flatMap((holder) => {
    const good = holder.persona.credentials.get(holder.scheme) ?? '';
    const [[, fault]] = faultsOf(trial, holder.scheme, good) as [ReturnType<typeof faultsOf>[number]];
    const scheme = schemesOf(trial.of).get(holder.scheme);
    return (scheme && carry(scheme, holder === spoilt ? fault(good, trial) : good)) ?? [];
  });
  return together(all);
}
