import type { Json } from '../source/node.ts';
import { rest } from '../specification/address.ts';
import type { Operation } from '../specification/operation.ts';
import type { Resource } from '../specification/parts/resources.ts';
import { difference } from './alike.ts';
import { answered, type Refusing, type Watched } from './answered.ts';
import { type Check, ifReached, type Scenario, scenario } from './check.ts';
import { touchedBy } from './foresee/also.ts';
import { answerFound, isRefusal, refused } from './guards.ts';
import { snapshot } from './items.ts';
import { namesFor } from './names.ts';
import type { Item } from './partly.ts';
import { acceptable, protocolStated, type Refusal, statementOf, statusesOf } from './refusal.ts';
import { notedAs, showedBy } from './sequences/witnesses.ts';
import type { Trial } from './trial.ts';
import { shownAs } from './unify.ts';
import { steady } from './unrefused.ts';
import { all, known, some, unknown, unseen, yes } from './verdict.ts';

/**
 * Sends a request that must be refused, and judges how: that it is, with which status and payload, and that nothing
 * is changed by it (language §7). What a refusal looks like is bound only if no other one could have come first.
 */
export function refusing(trial: Trial, about: Refusing): Scenario {
  const { of } = trial;
  const { operation, reasons } = about;
  const resource = operation?.subject ?? null;
  const observe = async (): Promise<Watched> => {
    const item = await about.item?.();
    const touched = operation ? touchedBy(of, operation) : [];
    const before = await seen(trial, resource, item, touched);
    const { exchange, given, names } = await about.send(item);
    const asking = { operation, request: exchange.request, given, ...(item && { item }) };
    return {
      exchange,
      given,
      names: names ?? namesFor(trial, asking),
      before,
      after: await seen(trial, resource, item, touched),
    };
  };
  const accepted = acceptable(of, operation, reasons);
  const checks = [
    isRefused(about, operation, accepted, of),
    ...answered(trial, about, accepted),
    ...(about.more ?? []),
    ...(resource && operation?.method !== 'GET' ? [changesNothing(trial, about, accepted, resource)] : []),
  ];
  const rows = accepted.flatMap(({ row }) => (row ? [row.address] : []));
  const rests = operation
    ? [operation.does.address, ...(operation.request ? [operation.request.address] : [])]
    : [];
  return scenario(of, [...rests, ...rows], observe, checks);
}

async function seen(
  trial: Trial,
  resource: Resource | null,
  item: Item | undefined,
  touched: readonly string[],
): Promise<readonly Json[] | undefined> {
  if (resource === null) return undefined;
  const own = await ifReached(() => snapshot(trial, resource, item ?? null));
  if (own === undefined) return undefined;
  const others: (readonly Json[])[] = [];
  for (const name of touched.filter((one) => one !== resource.name)) {
    const other = trial.of.resourcesByName.get(name);
    others.push((other && (await ifReached(() => snapshot(trial, other, null)))) ?? []);
  }
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
