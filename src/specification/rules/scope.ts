import type { Scope } from '../../expression/check.ts';
import type { Known } from '../../expression/nulls.ts';
import {
  any,
  integer,
  list,
  object,
  oneOf,
  type Type,
  textType,
  timestamp,
  withFieldsOf,
} from '../../expression/type.ts';
import type { Operation } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import { step } from '../reading/address.ts';
import { nearest } from '../reading/nearest.ts';
import { isSaid, stated } from '../reading/said.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';
import { type RequestTypes, requestTypes } from './request-type.ts';
import { type Shapes, typeOfShape } from './shape-type.ts';

const failure = object([
  ['field', textType],
  ['keyword', textType],
  ['message', textType],
]);

/** What `error` offers to a payload (language §7.2). */
const errorMembers: readonly (readonly [string, Type])[] = [
  ['code', textType],
  ['status', integer],
  ['message', textType],
  ['field', textType],
  ['extra', any],
  ['operation', textType],
  ['failures', list(failure)],
  ['fields', object([], true)],
];
const error = object(errorMembers);

const always: readonly (readonly [string, Type])[] = [
  ['service', object([['url', textType]])],
  ['now', timestamp],
];

interface Names {
  /** `this`: the item at hand, or any value where it may be one of several resources; absent: there is none. */
  readonly this?: 'item' | 'any';
  /** What there is besides. */
  readonly more?: readonly (readonly [string, Type])[];
  /** Something new may be made: `uuid()`, `random(n)` (language §G.4). */
  readonly makers?: true;
  /** There is no request and nobody who asks: it is worked out apart from both. */
  readonly apart?: true;
}

const page = ['total', 'size', 'offset', 'number'].map((name) => [name, integer] as const);
const outcome = ['outcome', any] as const;
const old = ['old', any] as const;
const given = ['value', any] as const;

/** The answers to the requests of a `run`, in their order (language §H.2). */
const results = list(
  object(
    [
      ['status', integer],
      ['headers', object([], true)],
      ['body', any],
      ['code', textType],
    ],
    false,
    ['body', 'code'],
  ),
);

/** Where an expression stands decides what it may name (language §G.2). */
const situations = {
  /** What the service sets on creation, or by a move. */
  set: { this: 'item', makers: true },
  'set on update': { this: 'item', more: [old], makers: true },
  derived: { this: 'item' },
  'derived of a view': { this: 'item', makers: true },
  shown: { this: 'item', more: [given] },
  taken: { this: 'item', more: [given] },
  holds: { this: 'item', more: [given] },
  /** A rule about one item: who may read a field, a guard, an invariant, which items a change is about. */
  item: { this: 'item' },
  /** Whether an item may become `this` from `old` (language §2.1, `guards`). */
  'guard of update': { this: 'item', more: [old] },
  /** What follows a change: when, for what, and which items (language §H.2, `also`). */
  also: { this: 'item', more: [old, outcome] },
  'with of also': { this: 'item', more: [old, outcome], makers: true },
  /** What a change of an item sets. */
  with: { this: 'item', makers: true },
  /** What a new item is made of: there is no item yet. */
  'with of a new item': { makers: true },
  /** Before anything is found or changed. */
  request: {},
  /** An example, which reads the answers to others (language §4.6). */
  example: { apart: true },
  /** How the value of a parameter is taken in. */
  given: { more: [given] },
  answer: { this: 'item', more: [old, outcome], makers: true },
  'list answer': { more: [outcome], makers: true },
  'handled answer': { more: [outcome, ['result', any]], makers: true },
  'run answer': { more: [outcome, ['results', results]], makers: true },
  // While it is open what is done, so is what there is to speak of (language §F.5).
  'open answer': {
    this: 'any',
    more: [old, outcome, ['page', any], ['result', any], ['results', results]],
    makers: true,
  },
  error: {
    this: 'any',
    more: [
      ['error', error],
      ['rate', any],
      ['quota', any],
    ],
    makers: true,
  },
  condition: { this: 'item' },
  message: { more: [given, ['error', object([...errorMembers, ['limit', any]])]] },
  /** Who asks, by a verified token, or by a credential that belongs to an item (language §5.3). */
  token: { more: [['claims', object([], true)]] },
  credential: { this: 'item' },
  'signed token': { this: 'item', more: [['claims', object([], true)]] },
  /** What an event is about, and what it is wrapped in (language §6.1, §6.2). */
  event: { this: 'item', more: [old, ['actor', any]], apart: true },
  envelope: { apart: true },
  /** Which items of a resource an event is sent to (language §6.3). */
  subscription: { this: 'item', apart: true },
  /** Which items a quota counts, and how much it allows (language §8.4). */
  quota: { this: 'item', apart: true },
  /** What a rate tells a client (language §8.1). */
  rate: { more: [['rate', object(['limit', 'remaining', 'reset'].map((name) => [name, integer]))]] },
} as const satisfies Record<string, Names>;

