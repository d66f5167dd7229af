import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { type Check, type Scenario, type Statement, scenario, Unreached } from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { freshValue, identityOf, type Members, membersOf } from '../item.ts';
import { someItem } from '../items.ts';
import { isFew, isUnique, keysGiven, renewed } from '../keys.ts';
import { calledIn } from '../names.ts';
import { hole, type Item } from '../partly.ts';
import { keyToMake, make, makeAndRemove, perform } from '../perform.ts';
import { onlyOne, type Raced, race } from '../races/race.ts';
import type { Listed } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor, isAboutOne } from '../request.ts';
import { succeeds } from '../success.ts';
import { type Attempt, type Done, operationFor, restsOf, type Trial } from '../trial.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { placeOf } from '../world.ts';

/** What no two items may have alike: an identifier, fields that are unique, fields that are so together (language §2). */
interface Uniqueness {
  readonly fields: readonly string[];
  readonly caseless: boolean;
  readonly ever: boolean;
  readonly cites: Statement;
  /** The subject of the condition. */
  readonly subject: string;
}

function uniquenessOf(resource: Resource): Uniqueness[] {
  const { name, identifier, unique } = resource;
  const cite = ({ address, at }: { readonly address: string; readonly at: Statement['at'] }) => ({
    address,
    at,
  });
  const keys = (stated(identifier) ?? []).map((one) => one.text);
  const plain = { caseless: false, ever: false };
  return [
    ...(keys.length > 0
      ? [{ ...plain, fields: keys, cites: cite(identifier), subject: `${name}.${keys[0]}` }]
      : []),
    ...[...resource.fields.values()]
      .filter((field) => isUnique(field))
      .map((field: Field) => ({
        fields: [field.name],
        caseless: stated(field.unique) === 'caseless',
        ever: stated(field.unique) === 'ever',
        cites: cite(field.unique),
        subject: `${name}.${field.name}`,
      })),
    ...(stated(unique) ?? []).map(({ fields, caseless }) => ({
      fields: fields.map((one) => one.text),
      caseless,
      ever: false,
      cites: cite(unique),
      subject: fields.length === 1 ? `${name}.${fields[0]?.text}` : name,
    })),
  ];
}

/** A second item with what another one has is refused; what only looks alike is taken (language §2; H.2, `present`). */
export function notUnique(trial: Trial, operation: Operation): Scenario[] {
  const { subject } = operation;
  const isMet = stated(operation.does)?.qualifiers.present.kind === 'stated';
  return subject === null || isMet
    ? []
    : uniquenessOf(subject).flatMap((one) => ofOne(trial, operation, subject, one));
}

