import { callsMade } from '../../expression/expression.ts';
import type { Span } from '../../source/text.ts';
import { ruleOf } from '../model/authorization.ts';
import { type HandlerPlace, handlersIn } from '../model/handlers.ts';
import type { Operation } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import { inAnswers } from '../model/workings.ts';
import type { Address } from '../reading/address.ts';
import { isMediaRange, mediaKind } from '../reading/media.ts';
import { isSaid, type Said, stated } from '../reading/said.ts';
import { mayBeNumber, mayBeUuid } from '../rules/choice.ts';
import type { Change } from '../vocabulary/change.ts';
import type { Resource } from '../vocabulary/parts/resources.ts';
import type { Machine } from '../vocabulary/parts/states.ts';
import type { Request } from '../vocabulary/request.ts';

/** A statement that this version reads and does not run. An operation that it takes part in is held up. */
export interface NotRun {
  readonly address: Address;
  readonly at: Span;
  /** Set where it is only that the operator gives no function of this name (language §I). */
  readonly handler?: string;
}

/** Qualifiers that are run wherever they stand. */
const qualifiersRun = [
  'with',
  'where',
  'present',
  'absent',
  'same',
  'order',
  'when',
  'for',
  'request',
  'as',
  'by',
  'gives',
  'may',
];

type Of = Omit<Specification, 'operations'>;

/** What is not run beyond one operation: collected once for all operations of a specification. */
interface Shared {
  readonly ofAll: readonly NotRun[];
  readonly ofOperation: ReadonlyMap<string, readonly NotRun[]>;
  readonly ofResource: ReadonlyMap<string, readonly NotRun[]>;
  /** For operations that change an item of the resource. */
  readonly ofChanges: ReadonlyMap<string, readonly NotRun[]>;
  /** By `METHOD /path`. */
  readonly ofEndpoint: ReadonlyMap<string, readonly HandlerPlace[]>;
  /** What it takes to make and to show an item, by resource or view. */
  readonly ofShown: ReadonlyMap<string, readonly NotRun[]>;
}

const shared = new WeakMap<Of, Shared>();
type Add = (address: Address, at: Span, handler?: string) => void;

/** The statements that take part in an operation and are not run by this version, each once. */
export function notRun(of: Of, operation: Operation): NotRun[] {
  const found = new Map<Address, NotRun>();
  const add: Add = (address, at, handler) =>
    void found.set(address, { address, at, ...(handler !== undefined && { handler }) });
  const { ofAll, ofOperation, ofResource, ofChanges, ofEndpoint, ofShown } = sharedBy(of);
  const changes = !['read', 'list'].includes(stated(operation.does)?.verb ?? 'read');
  const common = [
    ofAll,
    ofOperation.get(operation.name) ?? [],
    ofResource.get(operation.subject?.name ?? '') ?? [],
    (changes && ofChanges.get(operation.subject?.name ?? '')) || [],
    ...namesShown(of, operation).map((name) => ofShown.get(name) ?? []),
  ];
  for (const { address, at, handler } of common.flat()) add(address, at, handler);
  for (const place of ofEndpoint.get(operation.key) ?? [])
    if (!isFilterIfGiven(operation, place.path)) inHandler(of, place, add, operation);
  inRequest(operation, add);
  const change = stated(operation.does);
  if (change) inChange(change, add);
  for (const one of stated(operation.endpoint.also) ?? []) inChange(one, add);
  inSchemes(of, operation, add);
  return [...found.values()];
}

/** Credentials that are no part of a request, of the schemes by which an operation may be asked for. */
function inSchemes({ authentication }: Of, operation: Operation, add: Add): void {
  const part = stated(authentication);
  const wanted = part && stated(stated(ruleOf(part, operation))?.schemes)?.flat();
  for (const [name, said] of (part && stated(part.schemes)) ?? []) {
    const scheme = stated(said);
    if (!scheme || wanted?.every(({ text }) => text !== name)) continue;
    const { type } = scheme;
    if (stated(type) === 'mutualTLS') add(type.address, type.at);
  }
}

/** The resources and views whose fields an operation makes or shows. */
function namesShown(of: Of, operation: Operation): string[] {
  const called = inAnswers(operation).flatMap(({ syntax }) => callsMade(syntax));
  const shown = called.flatMap((name) => {
    const entry = stated(stated(of.resources)?.get(name));
    return entry?.kind === 'view' ? [name, stated(entry.of)?.text ?? ''] : [name];
  });
  return [...new Set([operation.subject?.name ?? '', ...shown])];
}

function inChange(change: Change, add: Add): void {
  for (const [name, said] of Object.entries(change.qualifiers))
    if (!qualifiersRun.includes(name)) addIfSaid(said, add);
}

function addIfSaid(said: Said<unknown> | undefined, add: Add): void {
  if (said && isSomething(said)) add(said.address, said.at);
}

function isSomething({ kind }: Said<unknown>): boolean {
  return kind !== 'open' && kind !== 'none';
}

function sharedBy(of: Of): Shared {
  const found = shared.get(of) ?? collect(of);
  shared.set(of, found);
  return found;
}

