import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { type Check, ifReached, type Scenario, scenario, Unreached } from './check.ts';
import { isDoneBy } from './effects/listing.ts';
import { answerFound, doesJustThat, isRefusal, succeeded } from './guards.ts';
import { freshValue, membersOf } from './item.ts';
import { list } from './items.ts';
import { listerOf } from './lister.ts';
import { sightings } from './lists/collection.ts';
import { type Item, item as itemOf } from './partly.ts';
import { make, makeAndRemove, perform, readBack } from './perform.ts';
import { makeReferring } from './referring.ts';
import { refusing } from './refusing.ts';
import { type Taking, takingOf } from './taking.ts';
import { type Done, operationFor, operationsFor, restsOf, type Trial } from './trial.ts';
import { shownAs } from './unify.ts';
import { all, known, unseen, yes } from './verdict.ts';

/** The references of a resource: to something, and what becomes of them when that goes (language §2). */
export function references(trial: Trial, resource: Resource): Scenario[] {
  const fields = [...resource.fields.values()].filter((field) => stated(field.refers));
  const takings = ['create', 'update', 'replace'].flatMap((verb) =>
    operationsFor(trial.of, resource, verb).flatMap((one) => takingOf(trial, one, resource) ?? []),
  );
  return fields.flatMap((field) => [
    ...takings.flatMap((taking) => toNobody(taking, field)),
    ...whenDeleted(trial, resource, field),
  ]);
}

/** A key that is nobody's: one that was never given, and one of an item that was removed. */
function toNobody(taking: Taking, field: Field): Scenario[] {
  const { trial, operation, body } = taking;
  const to = stated(field.refers);
  const target = trial.of.resourcesByName.get(to?.resource ?? '');
  const key = target?.fields.get(to?.field ?? '');
  if (!target || !key || !body.fields.has(field.name)) return [];
  const remover = operationFor(trial.of, target, 'delete');
  const never = (): Promise<Json> => Promise.resolve(freshValue(trial.fresh, key));
  const removed = async (by: Operation): Promise<Json> => {
    const { known } = await makeAndRemove(trial, by, target);
    const value = known.get(key.name);
    if (value === undefined) throw new Unreached(`${key.name} of ${target.name} is never shown`);
    return value;
  };
  const cases: (readonly [string, () => Promise<Json>])[] = [
    ['that is nobody’s', never],
    ...(remover ? [['of what was removed', () => removed(remover)] as const] : []),
  ];
  return cases.map(([label, given]) => {
    let value: Json = null;
    const sending = taking.refuse({}, field.name);
    return refusing(trial, {
      says: `${operation.key} with a key for ${field.name} ${label}`,
      operation,
      cites: { address: field.refers.address, at: field.refers.at },
      reasons: [
        {
          name: 'invalid',
          subject: `${body.name}.${field.name}.refers`,
          failures: [
            {
              field: field.name,
              keyword: 'refers',
              value: null,
              limit: null,
              about: `${body.name}.${field.name}`,
            },
          ],
        },
      ],
      members: [field.name],
      // What is removed beforehand is no change that the refusal makes.
      item: async () => {
        value = await given();
        return (await sending.item?.()) ?? itemOf(taking.resource, [], []);
      },
      send: async (item) => {
        const members = { ...taking.usual(), [field.name]: value };
        return await taking.refuse(members, field.name).send(sending.item ? item : undefined);
      },
    });
  });
}

interface Deleted extends Done {
  readonly referring: Item;
  readonly target: Item;
  /** What referred, afterwards: as it is read, or as it is listed; null: it is gone; undefined: nothing shows it. */
  readonly left: { readonly shown: Json } | null | undefined;
  readonly targetBack: Done | undefined;
}