function ofOne(trial: Trial, operation: Operation, resource: Resource, unique: Uniqueness): Scenario[] {
  const { of } = trial;
  const model = bodyOf(of, operation);
  const creates = stated(operation.does)?.verb === 'create';
  const inPath = [...operation.bindings.values()].flatMap((one) =>
    one.kind === 'subject' ? [one.field] : [],
  );
  const given = unique.fields.filter((name) => model?.fields.has(name));
  const isByPath = creates && unique.fields.every((name) => inPath.includes(name));
  // Fields that the service sets never collide; those that the path gives are alike where the parent is.
  const free = unique.fields.filter(
    (name) => !given.includes(name) && resource.fields.get(name)?.create.kind === 'stated',
  );
  // What a change does not give stays as it is.
  const isWhole = creates || given.length === unique.fields.length;
  if (!isByPath && (given.length === 0 || free.length > 0 || !isWhole)) return [];
  const named = unique.fields.join(' and ');
  const says = `${operation.key} with the ${named} of another ${resource.name}`;
  const failures = listed(resource, unique);
  const reasons = [{ name: 'not unique', subject: unique.subject, failures }] as const;

  /** A request with what another item has in these fields, changed a little. */
  const alike = async (
    other: Item,
    change: (text: string) => string,
    own: Item | undefined,
    under?: ReadonlyMap<string, Item>,
    besides: Members = {},
  ): Promise<Done> => {
    const taken = given.map((name): [string, Json] => {
      const value = other.known.get(name);
      if (value === undefined) throw new Unreached(`nothing shows the ${name} of a ${resource.name}`);
      // Null is equal to nothing.
      if (value === null && !Object.hasOwn(besides, name))
        throw new Unreached(`the ${name} of the ${resource.name} is null`);
      return [name, typeof value === 'string' ? change(value) : value];
    });
    const usual = membersOf(bodyFor(trial, operation, 'most')) ?? {};
    const members: Members = { ...usual, ...Object.fromEntries(taken), ...besides };
    const others = under ?? trial.around.get(placeOf(other));
    const more: Attempt = creates && others ? { others } : {};
    const item = creates ? (isAboutOne(operation) ? other : undefined) : own;
    return await perform(trial, operation, { ...(item && { item }), body: members, ...more });
  };
  const refused = (label: string, change: (text: string) => string): Scenario => {
    let own: Item | undefined;
    return refusing(trial, {
      says: `${says}${label}`,
      operation,
      cites: unique.cites,
      reasons,
      must: doesJustThat(of, operation),
      item: async () => {
        own = creates ? undefined : await someItem(trial, resource);
        return (await make(trial, resource)).item;
      },
      send: async (other) => await alike(other as Item, change, own),
    });
  };
  const accepted = (label: string, observe: () => Promise<Done>): Scenario => {
    const check = succeeds(trial, operation, `${says}${label}`, [], unique.cites);
    return scenario(of, restsOf(operation), observe, [check]);
  };
  /** Alike in all fields but one: another item, with an identifier of its own. */
  const butFor = (name: string): Scenario => {
    const observe = async (): Promise<Second> => {
      const other = (await make(trial, resource)).item;
      const done = await alike(other, (text) => text, undefined, undefined, {
        [name]: freshValue(trial.fresh, resource.fields.get(name)),
      });
      return { ...done, other };
    };
    const apart: Check<Second> = {
      name: 'identifier.unique',
      says: `${says}, but for ${name}, makes another item`,
      cites: { address: resource.identifier.address, at: resource.identifier.at },
      guard: ({ exchange, item, other }) =>
        all(
          succeeded(exchange, operation),
          item && identityOf(item) && identityOf(other) ? yes : unseen('no identifier could be learned'),
        ),
      claim: ({ item, other }) => ({
        truth: known(item !== null && identityOf(item) !== identityOf(other)),
        expected: `another than ${identityOf(other)}`,
        found: String(item && identityOf(item)),
      }),
    };
    const check = succeeds(trial, operation, `${says}, but for ${name},`, [], unique.cites);
    return scenario<Second>(of, restsOf(operation), observe, [check, apart]);
  };
  /** Alike in all fields, of which one is null: null is equal to nothing. */
  const ofNull = (name: string): Scenario =>
    accepted(`, of which ${name} is null,`, async () => {
      const { item } = await make(trial, resource);
      const again = (): Promise<Done> => alike(item, (text) => text, undefined, undefined, { [name]: null });
      await again();
      return await again();
    });
  const isText = given.some((name) => typesOf(resource, name) === 'string');
  const turned = (text: string): string =>
    text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase();
  const fitsTurned = given.every((name) => admitsCases(trial, resource, name));
  const remover = operationFor(of, resource, 'delete');
  /** Several make an item that is alike at once. */
  const raced = (): Scenario => {
    const check = onlyOne(
      operation,
      `${operation.key} with one ${named}`,
      unique.cites,
      doesJustThat(of, operation),
    );
    const observe = async (): Promise<Raced> => {
      const body = bodyFor(trial, operation, 'most');
      const item = isAboutOne(operation) ? await keyToMake(trial, operation, resource) : undefined;
      // What else may not be alike is not.
      const others = model ? keysGiven(operation, model).filter((name) => !given.includes(name)) : [];
      return await race(trial, operation, () => ({
        ...(item && { item }),
        ...(body !== undefined && model && { body: renewed(trial, model, others, body) }),
      }));
    };
    return scenario(of, restsOf(operation), observe, [check]);
  };
  const scenarios = [refused('', (text) => text), ...(creates ? [raced()] : [])];
  if (isText && fitsTurned && unique.caseless) scenarios.push(refused(' in other letters', turned));
  if (isText && fitsTurned && !unique.caseless && unique.fields.length === given.length)
    scenarios.push(
      accepted(' in other letters', async () => {
        const other = (await make(trial, resource)).item;
        return await alike(other, turned, creates ? undefined : await someItem(trial, resource));
      }),
    );
  if (creates && remover && !isByPath) {
    const gone = (): Promise<Item> => makeAndRemove(trial, remover, resource);
    const label = ', which was removed,';
    if (unique.ever)
      scenarios.push(
        refusing(trial, {
          says: `${says}${label}`,
          operation,
          cites: unique.cites,
          reasons: reasons.map((one) => ({ ...one, subject: `${one.subject}.ever` })),
          must: doesJustThat(of, operation),
          item: gone,
          send: async (other) => await alike(other as Item, (text) => text, undefined),
        }),
      );
    else if (!keptEver(resource, given))
      scenarios.push(accepted(label, async () => await alike(await gone(), (text) => text, undefined)));
  }
  if (creates && given.length === unique.fields.length && given.length > 1)
    scenarios.push(...given.filter((name) => isFree(resource, name)).map(butFor));
  if (creates && !isAboutOne(operation))
    scenarios.push(...given.filter((name) => mayBeNull(trial, resource, name)).map(ofNull));
  const parents = [...operation.bindings.values()].filter((one) => one.kind === 'other');
  if (creates && unique.fields.length > given.length && parents.length > 0)
    scenarios.push(
      accepted(', under another item,', async () => {
        const { item } = await make(trial, resource);
        const others = new Map(
          parents.flatMap((one) => {
            const second = (trial.stock.get(one.resource) ?? [])[1];
            return second ? [[calledIn(one), second] as const] : [];
          }),
        );
        if (others.size < parents.length) throw new Unreached('there is no other item to make it under');
        return await alike(item, (text) => text, undefined, others);
      }),
    );
  if (!creates)
    scenarios.push(
      accepted(', which is its own,', async () => {
        const { item } = await make(trial, resource);
        return await alike(item, (text) => text, item);
      }),
    );
  return scenarios;
}

