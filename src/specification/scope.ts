import type { Scope } from '../expression/check.ts';
import {
  any,
  bool,
  integer,
  list,
  number,
  object,
  type Type,
  textType,
  timestamp,
} from '../expression/type.ts';
import type { Json } from '../source/node.ts';
import { step } from './address.ts';
import type { Completeness } from './completeness.ts';
import { nearest } from './nearest.ts';
import type { Resource, Resources } from './parts/resources.ts';
import { stated } from './said.ts';
import type { Shape } from './shape.ts';

const failure = object([
  ['field', textType],
  ['keyword', textType],
  ['message', textType],
]);

/** What `error` offers to a payload (language §7). */
const error = object([
  ['code', textType],
  ['status', integer],
  ['title', textType],
  ['message', textType],
  ['field', textType],
  ['extra', any],
  ['operation', textType],
  ['failures', list(failure)],
  ['fields', object([], true)],
]);

const request = object([
  ['path', object([], true)],
  ['query', object([], true)],
  ['headers', object([], true)],
  ['body', any],
  ['method', textType],
  ['url', textType],
  ['credential', any],
  ['version', textType],
]);

const always: readonly (readonly [string, Type])[] = [
  ['service', object([['url', textType]])],
  ['now', timestamp],
  ['request', request],
  ['actor', any],
];

/** The words that stand for something in every expression, or are CEL's own: no `as` may bind them (language §G.2). */
export const reserved: readonly string[] = [
  ...[
    'this',
    'old',
    'value',
    'request',
    'actor',
    'now',
    'page',
    'rate',
    'event',
    'error',
    'claims',
    'result',
  ],
  ...['outcome', 'service', 'true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for'],
  ...['function', 'if', 'import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
];

/** Where an expression stands decides what it may name (language §G.2). */
export type Situation =
  | 'set'
  | 'derived'
  | 'answer'
  | 'list answer'
  | 'open answer'
  | 'error'
  | 'condition'
  | 'message';

export function scopeFor(
  situation: Situation,
  subject: Resource | null,
  bound: readonly Bound[],
  model: ScopeModel,
): Scope {
  const names = new Map<string, Type>(always);
  const item: Type = subject ? { kind: 'item', resource: subject.name } : any;
  if (situation !== 'message' && situation !== 'error') names.set('this', item);
  if (situation === 'answer') for (const name of ['old', 'outcome']) names.set(name, any);
  // While it is open what is done, so is what there is to speak of (language §F.5).
  if (situation === 'open answer')
    for (const name of ['this', 'old', 'outcome', 'page']) names.set(name, any);
  if (situation === 'list answer') {
    names.delete('this');
    const page = ['total', 'size', 'offset', 'number'].map((name) => [name, integer] as const);
    names.set(
      'page',
      object([
        ['items', list(item)],
        ...page,
        ['next', textType],
        ['previous', textType],
        ['links', textType],
      ]),
    );
  }
  for (const { name, resource } of bound) names.set(name, { kind: 'item', resource });
  if (situation === 'error' || situation === 'message') names.set('error', error);
  if (situation === 'error') names.set('this', any);
  if (situation === 'message') {
    names.set('value', any);
    names.set('error', object([...(error.kind === 'object' ? error.members : []), ['limit', any]]));
  }
  if (situation === 'error') names.set('rate', any);
  return {
    names,
    shows: model.shows,
    isResource: (name) => model.resources.has(name),
    membersOf: (name) => membersOf(name, model),
    mayHave: model.mayHave,
    makers: ['set', 'answer', 'open answer'].includes(situation),
  };
}

/** A name that `as` binds to an item (language §H.2, §4.2). */
export interface Bound {
  readonly name: string;
  readonly resource: string;
}

export interface ScopeModel {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly shows: ReadonlySet<string>;
  /** The members of each resource, as they are asked for. */
  readonly members: Map<string, ReadonlyMap<string, Type>>;
  /** Whether a resource may have a field that is not stated. A name close to a stated one is taken for a slip. */
  readonly mayHave: (resource: string, field: string) => boolean;
}

export function scopeModel(
  resources: ReadonlyMap<string, Resource>,
  stated_: Resources | undefined,
  completeness: Completeness,
): ScopeModel {
  const shows = new Set(resources.keys());
  for (const [name, said] of stated_ ?? []) if (stated(said)?.kind !== 'shape') shows.add(name);
  const mayHave = (name: string, field: string): boolean => {
    const resource = resources.get(name);
    if (resource === undefined) return true;
    const isClosed = completeness.closed(step(resource.address, 'fields')) !== undefined;
    return !isClosed && nearest(field, [...resource.fields.keys()]) === undefined;
  };
  return { resources, shows, members: new Map(), mayHave };
}

/** The members of an item; undefined where nothing is said of its fields. */
function membersOf(name: string, { resources, members }: ScopeModel): ReadonlyMap<string, Type> | undefined {
  const fields = resources.get(name)?.fields;
  if (fields === undefined || fields.size === 0) return undefined;
  const known =
    members.get(name) ?? new Map([...fields].map(([field, { shape }]) => [field, typeOfShape(shape)]));
  members.set(name, known);
  return known;
}

function typeOfShape(shape: Shape): Type {
  if (shape.object)
    return object(
      [...shape.object.fields].map(([name, said]) => {
        const inner = stated(said);
        return [name, inner ? typeOfShape(inner) : any] as const;
      }),
      true,
    );
  const said = shape.keywords.get('type');
  const type = said && stated(said);
  const kinds = (Array.isArray(type) ? type : [type]).filter((kind: Json | undefined) => kind !== 'null');
  if (kinds.length !== 1) return any;
  const format = shape.keywords.get('format');
  return typeNamed(kinds[0], format && stated(format));
}

function typeNamed(name: Json | undefined, format: Json | undefined): Type {
  switch (name) {
    case 'string':
      return format === 'date-time' ? timestamp : textType;
    case 'integer':
      return integer;
    case 'number':
      return number;
    case 'boolean':
      return bool;
    case 'array':
      return list(any);
    case 'object':
      return object([], true);
    default:
      return any;
  }
}
