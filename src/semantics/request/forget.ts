import { wholePath } from '../../expression/template.ts';
import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { addDoubtful, forgetMembers } from '../change/forget.ts';
import { equal } from '../value/compare.ts';
import { every } from '../value/truth.ts';
import { Item, type Value } from '../value/value.ts';
import type { Stored } from '../world/stored.ts';
import { Ways } from '../world/ways.ts';
import type { World } from '../world/world.ts';
import { boundFields } from './given/bound.ts';
import type { Request } from './prediction.ts';
import { doubtful } from './rates.ts';
import { doubtKey, hasKey } from './repeats.ts';

/** A change of which nothing is known but that it may have been made. */
interface Touching {
  readonly world: World;
  /** The items that the operation may be about. */
  readonly subjects: readonly Stored[];
  /** The items that `this`, and what the path binds, may mean. */
  readonly named: ReadonlyMap<string, Meant>;
  /** Whether the operation makes what it is about. */
  readonly isMade: boolean;
}

/** Items of one resource. */
interface Meant {
  readonly resource: string;
  readonly items: readonly Stored[];
}

/** It may have touched anything. */
class Untold extends Error {}

/** So many items of which it is not known whether they are there make a world that says hardly anything, slowly. */
const mostDoubts = 4;

/**
 * The world after a request of which it is not known what came: what the request may have touched is unknown until it is
 * seen again (language §F.3, rule 1). Null: that may be anything.
 *
 * @param status of the answer: one that says that the request is refused says that nothing changed (language §7)
 * @param done the world if the answer says that the request was carried out, though not as it should be; null: it does not
 */
export function forgotten(before: World, request: Request, status: number, done: World | null): World | null {
  const isRefused = status >= 400 && status < 500 && isRefusalPlain(request);
  const world = isRefused
    ? unchanged(before, request)
    : done
      ? unsure(done, before)
      : touched(before, request);
  const doubts = world?.timers.filter(({ kind }) => kind === 'doubt').length ?? 0;
  return doubts > mostDoubts ? null : world;
}

/** Whether each status of 400 and more says that a request is refused: no answer to a success has one. */
export function isRefusalPlain({ operation: { response } }: Request): boolean {
  const statuses = stated(response)?.map(({ status }) => stated(status) ?? [400]) ?? [[400]];
  return statuses.flat().every((status) => status < 400);
}

/** A key may be remembered with the refusal. */
function unchanged(before: World, request: Request): World {
  const world = doubtful(before, request.operation);
  if (!hasKey(request)) return world;
  const own = world.fork(new Ways());
  doubtKey(request, own);
  return own;
}

/** What a request wrote is unknown, but for which items there are. */
function unsure(done: World, before: World): World {
  const world = done.fork(new Ways());
  world.watched = [];
  for (const resource of world.newest.resourcesByName.values()) {
    const former = new Set(before.all(resource.name));
    for (const stored of world.all(resource.name))
      if (!former.has(stored)) forgetMembers(stored, resource, world);
  }
  return world;
}

function touched(before: World, request: Request): World | null {
  const { operation } = request;
  const { does, endpoint, subject } = operation;
  if (does.kind !== 'stated' && does.kind !== 'none') return null;
  if (request.isPreflight === true) return before;
  // Members that nobody stated may be kept, of any name (language §H.1, rule 7).
  const isKeeping = [...before.newest.resourcesByName.values()].some(
    ({ others }) => stated(others) === 'keep',
  );
  const isKept = stated(stated(operation.request?.others)?.body) === 'keep';
  if (isKeeping || isKept) return null;
  const world = doubtful(before, operation).fork(new Ways());
  world.watched = [];
  doubtKey(request, world);
  const change = stated(does);
  const subjects = subject ? subjectsOf(request, subject, world) : [];
  if (change?.verb === 'list') world.hasUnknownCursors = true;
  const isMade = change?.verb === 'create';
  const touching = { world, subjects, named: namedBy(request, subjects, world), isMade };
  try {
    if (change) touch(change, true, touching);
    for (const further of stated(endpoint.also) ?? []) touch(further, false, touching);
  } catch (error) {
    if (error instanceof Untold) return null;
    throw error;
  }
  return world;
}

/** The items that the path may single out. */
function subjectsOf(request: Request, { name }: Resource, world: World): readonly Stored[] {
  return itemsWith(name, Object.entries(boundFields(request)), world);
}

/** The item that surely has these values; if there is none, or several, all that may have them. */
function itemsWith(
  resource: string,
  given: readonly (readonly [field: string, value: Value])[],
  world: World,
): readonly Stored[] {
  const judged = world.all(resource).map((stored) => ({
    stored,
    isIt: every(given, ([field, value]) => equal(stored.members.get(field) ?? null, value)),
  }));
  const sure = judged.filter(({ isIt }) => isIt === true);
  const found = sure.length === 1 ? sure : judged.filter(({ isIt }) => isIt !== false);
  return found.map(({ stored }) => stored);
}

