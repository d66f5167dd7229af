import type { Request } from '../../semantics/request/prediction.ts';
import { hasKey } from '../../semantics/request/repeats.ts';
import { equal } from '../../semantics/value/compare.ts';
import { absent } from '../../semantics/value/evaluate.ts';
import { plain } from '../../semantics/value/plain.ts';
import { isList, isObject, seen, type Unknown, type Value } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { changesMany } from '../play/every.ts';
import type { Candidate } from './candidate.ts';
import { isLooking } from './weights.ts';
import { writtenBetween } from './writers.ts';

/** Carries out a request in memory. */
type Carrying = (request: Request, world: World) => Candidate;

/** Whether a request may be sent with another one: it is carried out for certain, and changes something. */
export function mayRace({ request, steps: [step, ...others] }: Candidate, world: World): boolean {
  if (step === undefined || others.length > 0 || step.world === null) return false;
  if (isLooking(request.operation) || changesMany(request.operation) || request.isPreflight === true)
    return false;
  return !isRefused(step.prediction.status) && writtenBetween(world, step.world).size > 0;
}

/**
 * Whether two requests, sent at once, tell how a service orders them: one order alone explains the answers that are due. Or
 * both carry one key, so that they have one effect (language §F.7).
 */
export function areRivals(one: Candidate, other: Candidate, world: World, carry: Carrying): boolean {
  const after = one.steps[0]?.world;
  const beside = other.steps[0]?.world;
  if (!after || !beside || !mayRace(other, world)) return false;
  if (one.request === other.request && hasKey(one.request)) return true;
  const then = [carry(other.request, after), carry(one.request, beside)] as const;
  if (then.some(({ steps: [step, ...more] }) => !step?.world || more.length > 0)) return false;
  const isSame = isAboutSame(one.request, other.request);
  const [first, second] = [
    [one, then[0]],
    [then[1], other],
  ].map((pair) => pair.map((each) => shownBy(each, isSame)));
  return JSON.stringify(first) !== JSON.stringify(second);
}

/** Whether two requests are about the same item, by their paths. */
export function isAboutSame(one: Request, other: Request): boolean {
  const hasPath = Object.keys(one.path).length > 0;
  return hasPath && one.operation.subject === other.operation.subject && equal(one.path, other.path) === true;
}

/** The status of the answer that is due, and what is known of its content if this tells of the item itself. */
function shownBy({ steps: [step] }: Candidate, isOfItem: boolean): Json {
  if (step === undefined) return null;
  const { status, body } = step.prediction;
  return [plain(status as Value) ?? null, isOfItem && body !== absent ? known(body as Value) : null];
}

/** What is known of a value. */
function known(value: Value): Json {
  const found = seen(value);
  if (isList(found)) return found.map(known);
  if (isObject(found))
    return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, known(member)]));
  return plain(found) ?? '?';
}

function isRefused(status: readonly number[] | Unknown): boolean {
  return !Array.isArray(status) || status.some((each) => each >= 400);
}
