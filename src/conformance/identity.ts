import { callsMade } from '../expression/expression.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { rest } from '../specification/reading/address.ts';
import { withArticle } from '../specification/reading/article.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { bodyOf } from './body.ts';
import { type Check, ifReached, type Scenario, scenario } from './check.ts';
import { isDoneBy } from './effects/listing.ts';
import { answerFound, asKept, isSuccess, isTold, succeeded } from './guards.ts';
import { identityOf, isReadable, membersOf } from './item.ts';
import { keysGiven } from './keys.ts';
import { comparable, sameSight } from './lens.ts';
import { create, perform, readBack } from './perform.ts';
import { bodyFor } from './request.ts';
import { workOut } from './solve.ts';
import { before } from './success.ts';
import { type Done, operationFor, restsOf, type Trial } from './trial.ts';
import { fits, shownAs } from './unify.ts';
import { nothingRefuses, steady } from './unrefused.ts';
import { all, known, type Truth, unseen, yes } from './verdict.ts';

interface Two extends Done {
  readonly other: Done;
  /** The first, read again by its identifier after the second was made. */
  readonly back: Done | undefined;
  /** A third, made after the second was removed; undefined where nothing removes one. */
  readonly third: Done | undefined;
}

/** The identifier tells one item from another, and finds it again (language §2, `identifier`). */
export function identity(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const { of, tools } = trial;
  const cites = { address: resource.identifier.address, at: resource.identifier.at };
  const observe = async (): Promise<Two> => {
    const body = bodyFor(trial, operation, 'most');
    const model = bodyOf(of, operation);
    const givesKey = model !== null && keysGiven(operation, model).length > 0;
    const done = await create(trial, operation, body);
    const other = await create(trial, operation, givesKey ? bodyFor(trial, operation, 'most') : body);
    const { item } = done;
    const back = item ? await ifReached(() => readBack(trial, item)) : undefined;
    const remover = operationFor(of, resource, 'delete');
    const { item: second } = other;
    const gone =
      remover && second && identityOf(second)
        ? await ifReached(() => perform(trial, remover, { item: second }))
        : undefined;
    const isGone = gone !== undefined && succeeded(gone.exchange, gone.operation).value === true;
    const third = isGone ? await create(trial, operation, bodyFor(trial, operation, 'most')) : undefined;
    return { ...done, other, back, third };
  };
  const identified = ({ item }: Done): Truth =>
    item && identityOf(item)
      ? yes
      : unseen('no identifier could be learned: nothing shows it, or gives it away');
  const made = ({ exchange, other, ...done }: Two): Truth =>
    all(
      succeeded(exchange, operation),
      succeeded(other.exchange, operation),
      identified({ exchange, ...done }),
      identified(other),
    );
  const again: Check<Two> = {
    name: 'succeeds',
    says: `${operation.key} with the members of another ${resource.name} succeeds`,
    cites: { address: rest(resource.address), at: of.completeness.closed(resource.address) ?? resource.at },
    guard: ({ given, other }) =>
      nothingRefuses(of, operation, Object.keys(membersOf(given) ?? {}), before(other), other.exchange),
    claim: ({ other }) => ({
      truth: isSuccess(other.exchange, operation),
      expected: 'a success: nothing stated is unique but the identifier',
      found: answerFound(other.exchange),
    }),
    exchange: ({ other }) => other.exchange,
  };
  const keys = (stated(resource.identifier) ?? []).flatMap((name) => resource.fields.get(name.text) ?? []);
  const ofKey = (field: Field): Check<Two>[] => {
    const value = ({ item }: Done): Json | undefined => item?.known.get(field.name);
    const schema = schemaOf(field.shape);
    const shape: Check<Two> = {
      name: 'identifier.shape',
      says: `the ${field.name} that ${operation.key} gives is in its shape`,
      cites: { address: field.address, at: field.at },
      guard: (seen) => all(succeeded(seen.exchange, operation), identified(seen)),
      claim: (seen) => {
        const found = value(seen);
        return {
          truth: known(found !== undefined && tools.failures(schema, found).length === 0),
          expected: shownAs(schema as Json),
          found: shownAs(found),
        };
      },
    };
    const { create: made } = field;
    const shapes = Object.keys(schema).length > 0 ? [shape] : [];
    if (made.kind !== 'stated' || isReadable(field)) return shapes;
    return [
      ...shapes,
      {
        ...shape,
        name: 'set.create',
        says: `the ${field.name} that ${operation.key} gives is made as stated`,
        cites: { address: made.address, at: made.at },
        claim: (seen) => fits(workOut(made.value.template, seen.names), value(seen)),
      },
    ];
  };
  const differ: Check<Two> = {
    name: 'identifier.unique',
    says: `${operation.key}, twice, makes two items`,
    cites,
    guard: made,
    claim: ({ item, other }) => {
      const [a, b] = [item && identityOf(item), other.item && identityOf(other.item)];
      return { truth: known(a !== b), expected: `another than ${a}`, found: String(b) };
    },
  };
  const isCounted = keys.some(({ create: made }) =>
    made.kind === 'stated'
      ? expressionsIn(made.value.template).some(({ syntax }) => callsMade(syntax).includes('sequence'))
      : false,
  );
  const never: Check<Two> = {
    name: 'identifier.never',
    says: `${operation.key} gives no number a second time`,
    cites,
    guard: (seen) =>
      all(
        made(seen),
        seen.third
          ? all(succeeded(seen.third.exchange, operation), identified(seen.third))
          : unseen('nothing was removed'),
      ),
    claim: ({ other, third }) => {
      const [a, b] = [other.item && identityOf(other.item), third?.item && identityOf(third.item)];
      return { truth: known(a !== b), expected: `another than ${a}, which was removed`, found: String(b) };
    },
  };
  const found: Check<Two> = {
    name: 'identifier.finds',
    says: `an item is found again by its identifier`,
    cites,
    guard: (seen) =>
      all(
        made(seen),
        seen.back && seen.shown !== undefined ? yes : unseen(`nothing reads ${withArticle(resource.name)}`),
        seen.back
          ? all(
              succeeded(seen.back.exchange, seen.back.operation),
              isTold(seen.back.answer),
              comparable(seen, seen.back),
            )
          : yes,
        steady(of, resource),
        asKept(of, resource),
      ),
    claim: ({ shown, lens, back }) => ({
      truth: known(back !== undefined && sameSight({ shown, lens }, back)),
      expected: shownAs(shown),
      found: shownAs(back?.shown),
    }),
  };
  return scenario<Two>(of, restsOf(operation), observe, [
    again,
    differ,
    ...keys.flatMap(ofKey),
    ...(isDoneBy(trial, resource, 'read') ? [found] : []),
    ...(isCounted ? [never] : []),
  ]);
}
