import { callsMade, type Expression } from '../expression/expression.ts';
import { functionsNotRun } from '../expression/functions.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Span } from '../source/text.ts';
import { type Address, step } from './address.ts';
import type { Change } from './change.ts';
import { mayBeUuid } from './choice.ts';
import { type HandlerPlace, handlersIn } from './handlers.ts';
import { mediaKind } from './media.ts';
import type { Operation } from './operation.ts';
import type { Row } from './parts/errors.ts';
import type { Field, Resource } from './parts/resources.ts';
import type { Machine } from './parts/states.ts';
import type { Request } from './request.ts';
import { isSaid, type Said, stated } from './said.ts';
import type { Specification } from './specification.ts';
import type { PlacedTemplate } from './templates.ts';
import { inAnswers } from './workings.ts';

/** A statement that this version reads and does not run. An operation that it takes part in is held up. */
export interface NotRun {
  readonly address: Address;
  readonly at: Span;
  /** Set where it is only that the operator gives no function of this name (language §I). */
  readonly handler?: string;
}

const verbsNotRun = ['authenticate', 'revoke'];
/** Qualifiers that are run wherever they stand. */
const qualifiersRun = ['with', 'where', 'present', 'absent', 'order', 'when', 'for', 'as', 'gives', 'may'];

type Of = Omit<Specification, 'operations'>;

/** What is not run beyond one operation: collected once for all operations of a specification. */
interface Shared {
  readonly ofAll: readonly NotRun[];
  readonly ofOperation: ReadonlyMap<string, readonly NotRun[]>;
  readonly ofResource: ReadonlyMap<string, readonly NotRun[]>;
  /** For operations that change an item of the resource. */
  readonly ofChanges: ReadonlyMap<string, readonly NotRun[]>;
  /** By `METHOD /path`. */
  readonly ofEndpoint: ReadonlyMap<string, readonly NotRun[]>;
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
    ofEndpoint.get(operation.key) ?? [],
    ...namesShown(of, operation).map((name) => ofShown.get(name) ?? []),
  ];
  for (const { address, at, handler } of common.flat()) add(address, at, handler);
  inRequest(operation, add);
  const change = stated(operation.does);
  if (change) inChange(change, step(operation.address, 'does'), add);
  const { also, conditional, idempotency } = operation.endpoint;
  for (const [index, one] of (stated(also) ?? []).entries())
    inChange(one, step(step(operation.address, 'also'), index), add);
  const replay = stated(stated(stated(idempotency)?.replay)?.headers);
  inTemplates(of, [...(replay?.values() ?? [])], add);
  const lastModified = stated(conditional)?.lastModified;
  if (lastModified) inTemplates(of, [lastModified], add);
  for (const answer of stated(operation.response) ?? []) {
    inTemplates(of, [answer.body, ...(stated(answer.headers)?.values() ?? [])], add);
    const when = stated(answer.when);
    if (
      when?.kind === 'expression' &&
      expressionsIn(when.expression.template).some((one) => isNotRun(of, one))
    )
      add(answer.when.address, answer.when.at);
  }
  return [...found.values()];
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

