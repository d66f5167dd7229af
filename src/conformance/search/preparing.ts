import type { Request } from '../../semantics/request/prediction.ts';
import { step } from '../../semantics/request/request.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Deviation, keyOf } from '../deviations/deviation.ts';
import { type Replacement, replacementIn } from '../deviations/expressions/replacements.ts';
import { changesMade } from '../deviations/meets.ts';
import { type Candidate, candidateOf, comparedOf } from '../explore/candidate.ts';
import { type Decided, decidedOf } from '../explore/foreseen.ts';
import { turned } from '../explore/turning.ts';
import { itemsWritten, Writers } from '../explore/writers.ts';
import { isMembers, withBody } from '../requests/bodies.ts';
import { memberOf, type Pool } from '../requests/pool.ts';

/** An expression about items that a deviation replaces: a derived field, or the guard of a transition. */
interface OfItems extends Replacement {
  readonly resource: string;
  /** The operations that write such items. */
  readonly writers: readonly Operation[];
}

/** How many of the newest items are looked at. */
const mostItems = 12;

/** How many operations are asked to write an item, and how many values of each request are turned. */
const [mostWriters, turns] = [3, 4];

const ofItems = once((deviation: Deviation, specification: Specification): OfItems | null => {
  const found = replacementIn(deviation);
  const [, ofField, ofGuard] =
    /^resources\.(\w+)\.fields\.\w+\.derived$|^states\["(\w+)\.\w+"\]\.transitions\.\w+\.when$/.exec(
      deviation.said.address,
    ) ?? [];
  const resource = ofField ?? ofGuard;
  if (found === null || resource === undefined) return null;
  const writers = specification.operations.filter((operation) =>
    changesMade(operation, specification).some(
      (change) => change.resource === resource && change.verb !== 'delete',
    ),
  );
  return { ...found, resource, writers };
});

/** The items of which a deviation decides otherwise: nobody has looked at them, or tried the transition. */
export function itemsApart(deviation: Deviation, world: World): readonly Stored[] {
  const own = ofItems(deviation, world.specification);
  if (own === null) return [];
  return world
    .items(own.resource)
    .slice(-mostItems)
    .filter((stored) => decided(own, stored, world).isApart);
}

/** Those of them of which the guard of a transition decides. */
export function itemsMoving(deviation: Deviation, world: World): readonly Stored[] {
  return keyOf(deviation.said) === 'when' ? itemsApart(deviation, world) : [];
}

/** Whether a request writes an item of which a deviation decides otherwise, where there was none. */
export function isPreparing(deviation: Deviation, before: World, after: World): boolean {
  const own = ofItems(deviation, before.specification);
  if (own === null || itemsApart(deviation, before).length > 0) return false;
  return writtenOf(own, before, after).some((stored) => decided(own, stored, after).isApart);
}

/** A request that writes an item of which a deviation decides otherwise; null: none was found. */
export function preparingFor(
  deviation: Deviation,
  world: World,
  pool: Pool,
  usual: (among: readonly Operation[]) => Request,
): Request | null {
  const own = ofItems(deviation, world.specification);
  if (own === null) return null;
  for (const writer of pool.shuffled(own.writers).slice(0, mostWriters)) {
    const request = usual([writer]);
    const decided = decidedAfter(own, request, world);
    if (decided.some(({ isApart }) => isApart)) return request;
    const compared = comparedOf(decided.flatMap(({ decisions }) => decisions));
    for (let tried = 0; tried < turns; tried++) {
      const other = turned(request, compared, pool);
      if (other && decidedAfter(own, other, world).some(({ isApart }) => isApart)) return other;
    }
  }
  return null;
}

/** What is decided of the items that a request writes. */
function decidedAfter(own: OfItems, request: Request, before: World): readonly Decided[] {
  const after = step(before, request).at(-1)?.world;
  return after ? writtenOf(own, before, after).map((stored) => decided(own, stored, after)) : [];
}

/**
 * The request with a value for which an expression comes to something else as a deviation has it; null: none was found, or the
 * deviation replaces none.
 */
export function turnedFor(deviation: Deviation, request: Request, world: World, pool: Pool): Request | null {
  const replacement = replacementIn(deviation);
  if (replacement === null) return null;
  const about = {
    writers: new Writers(),
    replacements: new Map([[replacement.stated, [replacement.other]]]),
  };
  const carried = (each: Request): Candidate => candidateOf(world, each, world.received, about);
  const usual = carried(request);
  for (let tried = 0; tried < 2 * turns; tried++) {
    const other = tried % 2 === 0 ? turned(request, usual.compared, pool) : likeAnother(request, world, pool);
    if (other && carried(other).isSameWith(replacement.other) === false) return other;
  }
  return null;
}

/** The request with values that another item of its resource holds; null: there is none. */
function likeAnother(request: Request, world: World, pool: Pool): Request | null {
  const { subject } = request.operation;
  const items = subject ? world.items(subject.name) : [];
  if (items.length === 0) return null;
  const item = pool.item(items);
  return withBody(request, (body) => {
    if (!isMembers(body)) return undefined;
    const values = Object.keys(body).map((name) => [name, pool.often(80) ? memberOf(item, name) : undefined]);
    return { ...body, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) };
  });
}

function writtenOf({ resource }: OfItems, before: World, after: World): readonly Stored[] {
  return itemsWritten(before, after).filter((stored) => stored.resource === resource);
}

function decided({ stated, other }: OfItems, stored: Stored, world: World): Decided {
  return decidedOf(stated, other, stored, world);
}
