import { pathsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { readsRequest } from '../access/admits.ts';
import { type Scenario, Unreached } from '../check.ts';
import { bodies } from '../foresee/bodies.ts';
import { carryOut } from '../foresee/course.ts';
import { foresee } from '../foresee/foresee.ts';
import { withNewKeys } from '../foresee/going.ts';
import { type Node, nodes } from '../foresee/tree.ts';
import { ownConditions } from '../guards.ts';
import { calledIn, namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { keyToMake, perform } from '../perform.ts';
import { canHold } from '../query.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { isAboutOne, withBody } from '../request.ts';
import { type Attempt, operationFor, type Trial } from '../trial.ts';

/** How many items are tried, of those that can be come to. */
const most = 60;

/** A request of which an expression of one's own should hold: the items that it is about, and what it brings. */
interface Found {
  readonly item: Node | null;
  readonly others: ReadonlyMap<string, Node>;
  readonly body: Json | undefined;
}

/** Requests of which an expression of one's own holds (language §H.4, 15): looked for among what can be come to. */
export function ownRefusals(trial: Trial, operation: Operation): Scenario[] {
  return ownConditions(trial.of, operation).map(({ code, row }) => {
    const { reasons, item, attempt } = earning(trial, operation, code);
    return refusing(trial, {
      says: `${operation.key}, where ${code} holds,`,
      operation,
      cites: { address: row.when.address, at: row.when.at },
      reasons,
      item,
      send: (prepared) => perform(trial, operation, attempt(prepared)),
    });
  });
}

/** A request that earns one expression of one's own, and nothing else. */
export interface Earning {
  readonly reasons: readonly Reason[];
  /** The item that it is about, brought to where the expression holds of it. Throws `Unreached` where none was found. */
  readonly item: () => Promise<Item>;
  /** What is asked of that item. */
  readonly attempt: (item: Item | undefined) => Attempt;
}

/** How the expression of a row is earned. */
export function earning(trial: Trial, operation: Operation, code: string): Earning {
  const creates = stated(operation.does)?.verb === 'create';
  let found: Found | undefined;
  const others = new Map<string, Item>();
  return {
    reasons: [{ name: 'expression', subject: '', failures: [], code }],
    item: (async () => {
      found = look(trial, operation, code);
      if (found === undefined) throw new Unreached(`no request was found of which ${code} holds`);
      for (const [name, node] of found.others)
        others.set(name, await carryOut(trial, node.item.resource, node.steps));
      if (creates && operation.subject && isAboutOne(operation))
        return await keyToMake(trial, operation, operation.subject);
      const under = others.size > 0 ? { others } : {};
      return found.item
        ? await carryOut(trial, found.item.item.resource, found.item.steps, under)
        : undefined;
    }) as () => Promise<Item>,
    attempt: (item) => {
      const body = withNewKeys(trial, operation, found?.body, readBy(trial, operation, code));
      return {
        ...(item && { item }),
        ...(others.size > 0 && { others }),
        ...(body !== undefined && { body }),
        holding: code,
      };
    },
  };
}

/** The members of the body that an expression reads: it may not hold of others. */
function readBy({ of }: Trial, operation: Operation, code: string): readonly string[] {
  return ownConditions(of, operation)
    .filter((one) => one.code === code)
    .flatMap(({ condition }) => pathsIn(condition.template))
    .flatMap(([first, second, name]) => (first === 'request' && second === 'body' && name ? [name] : []));
}

/** The first request, by the items that it is about, of which just this condition holds. */
function look(trial: Trial, operation: Operation, code: string): Found | undefined {
  const { subject } = operation;
  const needsItem = subject !== null && isAboutOne(operation) && stated(operation.does)?.verb !== 'create';
  const about = needsItem ? first(nodes(trial, subject)) : [null];
  const isOfBody = readsBody(trial.of, operation);
  for (const others of otherItems(trial, operation)) {
    const known = new Map([...others].map(([name, node]) => [name, node.item]));
    for (const item of about) {
      const attempt: Attempt = {
        ...(item && { item: item.item }),
        ...(known.size > 0 && { others: known }),
        holding: code,
      };
      if (!isOfBody && !canHold(trial, operation, attempt)) continue;
      for (const body of bodies(trial, operation)) {
        if (isOfBody && !canHold(trial, operation, { ...attempt, ...withBody(body) })) continue;
        const asking = { operation, request: null, given: body, item: item?.item ?? null, others: known };
        const { judged } = foresee(trial.of, operation, namesFor(trial, asking));
        if (!judged.some(({ holds }) => holds.value === true)) return { item, others, body };
      }
    }
  }
  return undefined;
}

/** Whether an expression of one's own, or the rule by which it is told who asks, may read more of a request than its query. */
const readsBody = once((of: Specification, operation: Operation): boolean => {
  const paths = ownConditions(of, operation).flatMap(({ condition }) => pathsIn(condition.template));
  return (
    readsRequest(of, operation) || paths.some(([first, second]) => first === 'request' && second !== 'query')
  );
});

/** Items for the parameters with names of their own: those of the first one in turn. */
function otherItems(trial: Trial, operation: Operation): ReadonlyMap<string, Node>[] {
  const bound = [...operation.bindings.values()].flatMap((one) => (one.kind === 'other' ? [one] : []));
  let found: ReadonlyMap<string, Node>[] = [new Map()];
  for (const binding of bound) {
    const resource = trial.of.resourcesByName.get(binding.resource);
    if (resource === undefined || operationFor(trial.of, resource, 'create') === null) continue;
    const all = first(nodes(trial, resource));
    found = found.flatMap((one) => all.map((node) => new Map([...one, [calledIn(binding), node]])));
  }
  return found.slice(0, most);
}

function first(all: Iterable<Node>): Node[] {
  const found: Node[] = [];
  for (const one of all) if (found.push(one) >= most) break;
  return found;
}
