import { any, either, object, type Type, textType, withFieldsOf } from '../../expression/type.ts';
import { isWritten } from '../model/denied.ts';
import type { Operation } from '../model/operation.ts';
import { type ParameterPlace, parametersNamed } from '../model/parameters.ts';
import type { Specification } from '../model/specification.ts';
import { step } from '../reading/address.ts';
import { isSaid, stated } from '../reading/said.ts';
import { type Body, requestByMedia } from '../vocabulary/request.ts';
import { type Shapes, typeOfShape } from './shape-type.ts';

type Member = readonly [string, Type];

const noPath = { kind: 'object', members: new Map<string, Type>(), more: true } as const;

/** The request, as far as every operation has one alike (language §G.2). */
const alike: readonly Member[] = [
  ['body', any],
  ['media', textType],
  ['parts', object([], true)],
  ['method', textType],
  ['url', textType],
  ['credential', any],
  ['version', textType],
];

/** Header fields that have a meaning without a parameter (language §G.2). */
const ownFields = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Cookie',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'Last-Event-ID',
  'Origin',
];

export interface RequestTypes {
  /** The request of an operation: its parameters and its body (language §4.2). */
  readonly of: (operation: Operation) => Type;
  /** The request of an operation, in an expression that others share: it may read what any of them declares. */
  readonly sharedBy: (operation: Operation) => Type;
  /** The request of any of these operations; by default, of all. */
  readonly ofAny: (operations?: readonly Operation[]) => Type;
}

type Of = Pick<Specification, 'operations' | 'tree' | 'completeness' | 'authentication' | 'versioning'>;

interface Known {
  readonly shapes: Shapes;
  readonly membersOf: (resource: string) => ReadonlyMap<string, Type> | undefined;
  /** The members that a new item's body may leave out, and that nothing else gives. */
  readonly lackedBy: (resource: string) => readonly string[];
}

export function requestTypes(of: Of, known: Known): RequestTypes {
  const fields = namedFields(of);
  const parameters = (place: Place, operations: readonly Operation[], own?: Operation): Type => {
    const isOpen = operations.length === 0 || operations.some((one) => mayHaveMore(of, one, place));
    const others = operations.flatMap((one) => declared(one, place, known));
    const anyOf = own ? declared(own, place, known) : [];
    const more = place === 'headers' ? [...fields, ...operations.flatMap(keyField)] : [];
    const members = [
      ...more.map((name): Member => [name, textType]),
      ...others.map(([name, type]): Member => [name, own || operations.length > 1 ? any : type]),
      ...anyOf,
    ];
    return {
      kind: 'object',
      members: new Map(members),
      more: isOpen,
      place,
      optional: new Set(
        own || operations.length !== 1 ? [] : operations.flatMap((one) => optional(one, place)),
      ),
      ...(place === 'headers' && { caseless: true }),
      namesOf: (name) => {
        const named = own ? parametersNamed([own], place, name) : [];
        return named.length > 0 ? named : parametersNamed(operations, place, name);
      },
    };
  };
  const ofSome = (operations: readonly Operation[]): Type =>
    object([
      ...alike,
      ['path', { ...noPath, namesOf: (name) => parametersNamed(operations, 'path', name) }],
      ['query', parameters('query', operations)],
      ['headers', parameters('headers', operations)],
    ]);
  const single = (operation: Operation, among: readonly Operation[], own?: Operation): Type => {
    return object([
      ...alike,
      ['path', pathOf(operation, known)],
      ['query', parameters('query', among, own)],
      ['headers', parameters('headers', among, own)],
      ['body', bodyOf(operation, known)],
    ]);
  };
  return {
    of: (operation) => single(operation, [operation]),
    sharedBy: (operation) => single(operation, of.operations, operation),
    ofAny: (operations = of.operations) => ofSome(operations),
  };
}

type Place = Exclude<ParameterPlace, 'path'>;

function declared({ request }: Operation, place: Place | 'path', known: Known): Member[] {
  return [...((request && stated(request[place])) ?? [])].map(([name, one]) => {
    const parameter = stated(one);
    const { resource, field } = parameter?.binding ?? {};
    const bound = resource && field ? known.membersOf(resource)?.get(field) : undefined;
    return [name, bound ?? (parameter ? typeOfShape(parameter.shape, known.shapes) : any)];
  });
}

function pathOf(operation: Operation, known: Known): Type {
  const own = operation.path.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  const members = new Map([
    ...own.map((name): Member => [name, textType]),
    ...declared(operation, 'path', known),
  ]);
  return {
    kind: 'object',
    members,
    more: false,
    namesOf: (name) => parametersNamed([operation], 'path', name),
  };
}

/** Whether somebody asks what else a request may bring. */
function mayHaveMore(of: Of, { endpoint, request }: Operation, place: Place): boolean {
  if (of.completeness.opened(step(step(endpoint.address, 'request'), place))) return true;
  const said = request ? request[place] : endpoint.request;
  return said.kind === 'open' && isWritten(of, said);
}

/** The field in which the key of a request comes (language §4.4). */
function keyField({ endpoint }: Operation): string[] {
  const said = stated(endpoint.idempotency)?.header;
  const name = said && stated(said);
  return name === undefined ? [] : [name];
}

/** The fields that the language names itself, and those that other parts name: of credentials and of the version. */
function namedFields({ authentication, versioning }: Of): string[] {
  const schemes = [...(stated(stated(authentication)?.schemes)?.values() ?? [])].flatMap((said) => {
    const scheme = stated(said);
    const name = scheme && stated(scheme.in) === 'header' ? stated(scheme.name) : undefined;
    return name === undefined ? [] : [name];
  });
  const place = stated(stated(versioning)?.place);
  return [...ownFields, ...schemes, ...(place?.kind === 'header' ? [place.name] : [])];
}

/** The parameters that a request may come without, where nothing takes their place. */
function optional({ request }: Operation, place: Place): string[] {
  return [...((request && stated(request[place])) ?? [])].flatMap(([name, one]) => {
    const parameter = stated(one);
    return parameter && stated(parameter.required) !== true && !isSaid(parameter.default) ? [name] : [];
  });
}

/** What the body is; of several media types, what has the members of any. */
function bodyOf(operation: Operation, known: Known): Type {
  const bodies = operation.request ? requestByMedia(operation.request) : [];
  const types = bodies.map(({ body: said }) => {
    const body = stated(said);
    return body ? typeOfBody(body, operation, known) : any;
  });
  return types.length === 0 ? any : types.reduce(either);
}

function typeOfBody({ of, shape }: Body, { does }: Operation, known: Known): Type {
  const { shapes, membersOf, lackedBy } = known;
  if (of === null) return typeOfShape(shape, shapes);
  const named = shapes(of.name);
  if (named) return withFieldsOf(of.name, typeOfShape(named, shapes));
  const members = membersOf(of.name);
  // What an update may leave out is a question of its own: most often its `with` sees to it.
  const lacked = stated(does)?.verb === 'create' ? lackedBy(of.name) : [];
  return members ? withFieldsOf(of.name, object(members, true, lacked)) : any;
}
