import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import type { Outcome } from '../specification/vocabulary/answer.ts';
import { admitting, hasItemRule } from './access/admits.ts';
import type { Persona } from './access/persona.ts';
import { asksAsItem, kindOf } from './access/schemes.ts';
import { thereName } from './foresee/present.ts';
import type { Request } from './http.ts';
import { absent, hole, type Item, type Partly, type World, worldName } from './partly.ts';
import type { Names } from './solve.ts';
import type { Trial } from './trial.ts';

const nobodyElse: ReadonlyMap<string, Item> = new Map();

/** A request as expressions see it. */
export interface Asking {
  readonly operation: Operation | null;
  readonly request: Request | null;
  readonly given?: Json | undefined;
  /** The item that the path singles out. */
  readonly item?: Item | null;
  readonly outcome?: Outcome | null;
  /** Items that parameters with a name of their own single out, by `calledIn`. */
  readonly others?: ReadonlyMap<string, Item>;
  /** Who asks; null: nobody. Default: whoever the tester usually asks as. */
  readonly as?: Persona | null;
  readonly world?: World;
  /** The item with the identifier that is asked for, where it is known that there is one; null where there is none. */
  readonly there?: Item | null;
}

type Who = Pick<Trial, 'of' | 'url' | 'persona' | 'cast' | 'personas' | 'clock'>;

/** Somebody, of whom no more can be told. */
const somebody = hole({ picks: /^/ });

/** The same for each who asks: two may be two people. */
const stranger = once((_: Persona): Partly => hole({ picks: /^/ }));

/** How a time begins (RFC 3339). */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Who asks, as far as that can be told. */
function actorOf(of: Specification, operation: Operation | null, persona: Persona | null): Partly {
  const said = of.authentication;
  if (said.kind === 'none') return null;
  if (said.kind !== 'stated') return hole({ points: [said.address] });
  if (persona === null) return null;
  if (persona.item && asksAsItem(of, operation, persona)) return persona.item;
  const kind = kindOf(of, operation, persona);
  return kind === undefined ? stranger(persona) : kind && ofKind(kind);
}

const ofKind = once((kind: string): Partly => ({ kind }));

/**
 * Who asks for an operation where nobody is named: whoever is usual, or else the first whom its rule is known to let
 * in; a list is asked for by somebody who sees all of it, where there is one.
 */
export function askerOf(trial: Who, asking: Omit<Asking, 'as'>): Persona | null {
  let names: Map<string, Partly> | undefined;
  return askerBy(trial, asking.operation, () => {
    names ??= namesBesideActor(trial, asking);
    return names;
  });
}

/** @param names what is named beside who asks, for each to be tried by: what is judged by them keeps none */
function askerBy(
  { of, persona, cast, personas }: Who,
  operation: Operation | null,
  names: () => Map<string, Partly>,
): Persona | null {
  if (operation === null || cast.length === 0) return persona;
  const isList = stated(operation.does)?.verb === 'list' && hasItemRule(of, operation);
  const admitted = admitting(of, operation, names, isList);
  const actor = (as: Persona | null): Partly => actorOf(of, operation, as);
  if (isList) return [persona, ...cast].find((one) => admitted(actor(one)) === true) ?? persona;
  if (admitted(actor(persona)) !== false) return persona;
  // A rule that refuses somebody of whom nothing is known refuses all but nobody.
  const isClosed = admitted(somebody) === false;
  const isLet = (one: Persona): boolean => {
    const who = actor(one);
    return (who === null || !isClosed) && admitted(who) === true;
  };
  const isOther = (one: Persona): boolean => one !== persona && !cast.includes(one);
  return cast.find(isLet) ?? personas.find((one) => isOther(one) && isLet(one)) ?? persona;
}

/** Whether a list is shown in full to somebody, although its rule is about its items. */
export function sharesAll(trial: Who, operation: Operation): boolean {
  const { of } = trial;
  const names = (): Map<string, Partly> => namesBesideActor(trial, { operation, request: null });
  const as = askerBy(trial, operation, names);
  return admitting(of, operation, names, true)(actorOf(of, operation, as)) === true;
}

/** What the names of an expression stand for in answer to a request (language §G.2); what is missing is unknown. */
export function namesFor(trial: Who, asking: Asking): Names {
  const { operation } = asking;
  const names = namesBesideActor(trial, asking);
  const as = asking.as === undefined ? askerBy(trial, operation, () => names) : asking.as;
  return names.set('actor', actorOf(trial.of, operation, as));
}

function namesBesideActor({ url, clock }: Who, asking: Omit<Asking, 'as'>): Map<string, Partly> {
  const { operation, request, given, item = null, outcome = null, others = nobodyElse } = asking;
  // What two requests do not tell may be two values.
  const untold = hole();
  // Few expressions read any of it but the body.
  const about: Partly = {
    body: given ?? null,
    method: request?.method ?? untold,
    get path() {
      return operation ? pathOf(operation, item, others) : untold;
    },
    get query() {
      return operation && request ? queryOf(operation, request) : untold;
    },
    headers: untold,
    url: untold,
    credential: untold,
    media: untold,
    version: untold,
  };
  const names = new Map<string, Partly>([
    ['service', { url }],
    ['request', about],
    ['now', hole({ picks: time, between: clock() })],
    ['outcome', outcome ?? untold],
  ]);
  if (asking.world) names.set(worldName, asking.world);
  if (asking.there !== undefined) names.set(thereName, asking.there);
  for (const [name, other] of others) names.set(name, other);
  if (item) names.set('this', item);
  return names;
}

/** What the item is called that a parameter binds: its name, or where it has none its resource's. */
export function calledIn({
  as,
  resource,
}: {
  readonly as: string | null;
  readonly resource: string;
}): string {
  return as ?? resource;
}

function pathOf({ bindings }: Operation, item: Item | null, others: ReadonlyMap<string, Item>): Partly {
  const values = [...bindings].map(([name, binding]) => {
    const of =
      binding.kind === 'subject' ? item : binding.kind === 'other' ? others.get(calledIn(binding)) : null;
    const value = binding.kind === 'text' ? undefined : of?.known.get(binding.field);
    return [name, value ?? hole()] as const;
  });
  return Object.fromEntries(values);
}

/** The query's stated parameters as values of their types; one that is not given is its default, or not there. */
function queryOf({ request: stating }: Operation, { url }: Request): Partly {
  const all = stating && stated(stating.query);
  if (!all) return {};
  const given = new URLSearchParams(url.split('?')[1] ?? '');
  const values = [...all].map(([name, said]) => {
    const parameter = stated(said);
    const text = given.get(name);
    if (parameter === undefined) return [name, hole()] as const;
    const type = stated(parameter.shape.keywords.get('type'));
    if (text !== null && stated(parameter.roles.style) === 'json') return [name, jsonOf(text)] as const;
    return [name, text === null ? (stated(parameter.default) ?? absent) : typed(text, type)] as const;
  });
  return Object.fromEntries(values);
}

function jsonOf(text: string): Partly {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return hole();
  }
}

function typed(text: string, type: Json | undefined): Partly {
  if (type === 'integer' || type === 'number') return Number.isNaN(Number(text)) ? hole() : Number(text);
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : hole();
  return type === undefined || type === 'string' ? text : hole();
}