/** The failures of a second item; null where other fields may be alike besides (language §7.2). */
function listed(resource: Resource, { fields }: Uniqueness): readonly Listed[] | null {
  const sets = uniquenessOf(resource).filter((one) => one.fields.some((name) => fields.includes(name)));
  if (sets.length > 1) return null;
  const inOrder = [...resource.fields.keys()].filter((name) => fields.includes(name));
  return inOrder.map((field) => ({
    field,
    keyword: 'unique',
    value: hole(),
    limit: null,
    about: `${resource.name}.${field}`,
  }));
}

interface Second extends Done {
  readonly other: Item;
}

/** Whether there is always another value for a field. */
function isFree(resource: Resource, name: string): boolean {
  const field = resource.fields.get(name);
  return field !== undefined && field.refers.kind === 'open' && !isFew(schemaOf(field.shape));
}

/** Whether a client may give null for a field. */
function mayBeNull({ tools }: Trial, resource: Resource, name: string): boolean {
  const field = resource.fields.get(name);
  return field !== undefined && tools.failures(schemaOf(field.shape), null).length === 0;
}

/** Whether another statement keeps one of these values from ever coming again. */
function keptEver(resource: Resource, names: readonly string[]): boolean {
  return names.some((name) => stated(resource.fields.get(name)?.unique) === 'ever');
}

function typesOf(resource: Resource, name: string): Json | undefined {
  return stated(resource.fields.get(name)?.shape.keywords.get('type'));
}

/** Whether a field takes a text in upper as in lower case. */
function admitsCases({ tools }: Trial, resource: Resource, name: string): boolean {
  const field = resource.fields.get(name);
  const schema = field && schemaOf(field.shape);
  if (!schema || field.refers.kind === 'stated') return false;
  const text = schema['format'] === 'email' ? 'ada@example.org' : 'abcdefgh';
  return [text, text.toUpperCase()].every((one) => tools.failures(schema, one).length === 0);
}
