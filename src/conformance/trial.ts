import type { Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Address } from '../specification/address.ts';
import type { Answer, Outcome } from '../specification/answer.ts';
import { type Operation, singlesOut } from '../specification/operation.ts';
import type { Resource } from '../specification/parts/resources.ts';
import type { Parameter } from '../specification/request.ts';
import { type Said, stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import type { Specification } from '../specification/specification.ts';
import { notRun } from '../specification/unrun.ts';
import { ifReached, type Seen, Unreached } from './check.ts';
import { answerFound, succeeded } from './guards.ts';
import { type Client, type Exchange, type Header, jsonOf, type Request } from './http.ts';
import { identityOf, itemSeen, keyOf } from './item.ts';
import { hole, type Item, type Partly } from './partly.ts';
import type { Random } from './random.ts';
import { bodyOf, type Schemas } from './schema.ts';
import { type Names, workOut } from './solve.ts';
import type { Size, Values } from './values.ts';

/** One run of the tester against one implementation. */
export interface Trial {
  readonly of: Specification;
  /** Where the implementation is, without a slash at the end: `service.url` (language §F.1, G.2). */
  readonly url: string;
  readonly client: Client;
  readonly tools: Schemas & Values;
  readonly random: Random;
  /** The lists as they were last seen, while nothing was sent that may change them. */
  readonly seenLists: Map<string, readonly Json[]>;
  /** An item of each resource to try requests on that should be refused, while nothing may have changed it. */
  readonly spares: Map<string, Item>;
}

/** What one request to an operation brings; what is left out is left to the operation's statements. */
export interface Attempt {
  /** The item that the path singles out. */
  readonly item?: Item;
  readonly body?: Json;
  /** Content that is not, or not only, JSON. */
  readonly raw?: string;
  /** The media type of the content; null sends none. */
  readonly media?: string | null;
  readonly query?: string;
  readonly headers?: readonly Header[];
  readonly method?: string;
}

/** A request that an operation got, and what its answer tells. */
export interface Done extends Seen {
  readonly operation: Operation;
  readonly given: Json | undefined;
  readonly answer: Answer | null;
  /** The content, where it is JSON. */
  readonly json: Json | undefined;
  /** What the content shows by the resource's name: an item, or the list of them; undefined where it does not. */
  readonly shown: Json | undefined;
  /** The item as it is known after this. */
  readonly item: Item | null;
  readonly names: Names;
}

/** Sends a request as it stands. */
export async function send(trial: Trial, request: Request): Promise<Exchange> {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) trial.seenLists.clear();
  return await trial.client.send(request);
}

/** The statements that a request to an operation rests on. */
export function restsOf({ does, request }: Operation): Address[] {
  return [does.address, ...(request ? [request.body.address, request.media.address] : [])];
}

/** Why an operation cannot be exercised; null where it can. */
export function heldUp(of: Specification, operation: Operation): string | null {
  if (operation.does.kind === 'open') return `what it does is open (${operation.does.address})`;
  const unrun = notRun(of, operation);
  if (unrun.length > 0) return `stated, not run by this version: ${unrun.map((one) => one.address).join(', ')}`;
  const change = stated(operation.does);
  const one = change?.subject.kind === 'one' && ['read', 'update', 'delete'].includes(change.verb);
  return one && !singlesOut(operation) ? 'its parameters single out no one item' : null;
}

/** The first operation that can be exercised and does this; `every` for the verb on all items. */
export function operationFor(of: Specification, resource: Resource, verb: string, kind: 'one' | 'every' = 'one'): Operation | null {
  const fits = (operation: Operation): boolean => {
    const change = stated(operation.does);
    return operation.subject?.name === resource.name && change?.verb === verb && change.subject.kind === kind;
  };
  return of.operations.find((operation) => fits(operation) && heldUp(of, operation) === null) ?? null;
}

/** Sends a request to an operation, and reads what its answer tells. Throws `Unreached` where it cannot be made. */
export async function perform(trial: Trial, operation: Operation, attempt: Attempt = {}): Promise<Done> {
  const exchange = await send(trial, requestTo(trial, operation, attempt));
  const { subject } = operation;
  // What may have been changed is unknown until it is seen again (language §F.3).
  const changes = operation.method !== 'GET' && stated(operation.does)?.verb !== 'create';
  if (subject && changes && succeeded(exchange, operation).value !== false) trial.spares.delete(subject.name);
  return look(trial, operation, attempt, exchange);
}

