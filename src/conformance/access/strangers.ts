import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Scenario, type Statement, Unreached } from '../check.ts';
import { calledIn as nameOf, namesFor } from '../names.ts';
import { withOthers } from '../perform.ts';
import { refusing } from '../refusing.ts';
import { askerFor, isAboutOne } from '../request.ts';
import { varied } from '../sample.ts';
import type { Trial } from '../trial.ts';
import { admitsToAll, admitsToNone, namesRead } from './admits.ts';
import { closedTo, lazily, sampleOf } from './closed.ts';
import { kindsOf } from './kinds.ts';
import type { Persona } from './persona.ts';
import { troupe } from './personas.ts';
import { entrances, isAboutSelf, kindOf } from './schemes.ts';
import { bodyOfIt, refuses, turnedAway } from './turned-away.ts';

/** Those of each kind whom the rule is known not to let in, whatever the item, are not authorized. */
export function strangers(trial: Trial, operation: Operation, cites: Statement): Scenario[] {
  const { of } = trial;
  return troupe(trial).flatMap((as) => {
    if (kindOf(of, operation, as) === null) return [];
    const said = turnedAway(trial, operation, as);
    if (said.must.value !== true) return [];
    return refusing(trial, {
      says: `${operation.key} by ${calledIn(of, as)}`,
      operation,
      cites,
      reasons: [{ name: 'not authorized', subject: '', failures: [] }],
      ...varied(trial, operation, () => ({ as, ...bodyOfIt(trial, operation, said) })),
    });
  });
}

/** Others ask for an item that the rule does not let them to: another of the usual one's kind, and one of each other. */
export function byOthers(trial: Trial, operation: Operation, cites: Statement): Scenario[] {
  const { of } = trial;
  const { subject } = operation;
  if (subject === null || isAboutSelf(of, operation)) return [];
  const others = trial.cast.filter((one) => {
    const names = namesFor(trial, { operation, request: null, as: one });
    // Whom a rule refuses whatever the item is among the strangers.
    const isStranger = admitsToNone(of, operation, names).value === false;
    const isLetToAll = admitsToAll(of, operation, names);
    return kindOf(of, operation, one) !== null && !isStranger && isLetToAll.value === false;
  });
  return [
    byAnother(trial, operation, subject, cites, `of another's ${subject.name}`, () => trial.enter()),
    ...others.map((one) =>
      byAnother(
        trial,
        operation,
        subject,
        cites,
        `of a ${subject.name} by ${calledIn(of, one)}`,
        async () => one,
      ),
    ),
  ];
}

/** Somebody else asks for an item that the rule lets only its owner to (language §5.5). */
function byAnother(
  trial: Trial,
  operation: Operation,
  subject: Resource,
  cites: Statement,
  how: string,
  come: () => Promise<Persona | null>,
): Scenario {
  const says = `${operation.key} ${how}`;
  return lazily(trial, says, cites, async () => {
    const other = await come();
    if (other === null) throw new Unreached('nobody else could be made to ask');
    const item = await closedTo(trial, operation, subject, other);
    const must = refuses(trial, operation, other, { item });
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

/** Another of the kind that may ask does so under an item that the rule lets only its own to (language §5.5). */
export function underAnothers(trial: Trial, operation: Operation, cites: Statement): Scenario[] {
  const read = namesRead(trial.of, operation);
  const bound = [...operation.bindings.values()].find((one) => one.kind === 'other' && read.has(nameOf(one)));
  if (bound?.kind !== 'other' || !read.has('actor') || isAboutOne(operation)) return [];
  const says = `${operation.key} under another's ${bound.resource}`;
  const planned = lazily(trial, says, cites, async () => {
    const { others } = await withOthers(trial, operation, {});
    const under = { ...(others && { others }) };
    const other = await trial.enter(askerFor(trial, operation, under) ?? undefined);
    if (other === null) throw new Unreached('nobody else could be made to ask');
    return refusing(trial, {
      says,
      operation,
      cites,
      reasons: [{ name: 'not authorized', subject: '', failures: [] }],
      must: refuses(trial, operation, other, under),
      ...varied(trial, operation, () => ({ as: other, ...under })),
    });
  });
  return [planned];
}

/** What somebody is called in a report: the kind that it is of. */
export function calledIn(of: Specification, persona: Persona): string {
  if (persona.item === null)
    return `who has a credential of ${[...persona.credentials.keys()].join(' and ')}`;
  const kinds = entrances(of).flatMap(({ operation }) => kindsOf(of, operation));
  const names = new Set(kinds.flatMap((kind) => Object.keys(kind)));
  const told = [...names].map((name) => `${name} ${JSON.stringify(persona.given[name] ?? null)}`);
  return ['somebody', ...(told.length > 0 ? [`with ${told.join(' and ')}`] : [])].join(' ');
}
