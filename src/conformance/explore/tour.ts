import { plain } from '../../semantics/value/plain.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { transitionsIn } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Pool } from '../requests/pool.ts';
import { fieldsWithFewValues } from './kinds.ts';
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
    const left = visitsIn(world.specification).filter(
      (visit) => this.#isLeft(visit.key) && among.some(({ name }) => name === visit.operation.name),
    );
    if (left.length === 0) return null;
    const itemsBy = (resource: string, field: string, value: Json): readonly Stored[] =>
      world.items(resource).filter(({ members }) => plain(members.get(field) ?? null) === value);
    const open: Visit[] = [];
    const turnOf = ({ key }: Visit): number => this.#found.get(key) ?? 0;
    for (const visit of pool.shuffled(left).toSorted((a, b) => turnOf(a) - turnOf(b))) {
      const items = itemsBy(visit.resource, visit.field, visit.value);
      if (items.length > 0) return { ...visit, item: pool.recent(items), isLeading: false };
      open.push(visit);
    }
    return this.#leading(open, itemsBy, among, world.specification, pool);
  }

  /** @param isFound whether the request was found */
  note({ key }: Stop, isFound: boolean): void {
    const noted = isFound ? this.#found : this.#vain;
    noted.set(key, (noted.get(key) ?? 0) + 1);
  }

  #isLeft(key: string): boolean {
    return (this.#found.get(key) ?? 0) < turns && (this.#vain.get(key) ?? 0) < mostVain;
  }

  /** The first move on the way to a state in which none is. */
  #leading(
    visits: readonly Visit[],
    itemsBy: (resource: string, field: string, value: Json) => readonly Stored[],
    among: readonly Operation[],
    specification: Specification,
    pool: Pool,
  ): Stop | null {
    const moves = movesIn(specification).filter(
      ({ key, operation }) =>
        (this.#vain.get(key) ?? 0) < mostVain && among.some(({ name }) => name === operation.name),
    );
    for (const { resource, field, value } of visits) {
      const own = moves.filter((move) => move.resource === resource && move.field === field);
      const wanted = new Set<Json>([value]);
      for (const state of wanted)
        for (const move of own.filter(({ to }) => to === state)) {
          const items = move.from.flatMap((from) => itemsBy(resource, field, from));
          if (items.length > 0) return { ...move, item: pool.recent(items), isLeading: true };
          for (const from of move.from) wanted.add(from);
        }
    }
    return null;
  }
}

/** Each operation, with each value that a field of the items has that its path names. */
const visitsIn = once((specification: Specification): readonly Visit[] => {
  const { operations, resourcesByName } = specification;
  return operations
    .filter((operation) => !isLooking(operation))
    .flatMap((operation) =>
      namedBy(operation).flatMap((resource) =>
        (fieldsWithFewValues(specification).get(resource) ?? []).flatMap((field): Visit[] => {
          const values = valuesOf(specification, resource, field);
          return values.map((value) => ({
            ...{ operation, resource, field, value },
            key: `${operation.name} ${resource}.${field} ${JSON.stringify(value)}`,
          }));
        }),
      ),
    )
    .filter(({ resource }) => resourcesByName.has(resource));
});

/** The resources of the items that the path of an operation names. */
function namedBy({ bindings, subject, does }: Operation): readonly string[] {
  const isMade = stated(does)?.verb === 'create';
  return [...bindings.values()].flatMap((binding) => {
    if (binding.kind === 'other') return binding.resource;
    return binding.kind === 'subject' && !isMade && subject ? subject.name : [];
  });
}

function valuesOf(
  { resourcesByName, states }: Specification,
  resource: string,
  name: string,
): readonly Json[] {
  const machine = stated(stated(states)?.get(`${resource}.${name}`));
  if (machine) return (stated(machine.states) ?? []).map(({ text }) => text);
  const field = resourcesByName.get(resource)?.fields.get(name);
  const { type, enum: listed } = field ? schemaOf(field.shape) : {};
  return Array.isArray(listed) ? (listed as Json[]) : type === 'boolean' ? [true, false] : [];
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
const movesIn = once(({ operations, states }: Specification): readonly Move[] =>
  [...(stated(states) ?? [])].flatMap(([name, said]) => {
    const [resource = '', field = ''] = name.split('.');
    const machine = stated(said);
    return [...(machine ? transitionsIn(machine) : [])].flatMap(([verb, transition]): Move[] => {
      const from = (stated(transition.from) ?? []).map(({ text }) => text);
      const to = stated(transition.to)?.text;
      return operations
        .filter(({ does, subject }) => subject?.name === resource && stated(does)?.verb === verb)
        .flatMap((operation): Move[] =>
          to === undefined
            ? []
            : [{ operation, resource, field, from, to, key: `${operation.name} leads to ${to}` }],
        );
    });
  }),
);