export function requestTo(trial: Trial, operation: Operation, attempt: Attempt): Request {
  const { body, raw, media, query } = attempt;
  const content = raw ?? (body === undefined ? null : JSON.stringify(body));
  const stating = operation.request ? stated(operation.request.media)?.[0] : undefined;
  const type = media === undefined ? (stating ?? 'application/json') : media;
  const headers: Header[] = content !== null && type !== null ? [['Content-Type', type]] : [];
  const asked = [...needed(trial, operation.request?.query), ...(query === undefined ? [] : [query])];
  return {
    method: attempt.method ?? operation.method,
    url: `${trial.url}${pathTo(trial, operation, attempt)}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    headers: [...headers, ...(attempt.headers ?? [])],
    body: content,
  };
}

/** The path that an operation has for an item, with `base` before it. */
export function pathTo(trial: Trial, operation: Operation, { item }: Attempt): string {
  const segments = operation.path.map((segment) => {
    if ('literal' in segment) return segment.literal;
    const binding = operation.bindings.get(segment.parameter);
    if (binding?.kind === 'subject') {
      const value = item?.known.get(binding.field);
      if (value === undefined) throw new Unreached(`no identifier could be learned: ${binding.field} is never shown`);
      return encodeURIComponent(String(value));
    }
    const shape = binding?.kind === 'text' && binding.parameter ? schemaOf(binding.parameter.shape) : { type: 'string' };
    return encodeURIComponent(String(trial.tools.valid(shape, 'least') ?? trial.random.letters(8)));
  });
  const base = stated(stated(trial.of.endpoints)?.base) ?? '';
  return `${base}/${segments.join('/')}`;
}

/** Query parameters that must be given, each with a value that fits. */
function needed(trial: Trial, said: Said<ReadonlyMap<string, Said<Parameter>>> | undefined): string[] {
  return [...(stated(said)?.values() ?? [])].flatMap((one) => {
    const parameter = stated(one);
    if (!parameter || stated(parameter.required) !== true) return [];
    const value = trial.tools.valid(schemaOf(parameter.shape), 'least');
    return [`${encodeURIComponent(parameter.name)}=${encodeURIComponent(String(value ?? ''))}`];
  });
}

const outcomeOf: Readonly<Record<string, Outcome>> = { create: 'created', update: 'changed', delete: 'deleted' };

const pageNames = ['size', 'offset', 'number', 'next', 'previous', 'links'];

function look(trial: Trial, operation: Operation, attempt: Attempt, exchange: Exchange): Done {
  const { subject } = operation;
  const given = attempt.raw === undefined ? attempt.body : undefined;
  const json = jsonOf(exchange);
  const outcome = outcomeOf[stated(operation.does)?.verb ?? ''] ?? null;
  const names = namesFor(trial, exchange.request, given, outcome);
  const answer = answerFor(operation, outcome, names);
  const at = answer?.body.kind === 'stated' && subject ? shownIn(answer.body.value.template, subject.name) : null;
  const isDone = succeeded(exchange, operation).value === true;
  const shown = at && isDone ? dig(json, at) : undefined;
  const bare = { operation, given, answer, json, shown, exchange };
  if (subject && Array.isArray(shown)) {
    const items = shown.map((one: Json) => itemSeen(subject, one, undefined, names, []));
    const page: Partly = { items, total: items.length, ...Object.fromEntries(pageNames.map((name) => [name, hole()])) };
    return { ...bare, item: null, names: new Map(names).set('page', page) };
  }
  const item = subject && isDone ? itemSeen(subject, shown, attempt.item, names, headersOf(answer, exchange), given) : (attempt.item ?? null);
  return { ...bare, item, names: item ? new Map(names).set('this', item) : names };
}

/** A header field as stated, beside what was received. */
function headersOf(answer: Answer | null, { response }: Exchange): [Template, string][] {
  return [...((answer && stated(answer.headers)) ?? [])].flatMap(([name, said]) => {
    const received = response?.headers.find(([key]) => key.toLowerCase() === name.toLowerCase());
    return said.kind === 'stated' && received ? [[said.value.template, received[1]]] : [];
  });
}

/** What the names of an expression stand for in answer to a request (language §G.2). */
export function namesFor(trial: Trial, request: Request | null, given: Json | undefined, outcome: Outcome | null): Names {
  const { authentication } = trial.of;
  const nobody = authentication.kind === 'none';
  const about: Partly = {
    body: given ?? null,
    method: request?.method ?? hole(),
    ...Object.fromEntries(['path', 'query', 'headers', 'url', 'credential', 'version'].map((name) => [name, hole()])),
  };
  return new Map<string, Partly>([
    ['service', { url: trial.url }],
    ['request', about],
    ['actor', nobody ? null : hole({ points: [authentication.address] })],
    ['now', hole({ picks: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/ })],
    ['outcome', outcome ?? hole()],
  ]);
}

/** The answer to send for an outcome: the first that holds (language §H.3); null where that cannot be told. */
export function answerFor(operation: Operation, outcome: Outcome | null, names: Names): Answer | null {
  for (const answer of stated(operation.response) ?? []) {
    const { when } = answer;
    if (when.kind !== 'stated') return answer;
    if (when.value.kind === 'outcomes') {
      if (outcome !== null && when.value.outcomes.includes(outcome)) return answer;
    } else {
      const holds = workOut(when.value.expression.template, names);
      if (holds === true) return answer;
      if (holds !== false) return null;
    }
  }
  return null;
}

/** Where in a body an item, or the list of them, is shown by the resource's name; null where it is not. */
export function shownIn(template: Template, name: string): readonly (string | number)[] | null {
  const inside = (entries: Iterable<readonly [string | number, Template]>) => {
    for (const [step, inner] of entries) {
      const found = shownIn(inner, name);
      if (found) return [step, ...found];
    }
    return null;
  };
  if (template.kind === 'object') return inside(template.members);
  if (template.kind === 'list') return inside(template.items.entries());
  if (template.kind !== 'expression') return null;
  const { syntax } = template.expression;
  return syntax.op === 'call' && syntax.args[0] === name ? [] : null;
}

function dig(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, step) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, step)
        ? (here as { readonly [step: string | number]: Json })[step]
        : undefined,
    value,
  );
}

/** A body that an operation takes; the identifier is in it where nobody else gives it. */
export function bodyFor(trial: Trial, operation: Operation, size: Size): Json | undefined {
  const body = bodyOf(trial.of, operation);
  if (body === null) return undefined;
  const identifier = (operation.subject && stated(operation.subject.identifier)) ?? [];
  const own = stated(operation.does)?.verb === 'create' ? identifier.map((name) => name.text) : [];
  const given = own.filter((name) => body.fields.get(name)?.create.kind === 'open');
  const required = [...new Set([...((body.schema['required'] as string[] | undefined) ?? []), ...given])];
  const made = trial.tools.valid({ ...body.schema, required }, size);
  if (made === undefined) throw new Unreached(`no value that ${body.name} admits could be made`);
  return made;
}

/** A new item. Throws `Unreached` where none can be made. */
export async function make(trial: Trial, resource: Resource, size: Size = 'most'): Promise<Done & { readonly item: Item }> {
  const operation = operationFor(trial.of, resource, 'create');
  if (operation === null) throw new Unreached(`no operation that can be exercised creates a ${resource.name}`);
  const done = await create(trial, operation, bodyFor(trial, operation, size));
  const { item } = done;
  if (item === null || succeeded(done.exchange, operation).value !== true)
    throw new Unreached(`no ${resource.name} could be made: ${operation.key} gave ${answerFound(done.exchange)}`);
  if (done.shown !== undefined || identityOf(item) === undefined) return { ...done, item };
  const read = await ifReached(() => readBack(trial, item));
  return { ...done, item: read?.item ?? item, shown: read?.shown };
}

/** Asks for a creation; where the path holds the identifier, the client makes it up. */
export async function create(trial: Trial, operation: Operation, body: Json | undefined, more: Attempt = {}): Promise<Done> {
  const { subject } = operation;
  const item = subject && [...operation.bindings.values()].some((one) => one.kind === 'subject') ? keyOf(trial, subject) : undefined;
  return await perform(trial, operation, { ...(item && { item }), ...(body !== undefined && { body }), ...more });
}

/** An item to try things on: a new one, or else one that is there. */
export async function someItem(trial: Trial, resource: Resource): Promise<Item> {
  if (operationFor(trial.of, resource, 'create')) return (await make(trial, resource)).item;
  const items = await itemsOf(trial, resource);
  const [first] = items;
  if (first === undefined) throw new Unreached(`there is no ${resource.name}, and no operation creates one`);
  return first;
}

/** An item that requests are tried on which should be refused; a new one after any that was not. */
export async function spare(trial: Trial, resource: Resource): Promise<Item> {
  const item = trial.spares.get(resource.name) ?? (await someItem(trial, resource));
  trial.spares.set(resource.name, item);
  return item;
}

/** Asks for the list of a resource's items. Throws `Unreached` where there is no list to see. */
export async function list(trial: Trial, resource: Resource): Promise<Done & { readonly shown: readonly Json[] }> {
  const operation = operationFor(trial.of, resource, 'list');
  if (operation === null) throw new Unreached(`no operation that can be exercised lists every ${resource.name}`);
  const done = await perform(trial, operation);
  const { shown } = done;
  if (!Array.isArray(shown)) throw new Unreached(`${operation.key} showed no list: ${answerFound(done.exchange)}`);
  trial.seenLists.set(resource.name, shown as Json[]);
  return { ...done, shown: shown as Json[] };
}

export async function itemsOf(trial: Trial, resource: Resource): Promise<readonly Item[]> {
  const { names } = await list(trial, resource);
  return (names.get('page') as unknown as { readonly items: readonly Item[] }).items;
}

/** Asks for one item. Throws `Unreached` where no operation shows one. */
export async function readBack(trial: Trial, item: Item): Promise<Done> {
  const operation = operationFor(trial.of, item.resource, 'read');
  if (operation === null) throw new Unreached(`no operation that can be exercised reads a ${item.resource.name}`);
  return await perform(trial, operation, { item });
}

/** What is kept of a resource, as far as it can be seen: its list, or else one item of it. */
export async function snapshot(trial: Trial, resource: Resource, item: Item | null): Promise<readonly Json[]> {
  if (operationFor(trial.of, resource, 'list'))
    return trial.seenLists.get(resource.name) ?? (await list(trial, resource)).shown;
  if (item === null) throw new Unreached(`nothing shows what is kept of ${resource.name}`);
  const { shown, exchange } = await readBack(trial, item);
  return shown === undefined ? [answerFound(exchange)] : [shown];
}
