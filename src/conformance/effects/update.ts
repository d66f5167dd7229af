import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { alike } from '../alike.ts';
import { type Body, bodyOf } from '../body.ts';
import { type Scenario, type Statement, scenario, Unreached } from '../check.ts';
import { fitting } from '../foresee/fitting.ts';
import { isReadable, type Members, membersOf } from '../item.ts';
import { someItem } from '../items.ts';
import { keysGiven } from '../keys.ts';
import { isMergePatch } from '../merge.ts';
import type { Item } from '../partly.ts';
import { isFree, make, perform } from '../perform.ts';
import { showsAsStated } from '../shows.ts';
import { isStateField } from '../states/machines.ts';
import { deed, looksAsStated, succeeds } from '../success.ts';
import { operationFor, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all } from '../verdict.ts';
import { alsoDone } from './also.ts';
import { becomes } from './becomes.ts';
import { later } from './later.ts';
import { isListed, type Lived, leavesOthers, live, readsTheSame } from './listing.ts';
import { transits } from './transition.ts';

/** An update that is tried: what it starts from and what it gives. */
interface Case {
  readonly label: string;
  readonly cites: Statement;
  readonly start: () => Promise<Item>;
  readonly given: (start: Item) => Members;
  /** The members of which the label tells what is given. */
  readonly told?: readonly string[];
}

interface Changed extends Lived {
  readonly start: Item;
  readonly given: Json;
}

/** How many fields are changed one by one: enough to tell one member from another. */
const fieldsTried = 6;

/** `update`: sets the members given, and leaves the rest (language §H.2; RFC 7396 where the media type is its own). */
export function updates(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const body = bodyOf(trial.of, operation);
  // What takes no body sets the same each time, as a transition does.
  if (body === null)
    return operation.request?.body.kind === 'stated' ? [] : [transits(trial, operation, resource)];
  const merges = isMergePatch(operation);
  const looks = [...looksAsStated(trial, operation), ...showsAsStated(trial, operation, resource)];
  return cases(trial, operation, resource, body, merges).map((one, index) => {
    const observe = async (): Promise<Changed> => {
      const start = await one.start();
      const given = fitting(trial, operation, body.schema, () => one.given(start), start, one.told);
      const lived = await live(trial, resource, operation, () =>
        perform(trial, operation, { item: start, body: given }),
      );
      return { ...lived, start, given };
    };
    const says = `${operation.key} ${one.label}`;
    const should = succeeds(trial, operation, says, [...body.fields.keys()], one.cites);
    const keys = keysGiven(operation, body);
    return scenario<Changed>(trial.of, restsOf(operation), observe, [
      {
        ...should,
        guard: (seen) =>
          all(should.guard(seen), isFree(trial.of, seen, keys, Object.keys(membersOf(seen.given) ?? {}))),
      },
      becomes(trial, operation, resource, says, one.cites),
      ...(index === 0 ? alsoDone(trial, operation, says, []) : []),
      ...later<Changed>(trial, resource, says),
      ...isListed(trial, operation, resource),
      ...leavesOthers(trial, operation, resource),
      ...readsTheSame(trial, operation, resource),
      ...(index === 0 ? looks : []),
    ]);
  });
}

/** One field at a time, each value of a small set; nothing at all; and null, where it removes a member. */
function cases(trial: Trial, operation: Operation, resource: Resource, body: Body, merges: boolean): Case[] {
  const { tools, of } = trial;
  const any = (): Promise<Item> => someItem(trial, resource);
  const fields = [...body.fields.values()]
    .filter((field) => !isStateField(of, resource, field.name))
    .slice(0, fieldsTried);
  const otherValue = (field: Field, differs: (value: Json) => boolean): Json => {
    const to = stated(field.refers);
    if (to) {
      const keys = (trial.stock.get(to.resource) ?? []).flatMap((one) => one.known.get(to.field ?? '') ?? []);
      const other = keys.find(differs);
      if (other === undefined) throw new Unreached(`there is no other ${to.resource} to refer to`);
      return other;
    }
    for (let i = 0; i < 20; i++) {
      const value = tools.valid(schemaOf(field.shape), 'most');
      if (value !== undefined && differs(value)) return value;
    }
    throw new Unreached(`no other value for ${field.name} could be made`);
  };
  const found: Case[] = fields.flatMap((field): Case[] => {
    const cites = { address: field.address, at: field.at };
    const few = fewValues(tools.resolve(schemaOf(field.shape)));
    if (few.length < 2 || !isGivenWhenMade(trial, resource, field))
      return [
        {
          label: `with ${field.name} alone`,
          cites,
          start: any,
          given: (start) => ({
            [field.name]: otherValue(field, (value) => !alike({}, value, start.known.get(field.name))),
          }),
        },
      ];
    return few.map((value, index) => ({
      label: `with ${field.name}: ${shownAs(value)} alone`,
      cites,
      start: async () =>
        (await make(trial, resource, { [field.name]: few[(index + 1) % few.length] as Json })).item,
      given: () => ({ [field.name]: value }),
      told: [field.name],
    }));
  });
  const required = (stated(resource.required) ?? []).map((use) => use.name);
  for (const field of fields.filter((one) => merges && !required.includes(one.name)))
    found.push({
      label: `with ${field.name}: null, which removes it (RFC 7396)`,
      cites: deed(operation),
      start: any,
      given: () => ({ [field.name]: null }),
      told: [field.name],
    });
  for (const field of resource.fields.values())
    if (stated(field.writable) === 'same' && isReadable(field))
      found.push({
        label: `with the ${field.name} that it has, which may be given so alone`,
        cites: { address: field.writable.address, at: field.writable.at },
        start: any,
        given: (start) => ({ [field.name]: start.known.get(field.name) ?? null }),
        told: [field.name],
      });
  if (tools.failures(body.schema, {}).length === 0)
    found.push({ label: 'with no member', cites: deed(operation), start: any, given: () => ({}) });
  return found;
}

/** Whether an item can be made with a value of its own for a field. */
function isGivenWhenMade({ of }: Trial, resource: Resource, { name }: Field): boolean {
  const maker = operationFor(of, resource, 'create');
  const body = maker && bodyOf(of, maker);
  return maker !== null && (body?.name !== resource.name || body.fields.has(name));
}

/** The values of a shape that admits but a few. */
function fewValues(schema: { readonly [keyword: string]: Json }): readonly Json[] {
  if (schema['type'] === 'boolean') return [true, false];
  return Array.isArray(schema['enum']) ? (schema['enum'] as Json[]).slice(0, 4) : [];
}
