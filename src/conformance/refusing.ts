import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { rest } from '../specification/reading/address.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { difference } from './alike.ts';
import { answered, type Refusing, type Watched } from './answered.ts';
import { type Check, ifReached, type Scenario, scenario } from './check.ts';
import { bearing } from './derived.ts';
import { touchedBy } from './foresee/also.ts';
import { answerFound, isRefusal, refused } from './guards.ts';
import { snapshot } from './items.ts';
import { listerOf } from './lister.ts';
import { namesFor } from './names.ts';
import type { Item } from './partly.ts';
import { acceptable, protocolStated, type Refusal, statementOf, statusesOf } from './refusal.ts';
import { ended, type Group, groupOf, held, type Kept, type Watching, within } from './refusals/groups.ts';
import { notedAs, showedBy } from './sequences/witnesses.ts';
import type { Trial } from './trial.ts';
import { shownAs } from './unify.ts';
import { steady } from './unrefused.ts';
import { all, known, some, unknown, unseen, yes } from './verdict.ts';
import { placeOf } from './world.ts';

/**
 * Sends a request that must be refused, and judges how: that it is, with which status and payload, and that nothing
 * is changed by it (language §7). What a refusal looks like is bound only if no other one could have come first.
 */
export function refusing(trial: Trial, about: Refusing): Scenario {
  const { of } = trial;
  const { operation, reasons } = about;
  const resource = operation?.subject ?? null;
  const accepted = acceptable(of, operation, reasons);
  const rests = [
    ...(operation ? [operation.does.address] : []),
    ...(operation?.request ? [operation.request.address] : []),
    ...accepted.flatMap(({ row }) => (row ? [row.address] : [])),
  ];
  const answers = [
    isRefused(about, operation, accepted, of),
    ...answered(trial, about, accepted),
    ...(about.more ?? []),
  ];
  const conditions = reasons.map(({ name, subject }) => `${name} ${subject}`).join(', ');
  const sent = async (item: Item | undefined, before?: Kept): Promise<Watched> => {
    const { exchange, given, names } = await within(trial.groups, operation, () => about.send(item));
    const asking = { operation, request: exchange.request, given, ...(item && { item }) };
    return { exchange, given, names: names ?? namesFor(trial, asking), before, after: before };
  };
  if (operation === null || resource === null || operation.method === 'GET') {
    const plain = scenario(of, rests, async () => await sent(await about.item?.()), answers);
    return { ...plain, about: conditions, inGroup: () => plain.run() };
  }
  const effect = changesNothing(trial, about, accepted, resource);
  const alone = async (): Promise<Watched> => {
    const item = await about.item?.();
    const { look } = watching(trial, operation, resource, item);
    const before = await look();
    return { ...(await sent(item, before)), after: await look() };
  };
  return {
    ...scenario(of, rests, alone, [...answers, effect]),
    about: conditions,
    inGroup: async (self) => {
      let group: Group | undefined;
      const observe = async (): Promise<Watched> => {
        const item = await about.item?.();
        group = await groupOf(trial.groups, watching(trial, operation, resource, item));
        return await sent(item, group.before);
      };
      const watched = observe();
      const judged = (...checks: Check<Watched>[]) => scenario(of, rests, () => watched, checks).run();
      const results = await judged(...answers);
      const seen = await ifReached(() => watched);
      if (!seen?.before || effect.guard(seen).value === false) return [...results, ...(await judged(effect))];
      if (group) held(trial.groups, group, { scenario: self, unchanged: () => judged(effect) });
      // What comes next may be answered otherwise where this one did something.
      if (results.some(({ verdict }) => verdict === 'violates')) await ended(trial.groups, of);
      return results;
    },
  };
}

/** What is kept that a refusal might change. */
function watching(trial: Trial, operation: Operation, resource: Resource, item: Item | undefined): Watching {
  const touched = touchedBy(trial.of, operation).flatMap((name) => trial.of.resourcesByName.get(name) ?? []);
  const others = touched.filter((one) => one !== resource);
  const resources = [resource, ...others];
  const place = item && listerOf(trial, resource) === null ? placeOf(item) : '';
  return {
    name: [...resources.map(({ name }) => name), place].join(' '),
    resources: resources.flatMap((one) => bearing(trial.of, one)).map(({ name }) => name),
    look: () => seen(trial, resource, item, others),
  };
}

async function seen(
  trial: Trial,
  resource: Resource,
  item: Item | undefined,
  touched: readonly Resource[],
): Promise<Kept> {
  const own = await ifReached(() => snapshot(trial, resource, item ?? null));
  if (own === undefined) return undefined;
  const others: (readonly Json[])[] = [];
  for (const one of touched) others.push((await ifReached(() => snapshot(trial, one, null))) ?? []);
  return notedAs([...own, ...others.flat()], [own, ...others].flatMap(showedBy));
}

function isRefused(
  { says, cites, must = yes }: Refusing,
  operation: Operation | null,
  accepted: readonly Refusal[],
  of: Trial['of'],
): Check<Watched> {
  const status = [...new Set(accepted.flatMap((refusal) => statusesOf(of, refusal)))];
  return {
    name: 'refused',
    says: `${says} is refused`,
    cites,
    guard: () => must,
    claim: ({ exchange }) => ({
      truth: isRefusal(exchange, operation),
      expected: `a refusal${status.length > 0 ? `: status ${status.join(' or ')}` : ''}`,
      found: answerFound(exchange),
    }),
  };
}

/** A refusal leaves everything as it was (language §7: "refuse so, and change nothing"). */
function changesNothing(
  { of }: Trial,
  { says, operation }: Refusing,
  accepted: readonly Refusal[],
  resource: Resource,
): Check<Watched> {
  const [first] = accepted;
  const binding = first?.row ? yes : some(protocolStated(of), unknown(rest('errors.codes')));
  return {
    name: 'refusal.effect',
    says: `${says} changes nothing`,
    cites: statementOf(of, first, 'when'),
    guard: ({ exchange, before, after }) =>
      all(
        refused(exchange, operation),
        before && after ? yes : unseen(`nothing shows what is kept of ${resource.name}`),
        steady(of, resource),
        binding,
      ),
    claim: ({ before = [], after = [] }) => {
      const { gone, come } = difference(before, after);
      const isSame = gone.length === 0 && come.length === 0;
      return {
        truth: known(isSame),
        expected: `the same ${before.length} as before`,
        found: isSame ? `${after.length} as they were` : `gone: ${shownAs(gone)}; new: ${shownAs(come)}`,
      };
    },
  };
}