/** What `this`, and what the path binds, may mean. */
function namedBy(
  { operation: { bindings, does, subject }, path }: Request,
  subjects: readonly Stored[],
  world: World,
): ReadonlyMap<string, Meant> {
  const named = new Map<string, Meant>();
  for (const [parameter, binding] of bindings) {
    if (binding.kind !== 'other' || binding.as === null) continue;
    const { resource, field, as } = binding;
    named.set(as, { resource, items: itemsWith(resource, [[field, path[parameter] ?? null]], world) });
  }
  if (subject === null) return named;
  // What is new may be like any other one.
  const items = stated(does)?.verb === 'create' ? world.all(subject.name) : subjects;
  return named.set('this', { resource: subject.name, items });
}

/** The items that a bound name means, or to which fields lead from there; undefined: nobody can say. */
function meantBy({ subject }: Change, { world, named, isMade }: Touching): Meant | undefined {
  const words = subject.kind === 'expression' ? wholePath(subject.item.template) : [subject.name ?? ''];
  const [root = '', ...members] = words ?? [];
  return members.reduce<Meant | undefined>((from, member) => {
    const refers = from && world.newest.resourcesByName.get(from.resource)?.fields.get(member)?.refers;
    const resource = refers && stated(refers)?.resource;
    if (resource === undefined) return undefined;
    const values = from?.items.map(({ members: held }) => held.get(member)) ?? [];
    const isKnown = !isMade && values.every((value) => value instanceof Item && world.stored(value));
    const items = isKnown
      ? values.flatMap((value) => world.stored(value as Item) ?? [])
      : world.all(resource);
    return { resource, items };
  }, named.get(root));
}

function touch(change: Change, isMain: boolean, touching: Touching): void {
  const { world, subjects } = touching;
  const { verb, subject, qualifiers } = change;
  if (['read', 'list', 'authenticate'].includes(verb)) return;
  if (['handled', 'run', 'revoke'].includes(verb)) throw new Untold();
  const isOfName = subject.kind === 'one' || subject.kind === 'every';
  const isThis = !isOfName && 'name' in subject && subject.name === 'this';
  const [first] = subjects;
  const meant = isOfName || isThis ? undefined : meantBy(change, touching);
  const name = isOfName ? subject.name : isThis ? first?.resource : meant?.resource;
  const resource = name === undefined ? undefined : world.newest.resourcesByName.get(name);
  if (resource === undefined) {
    if (isThis) return;
    throw new Untold();
  }
  const isSubject = (isMain && subject.kind !== 'every') || isThis;
  const items = meant?.items ?? (isSubject ? subjects : world.all(resource.name));
  if (verb === 'create') {
    if (stated(qualifiers.for)) throw new Untold();
    if (stated(qualifiers.present))
      for (const each of world.all(resource.name)) forgetNow(each, resource, world);
    addDoubtful(resource, world);
    return;
  }
  if (verb === 'delete') for (const each of items) doubtAll(each, world, new Set());
  else if (['update', 'replace'].includes(verb))
    for (const each of items) move(each, resource, null, touching);
  else for (const each of items) move(each, resource, verb, touching);
}

/** An item that was changed, or that may have moved by one transition; null: by any, since a client may write its state. */
function move(stored: Stored, resource: Resource, name: string | null, touching: Touching): void {
  const { world } = touching;
  const transitions = [...machinesOf(world.specification, resource.name).values()].flatMap((machine) => [
    ...transitionsIn(machine),
  ]);
  forgetNow(stored, resource, world);
  for (const [each, { to, also }] of transitions) {
    if (name !== null && each !== name) continue;
    if (to.kind === 'none' && name !== null) doubtAll(stored, world, new Set());
    for (const further of stated(also) ?? []) {
      if (further.verb !== 'create' && further.verb !== 'update' && further.verb !== 'delete')
        throw new Untold();
      touch(further, false, touching);
    }
  }
}

function forgetNow({ handle }: Stored, resource: Resource, world: World): void {
  const stored = world.all(resource.name).find((each) => each.handle === handle);
  if (stored) forgetMembers(stored, resource, world);
}

/** An item that may be deleted, with those that go with it, or lose their reference to it. */
function doubtAll(stored: Stored, world: World, done: Set<number>): void {
  if (done.has(stored.handle)) return;
  done.add(stored.handle);
  world.doubt(stored);
  for (const resource of world.newest.resourcesByName.values())
    for (const { name, refers, ifDeleted } of resource.fields.values()) {
      if (stated(refers)?.resource !== stored.resource) continue;
      for (const each of world.all(resource.name)) {
        const value = each.members.get(name);
        if (
          value === undefined ||
          value === null ||
          (value instanceof Item && value.handle !== stored.handle)
        )
          continue;
        if (stated(ifDeleted) === 'delete') doubtAll(each, world, done);
        else if (stated(ifDeleted) === 'clear') forgetNow(each, resource, world);
      }
    }
}
