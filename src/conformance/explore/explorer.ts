import type { Request } from '../../semantics/request/prediction.ts';
import type { Step } from '../../semantics/request/request.ts';
import { Unknown } from '../../semantics/value/value.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import { transitionsIn, waysOut } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Candidate, candidateOf, Novelty } from './novelty.ts';
import type { Pool } from './pool.ts';
import { askedOperations, oddRequest, usualRequest } from './requests.ts';
import { nextWait } from './waits.ts';
import { Writers } from './writers.ts';

/** How many requests to an operation are looked at for one that succeeds. */
const tries = 8;

/** Of how many items a walk makes no more, or hardly any. */
const plenty = 5;

/** How many requests an operation waits for its turn after none was found that may succeed. */
const pause = 6;

/** How many requests to an operation are looked at for the one that depends on most that is new. */
const breadth = 4;

/** How many requests of a hundred have something wrong. */
const odd = 40;

/** How many requests of a hundred have a value about a bound that had no turn as yet. */
const untried = 8;

/** How many of a hundred of these have a value about a bound, each in its turn. */
const probed = 30;

/** How many requests of a hundred are taken without a look at what they show. */
const unchosen = 10;

/**
 * Chooses the requests of one walk: those that depend on something new. Half of what it looks at should succeed, and the
 * rest is wrong in one thing, or in two.
 */
export class Explorer {
  readonly #pool: Pool;
  readonly #novelty: Novelty;
  readonly #url: string;
  readonly #operations: readonly Operation[];
  /** Which requests wrote what. */
  readonly writers = new Writers();
  /** How many requests an operation still waits for its turn. */
  readonly #waits = new Map<Operation, number>();

  /** @param novelty what was seen in this and in other walks */
  constructor(pool: Pool, novelty: Novelty, url: string, operations: readonly Operation[]) {
    this.#pool = pool;
    this.#novelty = novelty;
    this.#url = url;
    this.#operations = operations;
  }

