import { pathsIn, type Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { boundFields, type Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import { bringsBody, type Change } from '../../specification/vocabulary/change.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Others } from '../../specification/vocabulary/shape.ts';
import { bodyOf, holds } from '../body.ts';
import { isMergePatch, mergePatch } from '../merge.ts';
import {
  absent,
  hole,
  type Item,
  isAbsent,
  isItem,
  isKnown,
  leftOut,
  type Partly,
  toJson,
} from '../partly.ts';
import type { Reason } from '../refusal.ts';
import { type Names, workOut } from '../solve.ts';
import {
  isStateField,
  type Move,
  type Moving,
  machinesOf,
  moveNamed,
  movesBetween,
} from '../states/machines.ts';
import { all, not, type Truth, unseen, yes } from '../verdict.ts';
import {
  type Judged,
  judgeGiving,
  judgeGuards,
  judgeHolds,
  judgeInvariants,
  judgeMove,
  judgeTogether,
} from './conditions.ts';
import { judgeElsewhere } from './elsewhere.ts';
import { type Giving, giving } from './giving.ts';
import { itemWith, memberOf, type Outlook, outlookOf } from './outlook.ts';
import { matches, thereName } from './present.ts';

/** What a request should come to, as far as that can be foreseen (language §H.2, §3). */
export interface Foreseen {
  /** The item before and after; null where there is none. */
  readonly before: Item | null;
  readonly after: Item | null;
  readonly outcome: Outcome | null;
  /** The transitions that are asked for. */
  readonly moves: readonly Move[];
  /** The conditions that `does` may bring about: of transitions, of what holds, and of invariants. */
  readonly judged: readonly Judged[];
  /** Whether none of them holds. */
  readonly free: Truth;
}

/** The conditions that surely hold. */
export function reasonsIn({ judged }: Foreseen): readonly Reason[] {
  return judged.filter(({ holds }) => holds.value === true).map(({ reason }) => reason);
}

/** What an operation should do to the item that it is about, the request and `this` being among the names. */
export function foresee(of: Specification, operation: Operation, names: Names): Foreseen {
  const change = stated(operation.does);
  const { subject } = operation;
  const asked = names.get('this');
  const before = isItem(asked) ? asked : null;
  if (change === undefined || subject === null || change.subject.kind !== 'one') return nothing(before);
  const body = operation.request && stated(operation.request.body);
  const found = foreseeChange(of, change, subject, before, names, {
    mayHold: (name) => body?.of?.name !== subject.name || holds(body, name),
    bound: boundFields(operation),
    merges: isMergePatch(operation),
    others: stated(bodyOf(of, operation)?.others ?? undefined) ?? null,
  });
  const away = before && judgeWhere(change, subject, before, names);
  if (!away) return found;
  return judgedWhenAsked(found, () => [away, ...found.judged]);
}

/** What is foreseen, with its conditions: they are judged when somebody asks, since of most requests nobody does. */
function judgedWhenAsked(
  { before, after, outcome, moves }: Pick<Foreseen, 'before' | 'after' | 'outcome' | 'moves'>,
  judge: () => readonly Judged[],
): Foreseen {
  let judged: readonly Judged[] | undefined;
  let free: Truth | undefined;
  const foreseen: Foreseen = {
    before,
    after,
    outcome,
    moves,
    get judged() {
      judged ??= judge();
      return judged;
    },
    get free() {
      free ??= all(...foreseen.judged.map(({ holds, reason }) => because(not(holds), reason)));
      return free;
    },
  };
  return foreseen;
}

/** Whether a request is about an item that its `where` does not admit; null where it does, or where others decide. */
function judgeWhere(
  { qualifiers: { where } }: Change,
  resource: Resource,
  item: Item,
  names: Names,
): Judged | null {
  const template = stated(where)?.template;
  if (template === undefined || where === undefined) return null;
  const value = workOut(template, new Map(names).set('this', item));
  const isOwn = pathsIn(template).every(([first]) => first === 'this' || first === 'now');
  if (value === true || (value !== false && !isOwn)) return null;
  return {
    reason: { name: 'unknown', subject: resource.name, failures: [] },
    holds: value === false ? yes : unseen('whether it is there for this request cannot be told'),
    address: where.address,
  };
}

/** What the request says of a change beside its `with`. */
interface Manner {
  /** Fields that the path gives. */
  readonly bound: readonly string[];
  /** The body is merged into what is kept (RFC 7396). */
  readonly merges: boolean;
  /** What becomes of members that may not be given. */
  readonly others: Others | null;
  /** Whether the body may hold a member of what it is said to be. */
  readonly mayHold: (name: string) => boolean;
}

export const plainly: Manner = { bound: [], merges: false, others: null, mayHold: () => true };

function nothing(before: Item | null): Foreseen {
  return { before, after: before, outcome: null, moves: [], judged: [], free: all() };
}

/** What one change should do to one item. */
export function foreseeChange(
  of: Specification,
  change: Change,
  resource: Resource,
  before: Item | null,
  names: Names,
  manner: Manner,
): Foreseen {
  if (names.get(thereName) === null && stated(change.qualifiers.absent))
    return { ...nothing(before), after: null, outcome: 'unchanged' };
  switch (change.verb) {
    case 'create': {
      const there = names.get(thereName);
      const found = made(
        of,
        resource,
        before,
        giving(change, resource, names, manner.mayHold),
        names,
        manner,
      );
      return isItem(there) && found.after
        ? present(of, change, resource, there, found, names, manner)
        : found;
    }
    case 'update':
    case 'replace':
      return set(of, change, resource, before ?? itemWith(resource, new Map()), names, manner);
    case 'delete': {
      const gone = { before, after: null, outcome: 'deleted', moves: [] } as const;
      const given = giving(change, resource, names, manner.mayHold);
      return judgedAs(of, resource, gone, given, names, () => judgeGuards(resource, gone, names));
    }
    case 'read':
    case 'list':
      return nothing(before);
    default: {
      const move = moveNamed(of, resource, change.verb);
      if (move === undefined) return { ...nothing(before), free: unseen(`${change.verb} is not foreseen`) };
      const start = before ?? itemWith(resource, new Map());
      return moved(of, [move], start, giving(change, resource, names, manner.mayHold), names);
    }
  }
}

/** A creation that finds the item there (language §H.2, `present`). */
function present(
  of: Specification,
  change: Change,
  resource: Resource,
  there: Item,
  found: Foreseen,
  names: Names,
  manner: Manner,
): Foreseen {
  const said = change.qualifiers.present;
  const left: Foreseen = { ...nothing(there), outcome: 'unchanged' };
  const word = stated(said);
  if (word === 'keep') return left;
  if (word === 'update' || word === 'replace')
    return set(of, { ...change, verb: word }, resource, there, new Map(names).set('this', there), manner);
  const isSame = matches(resource, there, found.after as Item, manner.bound);
  const name = word === 'match' ? 'different' : 'not unique';
  const holds = word === 'match' ? not(isSame) : yes;
  const reason: Reason = { name, subject: resource.name, failures: word === 'match' ? [] : null };
  return { ...left, judged: [{ reason, holds, address: said.address }], free: because(not(holds), reason) };
}

/** A new item: what is given, and for the rest what is stated for it (language §2, §3.1). */
function made(
  of: Specification,
  resource: Resource,
  key: Item | null,
  given: Giving,
  names: Names,
  { bound }: Manner,
): Foreseen {
  const members: Outlook = new Map();
  const machines = machinesOf(of, resource);
  const toMake: (readonly [string, Field])[] = [];
  for (const [name, field] of plainFields(of, resource)) {
    const value = given.members.get(name);
    if (bound.includes(name)) members.set(name, key?.known.get(name) ?? hole());
    else if (value !== undefined) members.set(name, field.secret.kind === 'stated' ? hole() : value);
    else if (!given.whole) members.set(name, hole());
    else if (stated(field.create)) toMake.push([name, field]);
    else members.set(name, otherwise(field));
  }
  workOutEach(resource, members, toMake, 'create', names);
  for (const { field, machine } of machines) {
    const initial = stated(machine.initial);
    const value = initial
      ? workOut(initial.template, new Map(names).set('this', itemWith(resource, members)))
      : hole();
    members.set(field, given.members.has(field) ? hole() : value);
  }
  const after = itemWith(resource, members);
  const about = { before: null, after, outcome: 'created', moves: [] } as const;
  // A new item has no state from which writing another would lead (language §3.2).
  const written = (): Judged[] => [
    ...machines
      .filter(({ field }) => given.members.has(field))
      .map(
        ({ machine }): Judged => ({
          reason: { name: 'transition refused', subject: resource.name, failures: [] },
          holds: unseen('it is not stated what a state does that is given on creation'),
          address: machine.initial.address,
        }),
      ),
    ...judgeGuards(resource, about, names),
  ];
  return judgedAs(of, resource, about, given, names, written);
}

/** The fields that are neither derived nor the state of a machine. */
const plainFields = once((of: Specification, resource: Resource) =>
  [...resource.fields].filter(([name, field]) => !stated(field.derived) && !isStateField(of, resource, name)),
);

/** What a field is that nobody gives: its default, or not there; unknown where that is open or free. */
function otherwise(field: Field): Partly {
  if (field.default.kind === 'stated') return field.default.value;
  if (field.default.kind === 'any' || field.create.kind === 'any') return hole();
  return absent;
}

/** What the service sets, of which one may read another (language §2.2, `set`). */
function workOutEach(
  resource: Resource,
  members: Outlook,
  fields: readonly (readonly [string, Field])[],
  set: 'create' | 'update',
  names: Names,
): void {
  const reading: { readonly name: string; readonly template: Template }[] = [];
  for (const [name, field] of fields) {
    const template = stated(field[set])?.template;
    if (template === undefined) continue;
    if (readsItem(template)) reading.push({ name, template });
    else members.set(name, kept(workOut(template, names)));
  }
  // One may read another, in whatever order they stand; none reads itself.
  for (const _ of reading)
    for (const { name, template } of reading) {
      const seen = new Map(names).set('this', itemWith(resource, members));
      members.set(name, kept(workOut(template, seen)));
    }
}

/** Whether what is set hangs on what else the item holds. */
const readsItem = once((template: Template): boolean =>
  pathsIn(template).some(([first]) => first === 'this'),
);

/** A value as it is kept: what comes to nothing is not there. */
function kept(value: Partly): Partly {
  return value === leftOut ? absent : value;
}

/** An update or a replacement: a state that it writes asks for a transition (language §3.2). */
function set(
  of: Specification,
  change: Change,
  resource: Resource,
  before: Item,
  names: Names,
  { bound, merges, others, mayHold }: Manner,
): Foreseen {
  const given = giving(change, resource, names, mayHold);
  const members = outlookOf(before);
  const moves: Move[] = [];
  const refused: Judged[] = [];
  const plain: Outlook = new Map();
  // What is replaced is given whole, and judged as it is given.
  const limited: Judged[] = change.verb === 'update' && given.members.size > 0 ? judgeTogether(resource) : [];
  for (const [name, value] of given.members) {
    const field = resource.fields.get(name);
    if (field === undefined) continue;
    if (bringsBody(change) && isLimited(field)) {
      const judgement = judgeGiving(field, value, before, names);
      if (others === 'refuse') limited.push(judgement);
      else if (judgement.holds.value !== false) {
        members.set(name, judgement.holds.value ? (members.get(name) ?? hole()) : hole());
        continue;
      }
    }
    const machine = machinesOf(of, resource).find((one) => one.field === name);
    if (machine === undefined) plain.set(name, value);
    else {
      const [found, refusal] = asked(machine, before, value);
      moves.push(...found);
      refused.push(...refusal);
      // Which of several transitions it is decides what else is set.
      if (found.length !== 1)
        members.set(
          name,
          refusal.length > 0 || found.length > 1 ? hole() : (before.known.get(name) ?? hole()),
        );
    }
  }
  if (change.verb === 'replace')
    for (const [name, field] of resource.fields)
      if (!plain.has(name) && !bound.includes(name) && mayBeGiven(of, resource, field))
        members.set(name, given.whole ? otherwise(field) : hole());
  for (const [name, value] of plain) members.set(name, merges ? merged(before, name, value) : value);
  return moved(of, moves, before, { members: plain, whole: given.whole }, names, {
    ...{ members, refused, limited },
    same: stated(change.qualifiers.same),
  });
}

/** Whether a field may be given at times, or with some values, alone (language §2.2, `writable`). */
export function isLimited({ writable }: Field): boolean {
  const word = stated(writable);
  return word === 'same' || typeof word === 'object';
}

/** The members that a replacement leaves out and so resets: those that could be given (language §H.2). */
function mayBeGiven(of: Specification, resource: Resource, field: Field): boolean {
  const isKey = (stated(resource.identifier) ?? []).some(({ text }) => text === field.name);
  return (
    !isKey &&
    stated(field.writable) === true &&
    !stated(field.derived) &&
    !isStateField(of, resource, field.name)
  );
}

function merged(before: Item, name: string, value: Partly): Partly {
  if (value === null) return absent;
  if (!isKnown(value) || (!before.known.has(name) && !before.absent.has(name))) {
    return typeof value === 'object' ? hole() : value;
  }
  return mergePatch(before.known.get(name), toJson(value)) ?? absent;
}

/** The transitions that a written state asks for, and the condition where there is none. */
function asked(machine: Moving, before: Item, value: Partly): readonly [readonly Move[], readonly Judged[]] {
  const { resource, field } = machine;
  const from = before.known.get(field);
  const reason: Reason = { name: 'transition refused', subject: resource.name, failures: [] };
  const about = { reason, address: machine.machine.transitions.address };
  if (from === undefined || !isKnown(value))
    return [[], [{ ...about, holds: unseen(`the state of the ${resource.name} is not known`) }]];
  const to = toJson(value);
  if (from === to) return [[], []];
  const found = movesBetween(machine, String(from), String(to));
  if (found.length > 1)
    return [[], [{ ...about, holds: unseen(`several transitions lead from ${from} to ${to}`) }]];
  const why = `no transition leads from ${from} to ${to}`;
  return found.length === 1 ? [found, []] : [[], [{ ...about, holds: { ...all(), why } }]];
}

/** What an update brings besides the moves that it asks for. */
interface Setting {
  readonly members?: Outlook;
  readonly refused?: readonly Judged[];
  readonly limited?: readonly Judged[];
  /** What it is to leave every value as it was; undefined: that is free (language §F.1). */
  readonly same?: 'unchanged' | 'changed' | undefined;
}

/** An item that transitions move, with what they set as it moves (language §3.1). */
function moved(
  of: Specification,
  moves: readonly Move[],
  before: Item,
  given: Giving,
  names: Names,
  { members = outlookOf(before), refused = [], limited = [], same }: Setting = {},
): Foreseen {
  const { resource } = before;
  const at = new Map(names).set('this', before);
  for (const { transition, of: machine, to } of moves) {
    for (const [name, said] of stated(transition.set) ?? [])
      members.set(name, said.kind === 'stated' ? kept(workOut(said.value.template, at)) : hole());
    if (to !== null) members.set(machine.field, to ?? hole());
  }
  if (moves.length > 0) for (const [name, value] of given.members) members.set(name, value);
  if (!given.whole) for (const name of resource.fields.keys()) members.set(name, hole());
  const isGone = moves.some(({ to }) => to === null);
  const outcome: Outcome | null = moves.length > 0 ? 'changed' : altered(resource, before, members, same);
  if (outcome !== 'unchanged') setAtChange(before, members, outcome, new Map(at).set('old', before));
  const after = isGone ? null : itemWith(resource, members);
  const about = { before, after, outcome, moves };
  const conditions = (): Judged[] => [
    ...refused,
    ...moves.flatMap((move) => judgeMove(of, move, before, names)),
    ...judgeGuards(resource, about, names),
  ];
  return judgedAs(of, resource, about, given, names, conditions, limited);
}

/** What the service sets at any change of an item (language §2.2, `set.update`). */
function setAtChange(before: Item, members: Outlook, outcome: Outcome | null, names: Names): void {
  const { resource } = before;
  const set = setAtUpdate(resource);
  if (set.length === 0) return;
  for (const [name] of set) members.set(name, hole());
  workOutEach(resource, members, set, 'update', names);
  if (outcome === 'changed') return;
  for (const [name] of set) if (members.get(name) !== memberOf(before, name)) members.set(name, hole());
}

const setAtUpdate = once((resource: Resource) =>
  [...resource.fields].filter(([, { update }]) => update.kind !== 'open' && update.kind !== 'none'),
);

/** What an update comes to; null where that cannot be told, or is free. */
function altered(resource: Resource, before: Item, members: Outlook, same: Setting['same']): Outcome | null {
  if (same === 'changed') return same;
  const outcome = alteration(resource, before, members);
  return outcome === 'unchanged' && same === undefined ? null : outcome;
}

/** Whether an update alters anything; null where that cannot be told. */
function alteration(resource: Resource, before: Item, members: Outlook): Outcome | null {
  const same = [...resource.fields.keys()].map((name) => {
    const [a, b] = [memberOf(before, name), members.get(name)];
    if (a === b) return true;
    if (a === undefined || b === undefined || !isKnown(a) || !isKnown(b)) return null;
    if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b);
    return spelled(toJson(a)) === spelled(toJson(b));
  });
  return same.includes(false) ? 'changed' : same.includes(null) ? null : 'unchanged';
}

function spelled(value: Json): string {
  return JSON.stringify(value);
}

function judgedAs(
  of: Specification,
  resource: Resource,
  about: Pick<Foreseen, 'before' | 'after' | 'outcome' | 'moves'>,
  given: Giving,
  names: Names,
  conditions: () => readonly Judged[],
  limited: readonly Judged[] = [],
): Foreseen {
  const { after } = about;
  return judgedWhenAsked(about, () =>
    oneByOne([
      [...limited, ...(after ? judgeHolds(resource, given.members, after, names) : [])],
      conditions(),
      [
        ...(after ? judgeInvariants(resource, after, names) : []),
        ...judgeElsewhere(of, resource, about.before, after),
      ],
    ]),
  );
}

/** A condition is judged only if none before it holds (language §H.4). */
function oneByOne(levels: readonly (readonly Judged[])[]): readonly Judged[] {
  const judged: Judged[] = [];
  for (const level of levels) {
    const earlier = judged.map(({ holds }) => not(holds));
    judged.push(...level.map((one) => ({ ...one, holds: all(...earlier, one.holds) })));
  }
  return judged;
}

function because(truth: Truth, { name, subject }: Reason): Truth {
  return truth.value === false ? { ...truth, why: truth.why ?? `${name} ${subject} holds of it` } : truth;
}

/** What a transition should do that nobody asks for: a timer's (language §3.3). */
export function foreseeMove(of: Specification, move: Move, before: Item, names: Names): Foreseen {
  return moved(of, [move], before, { members: new Map(), whole: true }, names);
}
