import { pathsIn, type Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Check, ifReached, type Scenario, type Seen, scenario, Unreached } from '../check.ts';
import { carryOut, courseTo } from '../foresee/course.ts';
import { openWays } from '../foresee/open-ways.ts';
import { doesJustThat } from '../guards.ts';
import { hole, type Item, type Partly, worldName } from '../partly.ts';
import type { Schema } from '../schema.ts';
import { type Names, workOut } from '../solve.ts';
import { machinesOf } from '../states/machines.ts';
import { deed, looksAsStated } from '../success.ts';
import { type Entry, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { asked, type Walk, walk } from '../walk.ts';
import { worldOf } from '../world.ts';
import { isListed, knownOf, several, sightings, tellsWho, where } from './collection.ts';

interface Filtered extends Seen {
  readonly value: Json;
  readonly found: Walk;
  /** The items of which the filter is known to be true, or not to be. */
  readonly inside: readonly Item[];
  readonly outside: readonly Item[];
  readonly items: readonly Item[];
  readonly judge: (item: Item) => boolean | null;
}

/** How many values of a parameter are tried: those that split the items most evenly. */
const valuesTried = 3;

/** A list shows only what satisfies a filter, and all that does (language §4.2). */
export function filters(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  return queryParameters(operation)
    .filter((one) => stated(one.roles.filter))
    .flatMap((parameter) =>
      Array.from({ length: valuesTried + 1 }, (_, index) =>
        filter(trial, operation, resource, parameter, index),
      ),
    );
}

function filter(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  parameter: Parameter,
  index: number,
): Scenario {
  const { name, roles } = parameter;
  const template = stated(roles.filter)?.template;
  const cites = { address: roles.filter.address, at: roles.filter.at };
  const observe = async (): Promise<Filtered> => {
    const moved = await ifReached(() => inAnotherState(trial, resource, template, index));
    const items = [...(await several(trial, resource, moved ? 4 : 5)), ...(moved ? [moved] : [])];
    const schema: Schema = { type: 'string', ...schemaOf(parameter.shape) };
    const judging = (value: Json) => (item: Item) => {
      const names: Names = new Map<string, Partly>([
        [worldName, worldOf(trial)],
        ['this', item],
        ['request', { query: { [name]: value } }],
      ]);
      const truth = template ? workOut(template, names) : hole();
      return typeof truth === 'boolean' || truth === null ? truth === true : null;
    };
    const tried = candidates(trial, items, schema)
      .map((value) => ({ value, inside: items.filter((item) => judging(value)(item) === true) }))
      .sort((a, b) => distance(a.inside.length, items.length) - distance(b.inside.length, items.length));
    // The last one is a value that nothing satisfies, though it looks like one that something does; or one more.
    const none = tried.filter(({ inside }) => inside.length === 0);
    const unsatisfied = none.find((one) => isPartOf(one.value, tried)) ?? none[0];
    const chosen = (index === valuesTried ? unsatisfied : undefined) ?? tried[index];
    if (chosen === undefined || (chosen.inside.length === 0 && index < valuesTried))
      throw new Unreached(
        `no value was found for ${name} that some items satisfy`,
        template ? openWays(trial, resource) : [],
      );
    const judge = judging(chosen.value);
    const outside = items.filter((item) => judge(item) === false);
    const found = await walk(trial, operation, {
      query: [asked(name, chosen.value)],
      attempt: where(trial, items[0]),
    });
    return {
      exchange: found.last.exchange,
      value: chosen.value,
      found,
      inside: chosen.inside,
      outside,
      items,
      judge,
    };
  };
  const says = `${operation.key} with ${name} (value ${index + 1})`;
  const guard = ({ found }: Filtered) =>
    all(
      doesJustThat(trial.of, operation),
      tellsWho(found.entries) ? yes : unseen('the list does not tell who an item is'),
    );
  const only: Check<Filtered> = {
    name: 'filter.only',
    says: `${says} shows nothing that does not satisfy it`,
    cites,
    guard,
    claim: ({ found, outside, items, judge, value }) => {
      const wrong = [
        ...outside.flatMap((item) => sightings(found.entries, item)),
        ...found.entries.filter((entry: Entry) => judge(knownOf(entry, items)) === false),
      ];
      const isTold = outside.some((item) => isListed(trial.of, operation, item, found.last.names) === true);
      return {
        truth:
          wrong.length === 0 && !isTold
            ? unseen('no item is known to be left out')
            : known(wrong.length === 0),
        expected: `none of which the filter is false with ${shownAs(value)}`,
        found: wrong.length === 0 ? 'so' : shownAs(wrong[0]?.shown),
      };
    },
  };
  const every: Check<Filtered> = {
    ...only,
    name: 'filter.all',
    says: `${says} shows each item that satisfies it, once`,
    claim: ({ found, inside: satisfying, value }) => {
      const inside = satisfying.filter(
        (item) => isListed(trial.of, operation, item, found.last.names) === true,
      );
      const missed = inside.filter((item) => sightings(found.entries, item).length !== 1);
      return {
        truth: inside.length === 0 ? unseen('no item is known to satisfy it') : known(missed.length === 0),
        expected: `each of ${inside.length} items with ${shownAs(value)}`,
        found:
          missed.length === 0
            ? 'so'
            : `${sightings(found.entries, missed[0] as Item).length} times ${shownAs(Object.fromEntries((missed[0] as Item).known))}`,
      };
    },
  };
  const body: Check<Filtered>[] = looksAsStated(trial, operation)
    .filter((check) => check.name === 'answer.body')
    .map((check) => ({
      name: check.name,
      cites: check.cites,
      says: `${says}: ${check.says}`,
      guard: ({ found }) => check.guard(found.last),
      claim: ({ found }) => check.claim(found.last),
    }));
  return scenario(trial.of, [...restsOf(operation), deed(operation).address], observe, [
    only,
    ...(index < valuesTried ? [every] : []),
    ...body,
  ]);
}

/** An item in a state that a new one is not in, where the filter reads that; which of these states goes by `index`. */
async function inAnotherState(
  trial: Trial,
  resource: Resource,
  filter: Template | undefined,
  index: number,
): Promise<Item | undefined> {
  const read = filter ? pathsIn(filter).flatMap(([first, name]) => (first === 'this' ? [name] : [])) : [];
  const courses = machinesOf(trial.of, resource)
    .filter(({ field }) => read.includes(field))
    .flatMap(({ field, states }) => states.map((state) => courseTo(trial, resource, field, state)))
    .filter((course) => course !== undefined);
  const course = courses[index % courses.length];
  return course && (await carryOut(trial, resource, course));
}

/** Whether a text is the beginning of one that some items satisfy. */
function isPartOf(
  value: Json,
  tried: readonly { readonly value: Json; readonly inside: readonly Item[] }[],
): boolean {
  return tried.some(
    (one) =>
      one.inside.length > 0 &&
      typeof value === 'string' &&
      typeof one.value === 'string' &&
      one.value.startsWith(value),
  );
}

function distance(inside: number, of: number): number {
  return inside === 0 ? of : Math.abs(inside - of / 2);
}

/** Values that a parameter takes: those that the items hold, parts and neighbours of them, those that are listed, and another. */
function candidates(trial: Trial, items: readonly Item[], schema: Schema): readonly Json[] {
  const { tools } = trial;
  const held = items.flatMap((item) => [...item.known.values(), ...referredTo(trial, item)]);
  const single = held.flatMap((value) => (Array.isArray(value) ? (value as Json[]) : [value]));
  const near = single.flatMap((value): Json[] => {
    if (typeof value === 'number') return [value, value - 1, value + 1];
    return typeof value === 'string' ? [value, value.slice(0, -1), value.slice(0, 3).toUpperCase()] : [value];
  });
  const typed = near.filter((value) => schema['type'] !== 'string' || typeof value === 'string');
  const listed = (schema['enum'] ?? []) as readonly Json[];
  const made = tools.valid(schema, 'most');
  const all = [...typed, ...listed, ...(made === undefined ? [] : [made])];
  const fitting = all.filter((value) => value !== '' && tools.failures(schema, value).length === 0);
  return [...new Map(fitting.map((value) => [JSON.stringify(value), value])).values()];
}

/** What the items hold that an item refers to, as far as that is known. */
function referredTo({ stock }: Trial, item: Item): Json[] {
  return [...item.resource.fields.values()].flatMap((field) => {
    const to = stated(field.refers);
    const key = item.known.get(field.name);
    const target = to && (stock.get(to.resource) ?? []).find((one) => one.known.get(to.field ?? '') === key);
    return target ? [...target.known.values()] : [];
  });
}
