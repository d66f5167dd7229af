import { plain } from '../../semantics/value/plain.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Pool } from '../requests/pool.ts';
import { fewValues } from './kinds.ts';
import { isLooking } from './weights.ts';

/** A request that has its turn: an operation, about one item. */
export interface Stop {
  readonly operation: Operation;
  readonly item: Stored;
  /** Whether it brings the item on to a state in which none is, and so has to succeed. */
  readonly isLeading: boolean;
  readonly key: string;
}

/** An operation, and the value that a field of an item has then: a state, a flag, or one of a list. */
interface Visit {
  readonly operation: Operation;
  readonly resource: string;
  readonly field: string;
  readonly value: Json;
  readonly key: string;
}

/** How often each operation is asked for of an item in each state: what else is stored may hide that it may not. */
const turns = 3;

/** What nothing led to so many times, has no turn any more. */
const mostVain = 8;

/**
 * Goes through the states of items, one by one: each operation is asked for of an item in each of them, whether it may then or
 * not. Chance alone seldom asks for what is refused.
 */
export class Tour {
  /** By key, how often a request was found. */
  readonly #found = new Map<string, number>();
  /** By key, how often none was found. */
  readonly #vain = new Map<string, number>();

  /** Null: all had their turn, or nothing stored is, or leads to, what is left. */
  next(among: readonly Operation[], world: World, pool: Pool): Stop | null {
    const asked = new Set(among.map(({ name }) => name));
    const left = visitsIn(world.specification).filter(
      ({ key, operation }) => asked.has(operation.name) && this.#isLeft(key),
    );
    const itemsIn = (resource: string, field: string, value: Json): readonly Stored[] =>
      world.items(resource).filter(({ members }) => plain(members.get(field) ?? null) === value);
    const turnOf = ({ key }: Visit): number => this.#found.get(key) ?? 0;
    const visits = pool.shuffled(left).toSorted((a, b) => turnOf(a) - turnOf(b));
    for (const visit of visits) {
      const items = itemsIn(visit.resource, visit.field, visit.value);
      if (items.length > 0) return { ...visit, item: pool.recent(items), isLeading: false };
    }
    const moves = movesIn(world.specification).filter(
      ({ key, operation }) => asked.has(operation.name) && !this.#isVain(key),
    );
    for (const visit of visits)
      for (const move of leadingTo(visit, moves)) {
        const items = move.from.flatMap((from) => itemsIn(move.resource, move.field, from));
        if (items.length > 0) return { ...move, item: pool.recent(items), isLeading: true };
      }
    return null;
  }

  /** @param isFound whether the request was found */
  note({ key }: Stop, isFound: boolean): void {
    const noted = isFound ? this.#found : this.#vain;
    noted.set(key, (noted.get(key) ?? 0) + 1);
  }

  #isLeft(key: string): boolean {
    return (this.#found.get(key) ?? 0) < turns && !this.#isVain(key);
  }

  #isVain(key: string): boolean {
    return (this.#vain.get(key) ?? 0) >= mostVain;
  }
}

/** The moves on the ways to a state, those that end there first. */
function* leadingTo({ resource, field, value }: Visit, moves: readonly Move[]): Iterable<Move> {
  const own = moves.filter((move) => move.resource === resource && move.field === field);
  const wanted = new Set<Json>([value]);
  for (const state of wanted)
    for (const move of own.filter(({ to }) => to === state)) {
      yield move;
      for (const from of move.from) wanted.add(from);
    }
}

/** Each operation, with each value that a field of the items has that its path names. */
const visitsIn = once((specification: Specification): readonly Visit[] =>
  specification.operations
    .filter((operation) => !isLooking(operation))
    .flatMap((operation) =>
      namedBy(operation).flatMap((resource) =>
        [...(fewValues(specification).get(resource) ?? [])].flatMap(([field, values]) =>
          values.map((value) => ({
            ...{ operation, resource, field, value },
            key: `${operation.name} ${resource}.${field} ${JSON.stringify(value)}`,
          })),
        ),
      ),
    ),
);

/** The resources of the items that the path of an operation names. */
function namedBy({ bindings, subject, does }: Operation): readonly string[] {
  const isMade = stated(does)?.verb === 'create';
  return [...bindings.values()].flatMap((binding) => {
    if (binding.kind === 'other') return binding.resource;
    return binding.kind === 'subject' && !isMade && subject ? subject.name : [];
  });
}

interface Move {
  readonly operation: Operation;
  readonly resource: string;
  readonly field: string;
  readonly from: readonly string[];
  readonly to: string;
  readonly key: string;
}

/** The transitions that clients ask for. */
const movesIn = once((specification: Specification): readonly Move[] =>
  [...specification.resourcesByName.keys()].flatMap((resource) =>
    [...machinesOf(specification, resource)].flatMap(([field, machine]) =>
      [...transitionsIn(machine)].flatMap(([verb, transition]): Move[] => {
        const from = (stated(transition.from) ?? []).map(({ text }) => text);
        const to = stated(transition.to)?.text;
        if (to === undefined) return [];
        return specification.operations
          .filter(({ does, subject }) => subject?.name === resource && stated(does)?.verb === verb)
          .map((operation) => ({
            ...{ operation, resource, field, from, to },
            key: `${operation.name} leads to ${to}`,
          }));
      }),
    ),
  ),
);