  /** How long to wait before the next request, in milliseconds. */
  wait(world: World, mostMs: number): number {
    return nextWait(world, this.#pool, mostMs);
  }

  /**
   * The next request: mostly one after which it is known what the service holds, whatever it answers.
   *
   * @param among the operations. Default: all of the walk
   */
  next(world: World, received: Received, among = this.#operations): Candidate {
    const first = this.#pool.often(untried) ? this.#probed(world, received, among) : null;
    if (first) return first;
    const operation = this.#choose(among, (operation) => this.#weightOf(operation, world));
    const usual = this.#usual(operation, world, received);
    const found = this.#pool.often(odd)
      ? this.#oddOnes(usual.request, world, received)
      : [usual, ...this.#others(operation, world, received)];
    return this.#newest(found) ?? usual;
  }

  /** A request with a value that had no turn as yet; null: all had one, or it may not be sent now. */
  #probed(world: World, received: Received, among: readonly Operation[]): Candidate | null {
    const { probing } = this.#novelty;
    const leftOf = (operation: Operation): number =>
      this.#isLacking(operation, world) ? 0 : probing.untried(operation, this.#pool);
    const operation = this.#choose(among, leftOf);
    if (leftOf(operation) === 0) return null;
    const request = probing.next(this.#usual(operation, world, received).request, this.#pool);
    return request && this.#newest([this.#candidate(request, world, received)]);
  }

  /** The request that depends on most that is new; null: after each, nobody would know what the service holds. */
  #newest(candidates: readonly Candidate[]): Candidate | null {
    const { random } = this.#pool;
    const known = candidates.filter(({ steps }) => steps.every((each) => each.world !== null));
    if (known.length === 0) return null;
    if (this.#pool.often(unchosen)) return random.pick(known);
    const worths = known.map((candidate) => this.#novelty.worth(candidate));
    const most = Math.max(...worths);
    return random.pick(known.filter((_, place) => worths[place] === most));
  }

  /** Other requests to an operation that may succeed. */
  #others(operation: Operation, world: World, received: Received): readonly Candidate[] {
    return Array.from({ length: breadth - 1 }, () =>
      this.#candidate(usualRequest(operation, world, this.#pool, this.#url), world, received),
    ).filter(({ steps }) => isSuccess(steps));
  }

  /** The same request with one thing wrong, with two, or with the value whose turn it is. */
  #oddOnes(request: Request, world: World, received: Received): readonly Candidate[] {
    const other = this.#pool.often(probed) ? this.#novelty.probing.next(request, this.#pool) : null;
    if (other) return [this.#candidate(other, world, received)];
    return Array.from({ length: breadth }, () => {
      const first = oddRequest(request, world, this.#pool);
      const changed = this.#pool.often(25) ? oddRequest(first, world, this.#pool) : first;
      return this.#candidate(changed, world, received);
    });
  }

  /** Notes what came of a request. */
  note(candidate: Candidate, status: number, before: World, after: World): void {
    const { name } = candidate.request.operation;
    for (const [operation, turns] of this.#waits) this.#waits.set(operation, turns - 1);
    this.#novelty.note(candidate);
    if (status < 400) {
      this.#novelty.succeeded(name);
      this.writers.note(name, before, after);
    } else this.writers.noteRefusal(`${name} ${status}`, candidate.reads);
  }

  #candidate(request: Request, world: World, received: Received): Candidate {
    return candidateOf(world, request, received, this.writers);
  }

  /** A request that may succeed, if one is found soon. If none is, the operation has its turn later. */
  #usual(operation: Operation, world: World, received: Received): Candidate {
    const usual = (): Candidate =>
      this.#candidate(usualRequest(operation, world, this.#pool, this.#url), world, received);
    let candidate = usual();
    for (let tried = 1; tried < tries && !isSuccess(candidate.steps); tried++) candidate = usual();
    if (isSuccess(candidate.steps)) this.#waits.delete(operation);
    else this.#waits.set(operation, pause);
    return candidate;
  }

  /** An operation, as often as it weighs. */
  #choose(among: readonly Operation[], weightOf: (operation: Operation) => number): Operation {
    const weights = among.map(weightOf);
    const sum = weights.reduce((all, weight) => all + weight, 0);
    let at = (this.#pool.random.whole(0, 999_999) / 1_000_000) * sum;
    const place = weights.findIndex((weight) => {
      at -= weight;
      return at < 0;
    });
    return among[Math.max(0, place)] as Operation;
  }

  /** Whether there is no item yet that an operation needs. */
  #isLacking({ bindings, subject, does }: Operation, world: World): boolean {
    const verb = stated(does)?.verb;
    const needed = [...bindings.values()].flatMap((binding) =>
      binding.kind === 'other'
        ? [binding.resource]
        : binding.kind === 'subject' && subject && verb !== 'create'
          ? [subject.name]
          : [],
    );
    return needed.some((resource) => world.items(resource).length === 0);
  }

  /** It is larger if an operation seldom succeeded, and if there are items for it. */
  #weightOf(operation: Operation, world: World): number {
    const { does, subject } = operation;
    const verb = stated(does)?.verb;
    const isWaiting = (this.#waits.get(operation) ?? 0) > 0;
    const own = subject
      ? world.items(subject.name).filter(({ handle }) => handle > this.#pool.since).length
      : 0;
    const isEnding = verb === 'delete' || movesToEnd(operation, world);
    const isPlenty = verb === 'create' && own >= plenty;
    const often =
      this.#isLacking(operation, world) || isWaiting ? 0.02 : isEnding ? 0.15 : isPlenty ? 0.1 : 1;
    return often / (1 + this.#novelty.successes(operation.name));
  }
}

/** An explorer of all operations. */
export function exploring(pool: Pool, url: string, novelty = new Novelty()): Explorer {
  return new Explorer(pool, novelty, url, askedOperations(pool.specification));
}

/** Whether an operation moves its item to a state out of which nothing leads. */
function movesToEnd({ subject, does }: Operation, { specification }: World): boolean {
  const verb = stated(does)?.verb ?? '';
  return [...(stated(specification.states) ?? [])].some(([key, said]) => {
    const machine = stated(said);
    const to = machine && stated(transitionsIn(machine).get(verb)?.to);
    return key.startsWith(`${subject?.name}.`) && machine && to && waysOut(machine, to.text).length === 0;
  });
}

/** Whether a request may succeed. */
export function isSuccess(steps: readonly Step[]): boolean {
  return steps.some(
    ({ prediction: { status } }) => !(status instanceof Unknown) && status.every((each) => each < 400),
  );
}