/** What becomes of a reference when the item goes that it is to (language §2, `ifDeleted`). */
function whenDeleted(trial: Trial, resource: Resource, field: Field): Scenario[] {
  const { of } = trial;
  const to = stated(field.refers);
  const target = of.resourcesByName.get(to?.resource ?? '');
  const remover = target && operationFor(of, target, 'delete');
  const rule = stated(field.ifDeleted);
  if (!to || !target || !remover || rule === undefined) return [];
  const cites = { address: field.ifDeleted.address, at: field.ifDeleted.at };
  const both = async (): Promise<{ readonly referring: Item; readonly target: Item }> => {
    const made = await make(trial, target);
    const key = made.item.known.get(to.field ?? '');
    if (key === undefined) throw new Unreached(`nothing shows the ${to.field} of a ${target.name}`);
    const referring = await makeReferring(trial, resource, field, made.item, key);
    return { referring, target: made.item };
  };
  if (rule === 'refuse') {
    const check = refusing(trial, {
      says: `${remover.key} of a ${target.name} that a ${resource.name} refers to by ${field.name}`,
      operation: remover,
      cites,
      reasons: [{ name: 'in use', subject: target.name, failures: [] }],
      must: doesJustThat(of, remover),
      item: async () => (await both()).target,
      send: (item) => perform(trial, remover, { item: item as Item }),
    });
    return [check];
  }
  const observe = async (): Promise<Deleted> => {
    const made = await both();
    const done = await perform(trial, remover, { item: made.target });
    const targetBack = await ifReached(() => readBack(trial, made.target));
    return { ...done, ...made, left: await leftOf(trial, resource, made.referring), targetBack };
  };
  const says = `when ${remover.key} removes a ${target.name}, the ${resource.name} that refers to it by ${field.name}`;
  const check: Check<Deleted> = {
    name: `deleted.${rule}`,
    says: `${says} ${{ delete: 'goes, too', clear: 'does not refer any more', keep: 'keeps the key' }[rule]}`,
    cites,
    guard: ({ exchange, left }) =>
      all(
        succeeded(exchange, remover),
        left === undefined ? unseen(`nothing shows the ${resource.name} afterwards`) : yes,
        doesJustThat(of, remover),
      ),
    claim: ({ left, referring }) => {
      const members = membersOf(left?.shown);
      const value = members && Object.hasOwn(members, field.name) ? members[field.name] : undefined;
      const isSo = {
        delete: left === null,
        clear: left !== null && (value === null || value === undefined),
        keep: left !== null && value === referring.known.get(field.name),
      };
      return {
        truth: known(isSo[rule]),
        expected: {
          delete: 'it is gone',
          clear: `${field.name}: null`,
          keep: `${field.name}: ${shownAs(referring.known.get(field.name))}`,
        }[rule],
        found: left === null ? 'it is gone' : shownAs(left?.shown),
      };
    },
  };
  const gone: Check<Deleted> = {
    name: 'deleted.target',
    says: `${remover.key} removes a ${target.name} that a ${resource.name} refers to by ${field.name}`,
    cites,
    guard: ({ exchange, targetBack }) =>
      all(
        succeeded(exchange, remover),
        targetBack ? yes : unseen(`nothing reads a ${target.name}`),
        doesJustThat(of, remover),
      ),
    claim: ({ targetBack }) => ({
      truth: targetBack ? isRefusal(targetBack.exchange, targetBack.operation) : unseen('nothing was read'),
      expected: 'a refusal',
      found: targetBack ? answerFound(targetBack.exchange) : 'nothing',
    }),
    exchange: ({ targetBack, exchange }) => targetBack?.exchange ?? exchange,
  };
  const targets = isDoneBy(trial, target, 'read') ? [gone] : [];
  return [scenario(of, restsOf(remover), observe, [check, ...targets])];
}

/** An item as it is afterwards. */
async function leftOf(
  trial: Trial,
  resource: Resource,
  item: Item,
): Promise<{ readonly shown: Json } | null | undefined> {
  const listed = listerOf(trial, resource) && (await ifReached(() => list(trial, resource)));
  const shows = (name: string): boolean => listed?.entries[0]?.lens?.fields.has(name) ?? false;
  if (listed && sightings(listed.entries, item).length === 0) return null;
  const read = await ifReached(() => readBack(trial, item));
  if (read?.shown !== undefined) return { shown: read.shown };
  if (listed && [...item.known.keys()].every(shows))
    return { shown: sightings(listed.entries, item)[0]?.shown ?? null };
  return read && isRefusal(read.exchange, read.operation).value === true ? null : undefined;
}
