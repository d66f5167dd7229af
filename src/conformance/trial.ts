import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import { type Operation, singlesOut } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { Address } from '../specification/reading/address.ts';
import { isSaid, stated } from '../specification/reading/said.ts';
import type { Answer } from '../specification/vocabulary/answer.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import type { Matching, Segment } from '../specification/vocabulary/paths.ts';
import { mayHaveEnded, type Persona } from './access/persona.ts';
import type { Carried } from './access/presenting.ts';
import { ifReached, type Seen, Unreached } from './check.ts';
import type { Listening } from './events/listening.ts';
import type { Client, Exchange, Header, Request } from './http.ts';
import type { Fresh } from './item.ts';
import type { Lens } from './lens.ts';
import { type Asked, admitted, noteSent, type Pace } from './limits/pace.ts';
import type { Item } from './partly.ts';
import type { Random } from './random.ts';
import { ended, type Groups } from './refusals/groups.ts';
import type { Schemas } from './schema.ts';
import type { Names } from './solve.ts';
import { unexercised } from './unexercised.ts';
import type { Values } from './values.ts';

/** How far the clock of an implementation may be from the tester's, in milliseconds (language §F.3). */
export const apartMs = 3_600_000;

/** One run of the tester against one implementation. */
export interface Trial {
  readonly of: Specification;
  /** Where the implementation is, without a slash at the end: `service.url` (language §F.1, G.2). */
  readonly url: string;
  readonly client: Client;
  /** Hear of all that is done, whatever for. */
  readonly witnesses: Set<(done: Done) => void>;
  /** How it hears what the implementation sends by itself. */
  readonly listening: Listening;
  readonly tools: Schemas & Values;
  readonly random: Random;
  readonly fresh: Fresh;
  /** Whoever requests are usually sent as; null: nobody. Another takes over once rates let in few more of one. */
  persona: Persona | null;
  /** Those beside, one of a kind, whom requests are sent as that a rule does not let the usual one make. */
  readonly cast: Persona[];
  /** All whom requests can be sent as. */
  readonly personas: Persona[];
  /** Somebody new to ask as, of the kind of somebody else, or of whoever is usual; null where nobody can be made. */
  readonly enter: (like?: Persona) => Promise<Persona | null>;
  /** Sees to it that somebody's credentials are good for the next request. */
  readonly renew: (persona: Persona) => Promise<void>;
  /** The time in milliseconds, and a way to let it pass, which says for what: no longer than until that is met. */
  readonly now: () => number;
  readonly wait: (ms: number, what: string, met?: AbortSignal) => Promise<void>;
  /** Two times of RFC 3339 between which every `now` of this run lies (language §F.3). */
  readonly clock: () => readonly [string, string];
  /** Whether it is the turn of what lets time pass: all that takes none was come to. */
  readonly waits: { now: boolean };
  /** An item that no operation makes, and that comes by itself. Throws `Unreached` where none does. */
  readonly come: (resource: Resource) => Promise<Item>;
  /** How long one time that is stated is waited for, such as that of a timer, or of the window of a rate, in milliseconds. */
  readonly patienceMs: number;
  /** How long is waited for what is to come, beyond what is stated, in milliseconds. */
  readonly graceMs: number;
  /** The lists as they were last seen, while nothing was sent that may change them; of each version's resources. */
  readonly seenLists: Map<Resource, readonly Entry[]>;
  /** Refusals of which it is to be looked yet whether they changed anything. */
  readonly groups: Groups;
  /** Items of each resource, of any version, to try requests on that should be refused, while nothing may have changed them; by what for. */
  readonly spares: Map<Resource, Map<string, Item>>;
  /** Items of each resource that others may refer to; they are there as long as nobody removes them. */
  readonly stock: Map<string, Item[]>;
  /** One of them, made where there is none yet. Throws `Unreached` where none can be made. */
  readonly stocked: (resource: string, isFit?: (item: Item) => boolean) => Promise<Item>;
  /** The items that others were made under, by what their parameters are called; by `placeOf` of these. */
  readonly around: Map<string, ReadonlyMap<string, Item>>;
  /** Who made an item, by `placeOf` of it. */
  readonly makers: Map<string, Persona>;
  /** What rates may have counted of what was sent. */
  readonly pace: Pace;
  /** The resources of which an example may have changed an item before anything else was sent. */
  readonly exampled: Set<string>;
  /** What was last seen of single items, while nothing was sent that may change them; by resource, of any version, and identity. */
  readonly seen: Map<Resource, Map<string, Item>>;
}

