import { children, macroOf, path, pathsRead, type Syntax } from '../expression/expression.ts';
import { expressionsIn, type Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { bodyOf } from './body.ts';
import { type Check, type Claim, ifReached, type Scenario, scenario, Unreached } from './check.ts';
import { touchedBy } from './foresee/also.ts';
import { carryOut } from './foresee/course.ts';
import { isLimited } from './foresee/foresee.ts';
import { refreshed } from './foresee/going.ts';
import { isWait, nodes, stepsFrom } from './foresee/tree.ts';
import { doesJustThat, succeeded } from './guards.ts';
import { identityOf, membersOf } from './item.ts';
import { calledIn } from './names.ts';
import { type Item, world, worldName } from './partly.ts';
import { make, perform, refusesNot } from './perform.ts';
import { makeReferring } from './referring.ts';
import { lensOfAnswer } from './shows.ts';
import { workOut } from './solve.ts';
import { type Done, heldUp, operationFor, restsOf, type Trial } from './trial.ts';
import { fits } from './unify.ts';
import { steady } from './unrefused.ts';
import { all, unseen, yes } from './verdict.ts';
import { worldOf } from './world.ts';

/** The item as it is read at one moment, and what refers to it by then. */
interface Moment {
  readonly when: string;
  readonly read: Done;
  readonly referrers: readonly Item[];
}

interface Followed extends Done {
  readonly moments: readonly Moment[];
}

/** How many operations that change what refers are tried. */
const most = 4;

/**
 * What is derived of the items that refer to one is worked out anew from what the tester did to them: as each was made,
 * changed, moved, sent to another, and removed (language §2.2, `derived`). Nobody else refers to a new item, so that it
 * takes no list of them.
 */
export function derivedOfReferrers(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const { of } = trial;
  const creator = operationFor(of, resource, 'create');
  if (creator === null) return [];
  const shown = lensOfAnswer(of, operation, resource).fields;
  return [...of.resourcesByName.values()].flatMap((source) => {
    const maker = operationFor(of, source, 'create');
    if (maker === null || source === resource) return [];
    if ([creator, maker].some((one) => touchedBy(of, one).includes(source.name))) return [];
    return [...source.fields.values()].flatMap((by) => {
      if (stated(by.refers)?.resource !== resource.name) return [];
      const fields = [...shown.values()].filter((field) => {
        const template = stated(field.derived)?.template;
        return template !== undefined && readsReferrers(template, source, by);
      });
      return fields.length === 0 ? [] : [following(trial, operation, resource, source, by, fields)];
    });
  });
}

/** Whether an expression reads items of a resource, and of these only such as refer to the one at hand by this field. */
function readsReferrers(template: Template, source: Resource, by: Field): boolean {
  const syntaxes = expressionsIn(template).map(({ syntax }) => syntax);
  const reads = syntaxes.flatMap(pathsRead).filter(([first]) => first === source.name).length;
  const sets = syntaxes.flatMap(setsIn).filter(({ over }) => path(over)?.join() === source.name);
  return (
    reads > 0 &&
    sets.length === reads &&
    sets.every(
      ({ macro, name, bodies: [body] }) =>
        (macro === 'filter' || macro === 'exists') && body !== undefined && wants(body, `${name},${by.name}`),
    )
  );
}

function setsIn(syntax: Syntax): NonNullable<ReturnType<typeof macroOf>>[] {
  const own = macroOf(syntax);
  return [...(own ? [own] : []), ...children(syntax).flatMap(setsIn)];
}

/** Whether a condition holds of nothing but of what refers to `this`. */
function wants(body: Syntax, reference: string): boolean {
  if (body.op === '&&') return body.args.some((one) => wants(one, reference));
  if (body.op !== '==') return false;
  const sides = body.args.map((one) => path(one)?.join());
  return sides.includes('this') && sides.includes(reference);
}

function following(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  source: Resource,
  by: Field,
  fields: readonly Field[],
): Scenario {
  const { of } = trial;
  const observe = async (): Promise<Followed> => {
    const item = await referredTo(trial, resource, source);
    const key = item.known.get(stated(by.refers)?.field ?? '');
    if (key === undefined)
      throw new Unreached(`nothing shows by which key a ${resource.name} is referred to`);
    const referrers: Item[] = [];
    const moments: Moment[] = [];
    const look = async (when: string): Promise<void> => {
      const read = await perform(trial, operation, { item });
      moments.push({ when, read, referrers: [...referrers] });
    };
    await look('before any is there');
    for (const when of ['once one is made', 'once another is made']) {
      const referrer = await makeReferring(trial, source, by, item, key);
      const identity = identityOf(referrer);
      if (identity === undefined) throw new Unreached(`nothing tells one ${source.name} from another`);
      // Of some there may be but one, and who makes another is given the same.
      if (!referrers.some((one) => identityOf(one) === identity)) referrers.push(referrer);
      await look(when);
    }
    const away = await ifReached(() => keyOfAnother(trial, resource, by, key));
    for (const one of changing(trial, source)) {
      const [first, ...others] = referrers;
      if (first === undefined) break;
      const changed = await change(trial, one, first, by, away);
      if (changed === undefined) continue;
      referrers.splice(0, referrers.length, ...others, ...(changed ? [changed] : []));
      await look(`after ${one.key}`);
    }
    return { ...(moments.at(-1)?.read as Done), moments };
  };
  const check = (field: Field): Check<Followed> => {
    const claimOf = ({ read, referrers }: Moment): Claim => {
      const { find } = worldOf(trial);
      const own = world(find, (name) => (name === source.name ? referrers : null));
      const around = new Map(read.names).set(worldName, own).set('this', read.item);
      const template = stated(field.derived)?.template as Template;
      return fits(workOut(template, around), membersOf(read.shown)?.[field.name]);
    };
    return {
      name: 'derived.followed',
      says: `${operation.key} shows ${field.name} as it is derived, while each ${source.name} comes, changes and goes`,
      cites: { address: field.derived.address, at: field.derived.at },
      guard: ({ moments }) =>
        all(
          ...moments.map(({ read }) => succeeded(read.exchange, operation)),
          ...moments.map(({ read }) => (membersOf(read.shown) ? yes : unseen('the answer shows no item'))),
          doesJustThat(of, operation),
          steady(of, resource),
          steady(of, source),
        ),
      claim: ({ moments }) => {
        const claims = moments.map((one) => ({ ...claimOf(one), when: one.when }));
        const wrong = claims.find(({ truth }) => truth.value === false);
        const untold = claims.find(({ truth }) => truth.value === null);
        const { when, truth, expected, found } =
          wrong ?? untold ?? (claims.at(-1) as (typeof claims)[number]);
        return { truth, expected: `${expected}, ${when}`, found };
      },
      exchange: (seen) =>
        (seen.moments.find((one) => claimOf(one).truth.value === false)?.read ?? seen).exchange,
    };
  };
  return scenario(of, restsOf(operation), observe, fields.map(check));
}

/** How many items that can be come to are looked at for one that fits. */
const mostNodes = 60;

/** A new item that others may be made for: where they are made under it, one that their making is not refused of. */
async function referredTo(trial: Trial, resource: Resource, source: Resource): Promise<Item> {
  const maker = operationFor(trial.of, source, 'create');
  const bound = [...(maker?.bindings.values() ?? [])].find(
    (one) => one.kind === 'other' && one.resource === resource.name,
  );
  if (maker === null || bound?.kind !== 'other') return (await make(trial, resource)).item;
  const isFit = (one: Item): boolean => refusesNot(trial, maker, {}, new Map([[calledIn(bound), one]]));
  let tried = 0;
  for (const { item, steps } of nodes(trial, resource)) {
    if (tried++ >= mostNodes) break;
    if (!isFit(item)) continue;
    // What a step makes besides is known to nobody.
    const isAlone = steps.every(
      (step) => !isWait(step) && !touchedBy(trial.of, step.operation).includes(source.name),
    );
    if (isAlone) return await carryOut(trial, resource, steps);
  }
  throw new Unreached(`no ${resource.name} was found for which a ${source.name} is made, and none with it`);
}

/** The operations that change items of a resource and of no other, those last that remove them. */
function changing({ of }: Trial, source: Resource): readonly Operation[] {
  const found = of.operations.filter(
    (one) =>
      one.subject === source &&
      one.method !== 'GET' &&
      stated(one.does)?.subject.kind === 'one' &&
      stated(one.does)?.verb !== 'create' &&
      heldUp(of, one) === null &&
      touchedBy(of, one).length === 0,
  );
  const removes = (one: Operation): boolean => stated(one.does)?.verb === 'delete';
  return [...found.filter((one) => !removes(one)).slice(0, most), ...found.filter(removes).slice(0, 1)];
}

/** The item after a change; null: it is gone; undefined: nothing was found that would change it. */
async function change(
  trial: Trial,
  operation: Operation,
  item: Item,
  by: Field,
  away: Json | undefined,
): Promise<Item | null | undefined> {
  const field = bodyOf(trial.of, operation)?.fields.get(by.name);
  const step = stepsFrom(trial, operation, item).find(
    ({ foreseen: { free, outcome } }) =>
      free.value === true && (outcome === 'changed' || outcome === 'deleted'),
  );
  if (step === undefined) return undefined;
  const given = membersOf(step.body);
  const leaves = given && field !== undefined && away !== undefined && !isLimited(field);
  const body = leaves ? { ...given, [by.name]: away } : step.body;
  const done = await perform(trial, operation, { item, stays: true, ...(body !== undefined && { body }) });
  const isDone = succeeded(done.exchange, operation).value;
  if (isDone === null) throw new Unreached(`whether ${operation.key} was carried out cannot be told`);
  if (!isDone) return undefined;
  if (step.foreseen.outcome === 'deleted' || step.foreseen.after === null || done.item === null) return null;
  return await refreshed(trial, done, done.item);
}

/** The key of another item that what refers may be sent to. */
async function keyOfAnother(
  trial: Trial,
  { name }: Resource,
  by: Field,
  own: Json,
): Promise<Json | undefined> {
  const key = (await trial.stocked(name)).known.get(stated(by.refers)?.field ?? '');
  return key === own ? undefined : key;
}