function inChange(change: Change, address: Address, add: Add): void {
  if (verbsNotRun.includes(change.verb)) {
    add(address, change.at);
    return;
  }
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

/** Parts 3, 5, 6, 8 and 9, and the rows of part 7, by what they bear on; and the resources. */
function collect(of: Of): Shared {
  const ofAll: NotRun[] = [];
  const ofOperation = new Map<string, NotRun[]>();
  const ofResource = new Map<string, NotRun[]>();
  const ofChanges = new Map<string, NotRun[]>();
  const ofEndpoint = new Map<string, NotRun[]>();
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
  addIfSaid(of.authentication, into(ofAll));
  addIfSaid(of.versioning, into(ofAll));
  for (const [name, said] of stated(of.states) ?? []) {
    const machine = stated(said);
    if (machine) inMachine(machine, under(ofChanges, name.split('.')[0] as string));
  }
  for (const said of stated(stated(of.events)?.kinds)?.values() ?? []) {
    const kind = stated(said);
    const by = stated(kind?.by);
    // None is emitted while it is open by what, and none is delivered while it is open what it tells (language §6.1).
    if (kind && by && isSaid(kind.body)) addIfSaid(said, concerning(by.map((one) => one.text)));
  }
  const limits = stated(of.limits);
  // Nothing is counted while it is open how many, in what time, or whose are counted together (language §8.1).
  for (const said of stated(limits?.rates)?.values() ?? []) {
    const rate = stated(said);
    if (rate && isSomething(rate.allow) && isSomething(rate.every) && isSaid(rate.per))
      addIfSaid(said, concerning(stated(rate.operations)?.map((one) => one.text)));
  }
  for (const said of stated(limits?.concurrency)?.values() ?? []) {
    const share = stated(said);
    if (share && isSomething(share.allow) && isSaid(share.per))
      addIfSaid(said, concerning(stated(share.operations)?.map((one) => one.text)));
  }
  const times = stated(limits?.times);
  const timed = [times?.request, ...(stated(times?.operations)?.values() ?? [])];
  if (limits && [...(stated(limits.sizes)?.values() ?? [])].some(isSomething))
    addIfSaid(limits.sizes, into(ofAll));
  if (limits && timed.some((said) => said && isSomething(said))) addIfSaid(limits.times, into(ofAll));
  for (const said of stated(stated(of.errors)?.codes)?.values() ?? []) {
    const row = stated(said);
    if (row) inRow(of, row, concerning(stated(row.operations)?.map((one) => one.text)));
  }
  for (const resource of of.resourcesByName.values())
    inResource(of, resource, under(ofResource, resource.name));
  for (const place of handlersIn(of)) {
    const [part, name = '', code = ''] = place.path;
    const row =
      part === 'errors' && name === 'codes' ? stated(stated(of.errors)?.codes)?.get(code) : undefined;
    const operations = row && stated(stated(row)?.operations as Said<readonly { text: string }[]>);
    if (part === 'endpoints') inHandler(of, place, under(ofEndpoint, name));
    else if (part === 'errors') inHandler(of, place, concerning(operations?.map((one) => one.text)));
    else if (part === 'states') inHandler(of, place, under(ofResource, name.split('.')[0] as string));
    else if (part === 'resources') inHandler(of, place, under(ofShown, name));
  }
  return { ofAll, ofOperation, ofResource, ofChanges, ofEndpoint, ofShown };
}

/** What is called on entry to a state. */
function inMachine(machine: Machine, add: Add): void {
  addIfSaid(machine.work, add);
  for (const said of stated(machine.transitions)?.values() ?? []) {
    const move = stated(said);
    for (const [index, one] of ((move && stated(move.also)) ?? []).entries())
      inChange(one, step(step(said.address, 'also'), index), add);
  }
}

/** Where a function's answer would be asked of the store, or be waited for amid a change; and what is to be judged by it. */
const handlersNotRun = ['where', 'filter', 'order', 'invariants', 'authorization'];

/** A handler that the operator does not give leaves its place open (language §I). */
function inHandler({ handlers }: Of, { name, kind, path, address, at }: HandlerPlace, add: Add): void {
  const isRow = path[0] === 'errors' && path[3] === 'when';
  const isUnrun = kind === 'following' || isRow || path.some((key) => handlersNotRun.includes(key));
  if (isUnrun) add(address, at);
  else if (kind !== 'work' && handlers?.has(name) !== true) add(address, at, name);
}

function inRow(of: Of, row: Row, add: Add): void {
  const maps = [row.headers, row.extra].flatMap((said) => [...(stated(said)?.values() ?? [])]);
  inTemplates(of, [row.message, row.title, row.body, ...maps], add);
  for (const { expression, at } of stated(row.when) ?? [])
    if (expression && expressionsIn(expression.template).some((one) => isNotRun(of, one)))
      add(row.when.address, at);
}

function inRequest({ request }: Operation, add: Add): void {
  if (request === null) return;
  if (stated(request.media)?.some((media) => !isMediaRun(media, request)))
    add(request.media.address, request.media.at);
}

/** Whether content of a media type is read: what is neither JSON nor a form is a text, where a text is what is stated. */
function isMediaRun(media: string, request: Request): boolean {
  const type = stated(stated(request.body)?.shape.keywords.get('type'));
  return mediaKind(media) !== 'text' || type === 'string' || request.body.kind !== 'stated';
}

function inResource(of: Of, resource: Resource, add: Add): void {
  const sentences = [resource.invariants, ...[...resource.fields.values()].map(({ holds }) => holds)];
  for (const said of sentences) inTemplates(of, [...(stated(said)?.values() ?? [])], add);
  for (const field of resource.fields.values()) {
    inTemplates(of, templatesOf(field), add);
    if (field.create.kind === 'any' && !mayBeUuid(field)) add(field.create.address, field.create.at);
  }
}

/** What is worked out of a field. */
function templatesOf(field: Field): Said<PlacedTemplate>[] {
  const { create, update, derived, taken, shown, readable, writable } = field;
  const rules = [readable, writable].filter((said) => typeof stated<unknown>(said) === 'object');
  return [create, update, derived, taken, shown, ...(rules as Said<PlacedTemplate>[])];
}

function inTemplates(of: Of, templates: readonly Said<PlacedTemplate>[], add: Add): void {
  for (const said of templates)
    if (said.kind === 'stated' && isNotRunTemplate(of, said.value)) add(said.address, said.at);
}

function isNotRunTemplate(of: Of, { template }: PlacedTemplate, seen: readonly string[] = []): boolean {
  return expressionsIn(template).some((one) => isNotRun(of, one, seen));
}

/** Some functions, and views that show what is made by such. */
function isNotRun(of: Of, { syntax }: Expression, seen: readonly string[] = []): boolean {
  const calls = callsMade(syntax);
  const showsSuch = (name: string): boolean => {
    const view = stated(stated(of.resources)?.get(name));
    if (view?.kind !== 'view' || seen.includes(name)) return false;
    const templates = [...view.fields.values()].flatMap((field) => templatesOf(field));
    return templates.some((said) => {
      const placed = stated(said);
      return placed !== undefined && isNotRunTemplate(of, placed, [...seen, name]);
    });
  };
  return calls.some((name) => functionsNotRun.includes(name) || showsSuch(name));
}