export type Situation = keyof typeof situations;

export function scopeFor(standing: Standing, model: ScopeModel): Scope {
  const { situation, subject, before = subject, bound, more: besides = [] } = standing;
  const { this: at, more = [], makers, apart }: Names = situations[situation];
  const asking = [['request', requestIn(standing, model.requests)] as const, ['actor', any] as const];
  const names = new Map<string, Type>([...always, ...(apart ? [] : asking), ...more, ...besides]);
  const item: Type = subject ? { kind: 'item', resource: subject.name } : any;
  if (at) names.set('this', at === 'any' ? any : item);
  if (names.has('old') && at === 'item')
    names.set('old', before ? { kind: 'item', resource: before.name } : any);
  if (situation === 'list answer')
    names.set(
      'page',
      object(
        [
          ['items', list(item)],
          ...page,
          ['next', textType],
          ['previous', textType],
          ['links', textType],
          [
            'url',
            object(
              ['self', 'first', 'previous', 'next', 'last'].map((name) => [name, textType] as const),
              false,
              ['previous', 'next', 'last'],
            ),
          ],
        ],
        false,
        ['next', 'previous', 'links'],
      ),
    );
  for (const { name, resource, isList } of bound) {
    const one: Type = resource ? { kind: 'item', resource } : any;
    names.set(name, isList ? list(one) : one);
  }
  return {
    names,
    shows: model.shows,
    shownAs: model.shownAs,
    isResource: (name) => model.resources.has(name),
    membersOf: (name) => model.membersOf(name),
    mayHave: model.mayHave,
    suggest: nearest,
    makers: makers === true,
  };
}

function requestIn({ operation, among, isShared }: Standing, requests: RequestTypes): Type {
  if (operation === undefined) return requests.ofAny(among);
  return isShared ? requests.sharedBy(operation) : requests.of(operation);
}

/** Where an expression stands: what it may name follows from that (language §G.2). */
export interface Standing {
  readonly situation: Situation;
  readonly subject: Resource | null;
  /** What `old` is an item of. Default: `subject`. */
  readonly before?: Resource | null;
  /** Whether `this` is deleted by then. Default: no. */
  readonly isDeleted?: boolean;
  readonly bound: readonly Bound[];
  /** The operation whose request it reads; without one, the request is that of any operation. */
  readonly operation?: Operation;
  /** Whether it is the expression of other operations, too. */
  readonly isShared?: boolean;
  /** Without `operation`: the request is that of one of these. */
  readonly among?: readonly Operation[] | undefined;
  /** What it may name besides, where that depends on the specification. */
  readonly more?: readonly (readonly [string, Type])[];
  /** Whether `old` may be null: the change may make an item. Default: no. */
  readonly mayBeNew?: boolean;
  /** Whether rows are found by it, so that a request fails if it cannot be computed. Default: no. */
  readonly findsRows?: boolean;
  /** Conditions that are known to be true, or false, where it stands. */
  readonly known?: readonly Known[];
}

/** A name that `as` binds to an item (language §H.2, §4.2), or `value` to an element of a list. */
export interface Bound {
  readonly name: string;
  /** Null where what it is cannot be told. */
  readonly resource: string | null;
  /** Whether it is a list of them: what `as` binds beside `for` (language §H.2). */
  readonly isList?: boolean;
}

/** The types of what a specification describes, worked out as they are asked for. */
export interface ScopeModel {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly shows: ReadonlySet<string>;
  /** What `R(x)` shows of one item. */
  readonly shownAs: (name: string) => Type;
  /** The members of an item; undefined where nothing is said of its fields. */
  readonly membersOf: (resource: string) => ReadonlyMap<string, Type> | undefined;
  /** Whether a resource may have a field that is not described. */
  readonly mayHave: (resource: string) => boolean;
  readonly requests: RequestTypes;
  readonly fieldType: (field: Field) => Type;
}

