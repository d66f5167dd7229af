import { compile, compileTemplate, type Environment, type Run } from '../../expression/compile.ts';
import { type Expression, pathsRead } from '../../expression/expression.ts';
import { equal } from '../../expression/functions.ts';
import { and, literal, type Node, not, or, type Path, query, rowOf } from '../../expression/query.ts';
import { type Model, NotAsked } from '../../expression/query-operand.ts';
import { translator } from '../../expression/query-syntax.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { type Indexes, indexesOf, together } from '../list/indexes.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import { workedOut } from '../resource/where.ts';
import { type Row, type Statement, statement } from '../store/rows.ts';
import { type Doing, itemOf } from '../transaction/doing.ts';
import { type Reading, readingsOf } from './reading.ts';

type Resources = ReadonlyMap<string, KeptResource>;

/** How a change of an item bears on an invariant of others, that read it (language §2.1). */
export interface Bearing {
  /** The resource of which the invariant is. */
  readonly of: string;
  /**
   * Whether an item breaks it now; of what was changed, a row that was not there before, or is not now, is null.
   * `looked`: where all items have been looked at in this change.
   */
  readonly breaks: (doing: Doing, before: Row | null, after: Row | null, looked: Set<Bearing>) => boolean;
}

/**
 * The invariants on which a change of an item may bear though they are not its own, by the item's resource: those that
 * follow a reference to it, or look for it among all. The store is asked for an item that breaks one, among those
 * that read what was changed, as far as that is told by the fields of the two.
 */
export function compileBearing(
  resources: Resources,
  model: Model,
  environment: Environment,
): ReadonlyMap<string, readonly Bearing[]> {
  const found = new Map<string, Bearing[]>();
  const add = (name: string, one: Bearing): void => void found.set(name, [...(found.get(name) ?? []), one]);
  for (const { kept, expression } of invariantsIn(resources)) {
    const asked = askedOf(kept, expression, model, environment);
    if (asked === 'all') {
      const one = amongAll(kept, expression, environment);
      for (const name of resources.keys()) add(name, one);
    } else if (asked !== null)
      for (const to of resources.values()) {
        const readings = asked.readings.filter(({ table }) => table === to.name);
        if (readings.length > 0) add(to.name, amongReaders(kept, asked, readings, to));
      }
  }
  return found;
}

/** The indexes by which it is found out whether an invariant is broken, by this item or by another. */
export function bearingIndexes(resources: Resources, model: Model, environment: Environment): Indexes {
  return together(
    invariantsIn(resources).flatMap(({ kept, expression }) => {
      const asked = askedOf(kept, expression, model, environment);
      if (asked === null || asked === 'all') return [];
      const { row, holds, readings } = asked;
      return [holds, ...readings.flatMap(({ readers }) => readers ?? [])].map((node) =>
        indexesOf({ row, always: [node], filters: [], order: [], sorts: [] }),
      );
    }),
  );
}

export function invariantsOf({ resource }: KeptResource): readonly PlacedTemplate[] {
  return [...(stated(resource.invariants)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
}

interface Placed {
  readonly kept: KeptResource;
  readonly expression: Expression;
}

function invariantsIn(resources: Resources): Placed[] {
  return [...resources.values()]
    .filter(({ keyFields }) => keyFields.length > 0)
    .flatMap((kept) =>
      invariantsOf(kept).flatMap(({ template }) =>
        template.kind === 'expression' ? [{ kept, expression: template.expression }] : [],
      ),
    );
}

/** An invariant as a store is asked it. */
interface Asked {
  readonly row: ReturnType<typeof rowOf>;
  readonly holds: Node;
  readonly constants: readonly Run[];
  readonly readings: readonly Reading[];
}

/**
 * Null where it hangs on the time, or on who asks: then it is judged of what is written alone (language §2.1).
 * `all`: where a store cannot be asked it.
 */
function askedOf(
  kept: KeptResource,
  { syntax }: Expression,
  model: Model,
  environment: Environment,
): Asked | 'all' | null {
  const row = rowOf(kept.table);
  const constant = (one: Expression['syntax']): Run | null =>
    pathsRead(one).length > 0 ? null : compile({ text: '', syntax: one }, environment);
  const { node, parameters, add } = translator<Run | null>(model, constant);
  try {
    const holds = node(syntax, new Map([['this', { resource: kept.name, from: row }]]));
    const constants = parameters.flatMap((run) => run ?? []);
    if (constants.length < parameters.length) return null;
    return { row, holds, constants, readings: readingsOf(holds, row, () => add(null)) };
  } catch (error) {
    if (error instanceof NotAsked) return 'all';
    throw error;
  }
}

function amongReaders(
  kept: KeptResource,
  { row, holds, constants }: Asked,
  readings: readonly Reading[],
  to: KeptResource,
): Bearing {
  const readers = readings.flatMap((one) => one.readers ?? []);
  const isTold = readers.length === readings.length;
  const where = and(...(isTold ? [or(...readers)] : []), not(holds));
  const broken: Statement = statement(query(row, { where, limit: literal(1) }));
  const paths = readings.flatMap((one) => one.paths);
  const given = readings.flatMap((one) => one.given);
  const self: Bearing = {
    of: kept.name,
    breaks: (doing, before, after, looked) => {
      const versions = [before, after].flatMap((one) => (one ? [to.members(one)] : []));
      const [first = {}, second] = versions;
      if (second && paths.every((path) => equal(at(first, path), at(second, path)))) return false;
      if (looked.has(self)) return false;
      if (!isTold) looked.add(self);
      const values: unknown[] = constants.map((run) => workedOut(run, doing.frame({})));
      return (isTold ? versions : [first]).some((members) => {
        for (const [slot, path] of given) values[slot] = at(members, path);
        return doing.tx.rows(broken, values).length > 0;
      });
    },
  };
  return self;
}

function amongAll(kept: KeptResource, expression: Expression, environment: Environment): Bearing {
  const holds = compileTemplate({ kind: 'expression', expression, from: 0 }, environment);
  const all = statement(query(rowOf(kept.table)));
  const self: Bearing = {
    of: kept.name,
    breaks: (doing, _before, _after, looked) => {
      if (looked.has(self)) return false;
      looked.add(self);
      return doing.tx
        .rows(all, [])
        .some((row) => holds(doing.frame({ this: itemOf(doing, kept, row) })) !== true);
    },
  };
  return self;
}

function at(members: Members, path: Path): unknown {
  const value = path.reduce<unknown>(
    (of, name) => (typeof of === 'object' && of !== null ? (of as Members)[name] : undefined),
    members,
  );
  return value ?? null;
}
