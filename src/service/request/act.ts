import { equal } from '../../expression/functions.ts';
import { worked } from '../../expression/values.ts';
import { ownMember, setMember } from '../../source/node.ts';
import { bodiesOf, type Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import { type Change, isAboutResource } from '../../specification/vocabulary/change.ts';
import type { BodyReader } from '../body/body.ts';
import { givenBy, writableMembers, wrongOf } from '../body/given.ts';
import { namesOf, renewed } from '../change/also.ts';
import { compileEvery } from '../change/every.ts';
import type { Bring } from '../change/given.ts';
import { type Asking, compileMeeting, type Perform } from '../change/perform.ts';
import type { ItemRule } from '../judge/rule.ts';
import type { Given } from '../message/patch.ts';
import type { Checked } from '../message/refusal.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import { isWritable, type OthersRule } from '../shape/schema.ts';
import type { Row } from '../store/store.ts';
import { type Doing, isClear, itemOf, naming, refuseChecked } from '../transaction/doing.ts';
import type { Of } from '../transaction/done.ts';
import { doneBy } from '../transaction/done.ts';
import type { Found } from '../transaction/found.ts';
import type { Around } from './around.ts';

type Names = Readonly<Record<string, unknown>>;

/** What an operation does, compiled: its change, those that follow it, and what has to hold in the end. */
export interface Act {
  /** Whether it writes, and so belongs into a transaction with others. */
  readonly writes: boolean;
  /** The item that a `create` would meet, whatever identifies it; null: there is none (language §4.3). */
  readonly meets: (doing: Doing) => Row | null;
  /** Carries it out; the names that an answer finds. What stands against it is in `doing`. */
  readonly run: (doing: Doing, found: Found) => Acted;
}

export interface Acted {
  readonly outcome: Outcome | null;
  readonly names: Names;
}

const none: Of = { kept: null, before: null, after: null, outcome: null };

/** What is done to the items that an operation is about, before anything follows. */
type Does = (doing: Doing, found: Found) => Of;

/** What a change needs of the service around it. */
type Means = Pick<Around, 'changes' | 'select' | 'resources'>;

/**
 * @param rules what each of several items is judged by
 */
export function compileAct(
  operation: Operation,
  kept: KeptResource | undefined,
  body: BodyReader | undefined,
  means: Means,
  rules: readonly ItemRule[] = [],
): Act {
  const { changes } = means;
  const change = stated(operation.does);
  const also = stated(operation.endpoint.also) ?? [];
  const follow = also.length > 0 ? changes.also(also) : null;
  const verb = change?.verb ?? 'read';
  const writes = follow !== null || !['read', 'list', 'authenticate'].includes(verb);
  const asking = compileAsking(operation, kept, body);
  const does = compileDoes(operation, kept, asking, means, rules);
  const meeting = verb === 'create' && change ? compileMeeting(change, changes.ways, asking) : null;
  const meets = (doing: Doing): Row | null => (kept && meeting && worked(() => meeting(doing, kept))) ?? null;
  const as = change && stated(change.qualifiers.as)?.text;
  // Most requests only read an item, and then it is all that an answer finds.
  if (!writes && as === undefined && verb === 'read') return { writes, meets, run: reading(does) };
  return { writes, meets, run: compileRun(operation, kept, { does, follow, writes, as }, means) };
}

function reading(does: Does): Act['run'] {
  return (doing, found) => {
    const of = does(doing, found);
    return { outcome: of.outcome, names: { ...found.bound, ...namesOf(naming(doing, found.bound), of) } };
  };
}

/** Carries a change out with those that follow it, and with the events and invariants that it bears on. */
function compileRun(
  operation: Operation,
  kept: KeptResource | undefined,
  steps: {
    readonly does: Does;
    readonly follow: ReturnType<Means['changes']['also']> | null;
    readonly writes: boolean;
    /** The name under which what follows finds the item. */
    readonly as: string | undefined;
  },
  { changes, resources }: Means,
): Act['run'] {
  const { does, follow, writes, as } = steps;
  const tells = changes.tells(operation.name);
  const several = stated(operation.does)?.subject.kind === 'every' ? (kept ?? null) : null;
  return (doing, found) => {
    const at = naming(doing, found.bound);
    const { subject } = found;
    const asItem = as !== undefined && subject ? { [as]: itemOf(at, subject.kept, subject.row) } : {};
    const of = does(as === undefined ? at : naming(at, asItem), found);
    let names: Names = { ...found.bound };
    if (as !== undefined && isClear(doing)) names = { ...names, [as]: namesOf(at, of)['this'] };
    const done = tells ? doneBy(operation.name, doing, of, several) : null;
    if (follow && isClear(doing)) names = { ...names, ...follow(naming(doing, names), of) };
    if (writes && isClear(doing)) changes.settle(doing, done);
    if (!isClear(doing)) return { outcome: of.outcome, names };
    return { outcome: of.outcome, names: { ...renewed(at, names, resources), ...namesOf(at, of) } };
  };
}

/** What a request gives to a change: members of its body, values of its path, and what its result is held against. */
function compileAsking(
  operation: Operation,
  kept: KeptResource | undefined,
  body: BodyReader | undefined,
): Asking {
  return {
    isFirst: true,
    bring: compileBring(operation, kept, body?.others),
    bound: (frame) => boundTo(operation, frame.names['request'] as { path: Names }),
    check: (doing, after, before) => {
      const isSame = (name: string): boolean => equal(ownMember(before, name), ownMember(after, name));
      const members = body && kept && writableMembers(after, kept.resource, [], true);
      const checked = members && body.checkResult(members, isSame);
      if (checked) refuseChecked(doing, checked);
    },
  };
}

function compileDoes(
  operation: Operation,
  kept: KeptResource | undefined,
  asking: Asking,
  means: Means,
  rules: readonly ItemRule[],
): Does {
  const change = stated(operation.does);
  if (change === undefined) return () => none;
  const { changes } = means;
  const { verb, subject: of, qualifiers } = change;
  const perform = changes.perform(change, asking);
  if (verb === 'revoke')
    return (doing) => {
      changes.revoke(doing, of.name);
      return { ...none, outcome: 'deleted' };
    };
  if (of.kind === 'every' && kept) return compileDoesEvery(operation, change, kept, perform, means, rules);
  if (verb === 'create' && kept) return (doing) => perform(doing, kept, null) ?? none;
  const ignoresAbsent = stated(qualifiers.absent) === 'ignore';
  return (doing, { subject }) => {
    if (subject === null) return ignoresAbsent ? { ...none, outcome: 'unchanged' } : none;
    return perform(doing, subject.kept, subject.row) ?? none;
  };
}

function compileDoesEvery(
  operation: Operation,
  change: Change,
  kept: KeptResource,
  perform: Perform,
  { changes, select }: Means,
  rules: readonly ItemRule[],
): Does {
  const where = stated(change.qualifiers.where);
  if (where === undefined && rules.length === 0 && mayEmpty(operation, change, kept, changes))
    return ({ tx }) => {
      tx.removeEvery(kept.name);
      return { ...none, outcome: 'deleted' };
    };
  const as = stated(change.qualifiers.as)?.text;
  const find = select(kept, where, new Map(), as === undefined ? [] : [as], [], rules);
  const carryOut = compileEvery(change, perform, changes.ways);
  return (doing) => {
    const done = carryOut(doing, kept, find(doing));
    return done === null ? none : { ...none, outcome: done.outcome };
  };
}

/** Whether all items may go at once: nobody refers to them, and nothing waits for them. */
function mayEmpty(
  operation: Operation,
  { verb }: Change,
  kept: KeptResource,
  changes: Means['changes'],
): boolean {
  const isHeard =
    changes.writing.tells(kept) || changes.tells(operation.name) || changes.machines.has(kept.name);
  const isJudged = stated(kept.resource.guards) !== undefined || changes.invariants.bear(kept.name);
  const isReferred = kept.referrers.length > 0 || kept.bytes !== null;
  return verb === 'delete' && kept.keyFields.length > 0 && !isHeard && !isJudged && !isReferred;
}

/** What the body brings to an item: of one with a shape of its own, only what is a field of the resource. */
function compileBring(
  operation: Operation,
  kept: KeptResource | undefined,
  others: OthersRule | undefined,
): Bring {
  if (kept === undefined) return () => ({ given: {} });
  const { resource } = kept;
  const bodies = bodiesOf(operation);
  const isOwn = bodies.some(({ of }) => of?.name === kept.name);
  const apart = bodies.every(({ of }) => of?.name === kept.name) ? {} : { isShapedApart: true as const };
  const verb = stated(operation.does)?.verb;
  const settled = verb === 'create' ? [] : kept.keyFields;
  const givable = settled.filter((name) => {
    const field = resource.fields.get(name);
    return field === undefined || isWritable(field);
  });
  const rule = others === undefined ? {} : { others };
  return ({ body, patch }, before) => {
    const asked = givenBy(patch, body, before);
    const cannot = wrongOf(asked);
    if (cannot) return { given: {}, wrong: cannot };
    const { set, gone } = asked as Given;
    const wrong = others && otherKey(resource.name, givable, [set, gone], before, others);
    if (wrong) return { given: {}, wrong };
    return {
      given: writableMembers(set, resource, settled, isOwn),
      gone: Object.keys(writableMembers(gone, resource, settled, isOwn)),
      ...rule,
      ...apart,
    };
  };
}

/** An identifier never changes: one that differs is given as a member that nobody stated (language §H.2). */
function otherKey(
  resource: string,
  key: readonly string[],
  given: readonly Members[],
  before: Members,
  { rule, address }: OthersRule,
): Checked | null {
  const other = key.flatMap((name) =>
    given.flatMap((members) =>
      Object.hasOwn(members, name) && !equal(members[name], ownMember(before, name))
        ? [{ name, value: members[name] }]
        : [],
    ),
  );
  if (other.length === 0 || rule === 'ignore' || rule === 'keep') return null;
  if (rule === null) return { failures: [], held: { held: [address] } };
  const failures = other.map(({ name, value }) => ({
    field: name,
    keyword: 'others',
    value,
    limit: null,
    subjects: [`${resource}.${name}.others`, `${resource}.others`],
  }));
  return { failures, held: null };
}

/** The values that the path gives to a new item's fields (language §4.2). */
function boundTo({ bindings, does }: Operation, { path }: { readonly path: Names }): Members {
  const bound: Members = {};
  const change = stated(does);
  if (change === undefined || !isAboutResource(change)) return bound;
  for (const [parameter, one] of bindings)
    if (one.kind === 'subject') setMember(bound, one.field, path[parameter]);
  return bound;
}