type Of = Pick<
  Specification,
  | 'resourcesByName'
  | 'resources'
  | 'states'
  | 'completeness'
  | 'operations'
  | 'tree'
  | 'authentication'
  | 'versioning'
>;

export function scopeModel(of: Of): ScopeModel {
  const resources = of.resourcesByName;
  const entries = stated(of.resources);
  const shows = new Set(resources.keys());
  for (const [name, said] of entries ?? []) if (stated(said)?.kind !== 'shape') shows.add(name);
  const shapes: Shapes = (name) => {
    const entry = stated(entries?.get(name));
    return entry?.kind === 'shape' ? entry.shape : undefined;
  };
  const fieldType = memoized((field: Field): Type => {
    const states = stated(stated(stated(of.states)?.get(machineOf(field)))?.states);
    if (states)
      return oneOf(
        states.map((one) => one.text),
        machineOf(field),
      );
    const refers = stated(field.refers);
    return refers
      ? { kind: 'item', resource: refers.resource, by: refers.field }
      : typeOfShape(field.shape, shapes);
  });
  const membersOf = memoized((name: string) => {
    const fields = resources.get(name)?.fields;
    if (fields === undefined || fields.size === 0) return undefined;
    return new Map([...fields].map(([member, field]) => [member, fieldType(field)]));
  });
  const lackedBy = (name: string): readonly string[] => {
    const resource = resources.get(name);
    const required = stated(resource?.required)?.map((one) => one.name) ?? [];
    return [...(resource?.fields.values() ?? [])].flatMap((field) =>
      required.includes(field.name) || isSaid(field.default) || isSaid(field.create) ? [] : [field.name],
    );
  };
  const isClosed = (list: string): boolean => of.completeness.closed(list) !== undefined;
  const shownType = (field: Field): Type => {
    if (stated(field.shown) || stated(field.derived)) return any;
    const type = fieldType(field);
    if (type.kind !== 'item') return type;
    const key = stated(field.refers)?.field ?? null;
    return (key !== null && membersOf(type.resource)?.get(key)) || any;
  };
  const isShown = (field: Field): boolean => !isSaid(field.readable) || stated(field.readable) !== false;
  const membersShown = (fields: Iterable<Field>): (readonly [string, Type])[] =>
    [...fields].filter(isShown).map((field) => [field.name, shownType(field)] as const);
  const shownAs = memoized((name: string): Type => {
    const resource = resources.get(name);
    if (resource)
      return withFieldsOf(name, object(membersShown(resource.fields.values()), mayHold(resource)));
    const view = stated(entries?.get(name));
    const target = view?.kind === 'view' ? resources.get(stated(view.of)?.text ?? '') : undefined;
    if (view?.kind !== 'view' || target === undefined) return any;
    const [listed, omitted] = [view.shows, view.omits].map((said) => stated(said)?.map(({ text }) => text));
    const own = [...target.fields.values()].filter(
      ({ name }) => listed?.includes(name) ?? !omitted?.includes(name),
    );
    return object(membersShown([...own, ...view.fields.values()]), listed === undefined && mayHold(target));
  });
  /** Whether an item may be shown with members that are not described. */
  const mayHold = ({ address, others }: Resource): boolean =>
    !isClosed(step(address, 'fields')) || stated(others) === 'keep';
  return {
    resources,
    shows,
    shownAs,
    membersOf,
    fieldType,
    mayHave: (name) => {
      const resource = resources.get(name);
      return resource === undefined || !isClosed(step(resource.address, 'fields'));
    },
    requests: requestsOf(of, { shapes, membersOf, lackedBy }),
  };
}

function requestsOf(of: Of, known: Parameters<typeof requestTypes>[1]): RequestTypes {
  const { of: own, sharedBy, ofAny } = requestTypes(of, known);
  const all = memoized(() => ofAny());
  return {
    of: memoized(own),
    sharedBy: memoized(sharedBy),
    ofAny: (operations) => (operations ? ofAny(operations) : all(null)),
  };
}

/** `Parcel.status`: how part 3 names the machine of a field. */
function machineOf(field: Field): string {
  return `${field.resource}.${field.name}`;
}

function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key) as V;
  };
}