/** What one request to an operation brings; what is left out is left to the operation's statements. */
export interface Attempt {
  /** The item that the path singles out. */
  readonly item?: Item;
  /** The items that parameters with a name of their own single out, by `calledIn`. */
  readonly others?: ReadonlyMap<string, Item>;
  readonly body?: Json;
  /** Content that is not, or not only, JSON. */
  readonly raw?: string;
  /** How many bytes of content are sent: white space fills it up. */
  readonly bytes?: number;
  /** The media type of the content; null sends none. */
  readonly media?: string | null;
  readonly query?: string;
  /** Where it goes, if not to the operation's own path: a further one, or one written as `matching` lets it be (language §4.1). */
  readonly route?: { readonly path: readonly Segment[]; readonly matching?: Matching };
  /** Parameters of the path that single nothing out. */
  readonly path?: Readonly<Record<string, string>>;
  /** Parameters of the query that are left out although they must be given. */
  readonly omit?: readonly string[];
  readonly headers?: readonly Header[];
  readonly method?: string;
  /** Who asks; null: nobody. Default: whoever the tester usually asks as. */
  readonly as?: Persona | null;
  /** What says who asks, in place of what it would be. */
  readonly carried?: Carried;
  /** The item with this identifier, where it is known that there is one; null where there is none. */
  readonly there?: Item | null;
  /** The row of an expression of one's own that is to hold of the request; none is where it is left out. */
  readonly holding?: string;
  /** The version that it names; null: none. */
  readonly version?: string | null;
  /** The identifier in the body is the one to try: it is not made up anew. */
  readonly keepsKey?: boolean;
  /** It is sent however much of a rate is used up. */
  readonly usesUp?: boolean;
  /** The references are those to try: no item is made for them anew. */
  readonly stays?: boolean;
}

/** A request that an operation got, and what its answer tells. */
export interface Done extends Seen {
  readonly operation: Operation;
  readonly given: Json | undefined;
  /** The item that it was asked about. */
  readonly asked: Item | null;
  readonly answer: Answer | null;
  /** The content, where it is JSON. */
  readonly json: Json | undefined;
  /** What the content shows by the resource's name: an item, or the list of them; undefined where it does not. */
  readonly shown: Json | undefined;
  /** What it is shown through: the resource, or a view of it. */
  readonly lens: Lens | null;
  /** The item as it is known after this. */
  readonly item: Item | null;
  /** The entries of a list; null where it is none. */
  readonly entries: readonly Entry[] | null;
  readonly names: Names;
}

/** An item in a list: as it is shown there, and as it is known. */
export interface Entry {
  readonly shown: Json;
  readonly lens: Lens | null;
  readonly item: Item;
}

/**
 * Sends a request as it stands, once no rate refuses it for what was sent before; one that somebody else had used up
 * is waited for once. Throws `Unreached` where that takes longer than the tester's patience, and where it was refused
 * and a credential that it brings may have expired meanwhile.
 *
 * @param asked what rates see of it; left out for what no operation is asked for
 */
export async function send(trial: Trial, request: Request, asked?: Asked): Promise<Exchange> {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) {
    await ended(trial.groups, trial.of, asked?.operation);
    trial.seenLists.clear();
  }
  const exchange = await (asked ? admittedTo(trial, request, asked) : trial.client.send(request));
  const isRefused = (exchange.response?.status ?? 0) >= 400;
  if (isRefused && !asked?.carries && mayHaveEnded(trial.personas, request, trial.now()))
    throw new Unreached('the credential of who asks may have expired meanwhile');
  return exchange;
}

async function admittedTo(trial: Trial, request: Request, asked: Asked): Promise<Exchange> {
  if (!asked.usesUp) await admitted(trial, asked);
  const exchange = await trial.client.send(request);
  const isUsedUp = noteSent(trial, asked, exchange);
  if (!isUsedUp || asked.usesUp) return exchange;
  if ((await ifReached(() => admitted(trial, asked).then(() => true))) !== true) return exchange;
  const again = await trial.client.send(request);
  noteSent(trial, asked, again);
  return again;
}

/** The statements that a request to an operation rests on. */
export function restsOf({ does, request }: Operation): Address[] {
  return [does.address, ...(request ? [request.body.address, request.media.address] : [])];
}

/** Why an operation cannot be exercised; null where it can. */
export const heldUp = once((of: Specification, operation: Operation): string | null => {
  if (operation.does.kind === 'open') return `what it does is open (${operation.does.address})`;
  const beyond = unexercised(of, operation);
  if (beyond.length > 0)
    return `not exercised by this version: ${beyond.map((one) => one.address).join(', ')}`;
  const change = stated(operation.does);
  const one = change?.subject.kind === 'one' && !['create', 'list'].includes(change.verb);
  return one && !singlesOut(operation) && !isSaid(change.qualifiers.where)
    ? 'its parameters single out no one item'
    : null;
});

/** The operations that can be exercised and do this; `every` for the verb on all items. */
export const operationsFor = once(
  (
    of: Specification,
    resource: Resource,
    verb: string,
    kind: 'one' | 'every' = 'one',
  ): readonly Operation[] => {
    return of.operations.filter((operation) => {
      const change = stated(operation.does);
      const fits =
        operation.subject?.name === resource.name && change?.verb === verb && change.subject.kind === kind;
      return fits && heldUp(of, operation) === null;
    });
  },
);

/** The first of them: the one that others are seen through. */
export function operationFor(of: Specification, resource: Resource, verb: string): Operation | null {
  return operationsFor(of, resource, verb)[0] ?? null;
}