/** Parts 3, 5, 6 and 9, the rows of part 7 and the bounds of part 8, by what they bear on; and the resources. */
function collect(of: Of): Shared {
  const ofAll: NotRun[] = [];
  const ofOperation = new Map<string, NotRun[]>();
  const ofResource = new Map<string, NotRun[]>();
  const ofChanges = new Map<string, NotRun[]>();
  const ofEndpoint = new Map<string, HandlerPlace[]>();
  const ofShown = new Map<string, NotRun[]>();
  const into =
    (list: NotRun[]): Add =>
    (address, at, handler) =>
      void list.push({ address, at, ...(handler !== undefined && { handler }) });
  const under = (map: Map<string, NotRun[]>, name: string): Add => {
    const list = map.get(name) ?? [];
    map.set(name, list);
    return into(list);
  };
  /** Adds for the operations that are named, or, where none are, for all. */
  const concerning =
    (names: readonly string[] | undefined): Add =>
    (address, at, handler) => {
      const adds = names ? names.map((name) => under(ofOperation, name)) : [into(ofAll)];
      for (const add of adds) add(address, at, handler);
    };
  for (const [name, said] of stated(of.states) ?? []) {
    const machine = stated(said);
    if (machine) inMachine(machine, under(ofChanges, name.split('.')[0] as string));
  }
  for (const resource of of.resourcesByName.values()) inResource(resource, under(ofResource, resource.name));
  for (const place of handlersIn(of)) {
    const [part, name = ''] = place.path;
    if (part === 'endpoints') ofEndpoint.set(name, [...(ofEndpoint.get(name) ?? []), place]);
    else if (part === 'errors' || part === 'limits')
      inHandler(of, place, concerning(operationsAt(of, place)));
    else if (part === 'authentication')
      inHandler(of, place, concerning(name === 'authorization' ? [place.path[2] ?? ''] : undefined));
    else if (part === 'states') inHandler(of, place, under(ofResource, name.split('.')[0] as string));
    else if (part === 'resources') inHandler(of, place, under(ofShown, name));
  }
  return { ofAll, ofOperation, ofResource, ofChanges, ofEndpoint, ofShown };
}

/** The operations that a row of part 7, or a bound of part 8, names; undefined: it is for all. */
function operationsAt({ errors, limits }: Of, { path }: HandlerPlace): string[] | undefined {
  const [part, list, name = ''] = path;
  const bounds = stated(limits);
  const found =
    part === 'errors'
      ? stated(stated(stated(errors)?.codes)?.get(name))
      : list === 'rates'
        ? stated(stated(bounds?.rates)?.get(name))
        : stated(stated(bounds?.concurrency)?.get(name));
  return stated(found?.operations)?.map(({ text }) => text);
}

/** What follows the transitions of a machine. */
function inMachine(machine: Machine, add: Add): void {
  for (const said of stated(machine.transitions)?.values() ?? []) {
    const move = stated(said);
    for (const one of (move && stated(move.also)) ?? []) inChange(one, add);
  }
}

/** Where a function would say which items a change is about, but for those of a list (language §I). */
const handlersNotRun = ['where'];

/** Whether a place is one of these keys, and no name that is spelled so. */
function isAskedOfStore(path: readonly string[], operation: Operation | undefined): boolean {
  const [last = '', holder, list] = path.toReversed();
  if (!handlersNotRun.includes(last)) return false;
  if (list === 'also') return true;
  return holder === 'does' && path.length === 4 && stated(operation?.does)?.verb !== 'list';
}

/** Whether a place is the filter of a query parameter: such a function is needed only if the parameter is given. */
function isFilterIfGiven({ does, request }: Operation, path: readonly string[]): boolean {
  const [, , part, place, name = '', last] = path;
  if (part !== 'request' || place !== 'query' || last !== 'filter' || path.length !== 6) return false;
  const parameter = stated(stated(request?.query)?.get(name));
  return stated(does)?.verb === 'list' && parameter !== undefined && !isSaid(parameter.default);
}

/** A handler that the operator does not give leaves its place open (language §I). */
function inHandler(
  { handlers }: Of,
  { name, kind, path, address, at }: HandlerPlace,
  add: Add,
  operation?: Operation,
): void {
  const isOfItems = path[0] === 'authentication' && path[3] === 'items';
  if (kind === 'following' || isOfItems || isAskedOfStore(path, operation)) add(address, at);
  else if (kind !== 'work' && handlers?.has(name) !== true) add(address, at, name);
}

function inRequest({ request }: Operation, add: Add): void {
  // An entry of `content` is of its media type, or that is an error.
  if (request === null || request.content.kind === 'stated') return;
  const isNone = stated(request.media)?.every((media) => mediaKind(media) === 'text' && !isMediaRange(media));
  if (isNone && !isTextRun(request)) add(request.media.address, request.media.at);
}

/** Whether content that is neither JSON nor a form is read: it is a text, where a text is what is stated. */
export function isTextRun({ body }: Request): boolean {
  return body.kind !== 'stated' || stated(body.value.shape.keywords.get('type')) === 'string';
}

function inResource({ fields }: Resource, add: Add): void {
  for (const { create } of [...fields.values()].filter((field) => !mayBeUuid(field) && !mayBeNumber(field)))
    if (create.kind === 'any') add(create.address, create.at);
}
