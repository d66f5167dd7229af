import { ruleOf } from '../../specification/model/authorization.ts';
import { type Operation, singlesOut } from '../../specification/model/operation.ts';
import type { Authentication } from '../../specification/vocabulary/parts/authentication.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import {
  type Described,
  type Result,
  type Scenario,
  type Statement,
  scenario,
  Unreached,
  unreached,
} from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import type { Item } from '../partly.ts';
import { make } from '../perform.ts';
import { type Reason, unknownItem } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { succeeds } from '../success.ts';
import { type Done, operationsFor, restsOf, type Trial } from '../trial.ts';
import { hasItemRule } from './admits.ts';
import { sampleOf } from './closed.ts';
import type { Persona } from './persona.ts';
import { troupe } from './personas.ts';
import { entrances, kindOf } from './schemes.ts';
import { calledIn } from './strangers.ts';
import { refuses, turnedAway } from './turned-away.ts';

/** Somebody who asks about an item, and what they are called there. */
interface Asking {
  readonly as: Persona;
  readonly label: string;
}

/** The life of one item, and what was found on its way. */
interface Life {
  readonly trial: Trial;
  readonly part: Authentication;
  item: Item;
  readonly found: Result[];
}

/**
 * One item's life among several: another of its maker's kind, and one of each other kind, read it, change it and remove
 * it as the rules let them, those first who are not let; once it is gone it is there for none of them (language §5.5).
 */
export function among(trial: Trial, part: Authentication, resource: Resource): Scenario[] {
  const { of } = trial;
  const one = (verb: string): Operation | undefined =>
    operationsFor(of, resource, verb).find((operation) => singlesOut(operation));
  const [reader, updater, remover] = [one('read'), one('update'), one('delete')];
  const isHolder = entrances(of).some((entrance) => entrance.resource === resource);
  if (!reader || !remover || isHolder || operationsFor(of, resource, 'create').length === 0) return [];
  const rule = ruleOf(part, reader);
  const run = async (): Promise<Result[]> => {
    try {
      const another = await trial.enter();
      const { item } = await make(trial, resource);
      const life: Life = { trial, part, item, found: [] };
      const people: readonly Asking[] = [
        ...(another ? [{ as: another, label: 'another of its kind' }] : []),
        ...troupe(trial).map((as) => ({ as, label: calledIn(of, as) })),
      ];
      for (const operation of updater ? [reader, updater] : [reader])
        for (const person of people) await ask(life, operation, person);
      for (const person of people) await ask(life, remover, person, false);
      for (const person of people)
        if (await ask(life, remover, person, true)) {
          for (const who of people) await askGone(life, reader, who);
          break;
        }
      return life.found;
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      const check: Described = {
        name: 'refused',
        says: `a ${resource.name} is for whom the rules let in`,
        cites: { address: rule.address, at: rule.at },
      };
      return await unreached(of, [check], error.message, error.points).run();
    }
  };
  return [{ run }];
}

/**
 * Somebody asks for something of the item: done where the rule lets them, refused where it does not.
 *
 * @param isLet only if the rule lets them, or only if it does not; either where it is left out
 * @returns whether it was done
 */
async function ask(life: Life, operation: Operation, who: Asking, isLet?: boolean): Promise<boolean> {
  const { trial, item, found } = life;
  const { of } = trial;
  const { as } = who;
  const isOut = refuses(trial, operation, as, { item });
  if (kindOf(of, operation, as) === null || isOut.value === null || isOut.value === isLet) return false;
  const says = `${operation.key} of one ${item.resource.name} by ${who.label}`;
  const cites = citing(life, operation);
  if (isOut.value) {
    const isPlain = turnedAway(trial, operation, as).must.value === true || !hasItemRule(of, operation);
    const reason: Reason = {
      name: 'not authorized',
      subject: isPlain ? '' : item.resource.name,
      failures: [],
    };
    found.push(...(await refused(life, operation, who, says, cites, reason)));
    return false;
  }
  let done: Done | undefined;
  const observe = async (): Promise<Done> => (done = await sampleOf(trial, operation, item, { as }));
  const check = succeeds(trial, operation, says, [], cites);
  found.push(...(await scenario(of, restsOf(operation), observe, [check]).run()));
  life.item = done?.item ?? item;
  return done !== undefined && succeeded(done.exchange, operation).value === true;
}

/** What is gone is there for nobody: it is unknown, or, to whom a rule lets nothing be read, refused by that (language §H.4). */
async function askGone(life: Life, reader: Operation, who: Asking): Promise<void> {
  const { trial, item, found } = life;
  if (kindOf(trial.of, reader, who.as) === null) return;
  const says = `${reader.key} of one ${item.resource.name} that is gone by ${who.label}`;
  found.push(...(await refused(life, reader, who, says, citing(life, reader), unknownItem(reader))));
}

async function refused(
  { trial, item }: Life,
  operation: Operation,
  { as }: Asking,
  says: string,
  cites: Statement,
  reason: Reason,
): Promise<Result[]> {
  return await refusing(trial, {
    says,
    operation,
    cites,
    reasons: [reason],
    must: doesJustThat(trial.of, operation),
    item: () => Promise.resolve(item),
    send: () => sampleOf(trial, operation, item, { as }),
  }).run();
}

function citing({ part }: Life, operation: Operation): Statement {
  const { address, at } = ruleOf(part, operation);
  return { address, at };
}
