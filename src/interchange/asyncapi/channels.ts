import type { Losses } from '../losses.ts';
import { type Place, type Places, raw, rawElements, rawMembers, textIn } from '../openapi/place.ts';
import { decoded } from '../openapi/pointer.ts';
import { Unreadable } from '../openapi/unreadable.ts';

/** A channel of AsyncAPI, with what a service sends by it and what it receives. */
export interface Channel {
  readonly name: string;
  /** Null: it is known only when the service runs (AsyncAPI 3.0, Channel Object). */
  readonly address: string | null;
  readonly place: Place;
  readonly operations: Operation[];
}

export interface Operation {
  readonly place: Place;
  readonly isSent: boolean;
  readonly messages: readonly Message[];
}

export interface Message {
  readonly place: Place;
  /** What it may be called if it has no `name` of its own, the best one first. */
  readonly names: readonly string[];
}

/** The channels of a description, in its order. Throws {@link Unreadable} where something is no map that has to be one. */
export function channelsIn(places: Places, isTwo: boolean, losses: Losses): readonly Channel[] {
  const found = namedMaps(places, places.root, 'channels').map(([name, place]): Channel => {
    const address = isTwo ? name : textIn(place, 'address');
    const operations = isTwo ? operationsOfTwo(places, name, place) : [];
    return { name, address: address ?? null, place, operations };
  });
  return isTwo ? found : withOperations(places, found, losses);
}

/** In AsyncAPI 2, what others subscribe to is sent, and what they publish is received. */
function operationsOfTwo(places: Places, name: string, channel: Place): Operation[] {
  return ['subscribe', 'publish'].flatMap((verb): Operation[] => {
    const place = mapIn(places, channel, verb);
    if (place === undefined) return [];
    const names = [textIn(place, 'operationId') ?? name, name];
    const said = raw(place, 'message');
    const several = said && raw(places.followed(said), 'oneOf');
    const all = several ? rawElements(several) : said ? [said] : [];
    const messages = all.map((each) => messageAt(places, each, names));
    return [{ place, isSent: verb === 'subscribe', messages }];
  });
}

/** In AsyncAPI 3, an operation says what is done with some of the messages of a channel, or with all. */
function withOperations(places: Places, channels: readonly Channel[], losses: Losses): readonly Channel[] {
  const byPointer = new Map(channels.map((each) => [each.place.pointer, each]));
  for (const [key, place] of namedMaps(places, places.root, 'operations')) {
    const at = mapIn(places, place, 'channel');
    if (at === undefined) {
      losses.add('gap', 'an operation of no channel', place.pointer);
      continue;
    }
    const name = lastOf(at.pointer);
    const channel = byPointer.get(at.pointer) ?? {
      name,
      address: textIn(at, 'address') ?? null,
      place: at,
      operations: [],
    };
    byPointer.set(at.pointer, channel);
    const some = raw(place, 'messages');
    if (some && some.node.kind !== 'list')
      throw wrongForm(some, 'messages', 'a list of references to messages of the channel');
    const all = some ? rawElements(some) : rawMembers(mapIn(places, at, 'messages')).map(([, each]) => each);
    const messages = all.map((each) => messageAt(places, each, [key]));
    channel.operations.push({ place, isSent: actionOf(place) === 'send', messages });
  }
  return [...byPointer.values()];
}

function actionOf(operation: Place): string {
  const action = textIn(operation, 'action') ?? '';
  if (['send', 'receive'].includes(action)) return action;
  throw wrongForm(raw(operation, 'action') ?? operation, 'action', 'send or receive');
}

function messageAt(places: Places, said: Place, names: readonly string[]): Message {
  const place = places.followed(said);
  if (place.node.kind !== 'map') throw wrongForm(said, 'a message', 'a map');
  const [holder, key] = place.pointer.split('/').slice(-2);
  return {
    place,
    names: holder === 'messages' || holder === 'schemas' ? [decoded(key as string), ...names] : names,
  };
}

function lastOf(pointer: string): string {
  return decoded(pointer.split('/').at(-1) as string);
}

/** The maps that a map holds by name, each with what it refers to. */
export function namedMaps(
  places: Places,
  holder: Place,
  name: string,
): readonly (readonly [string, Place])[] {
  const holding = mapIn(places, holder, name);
  return rawMembers(holding).map(([key, member]) => {
    const place = places.followed(member);
    if (place.node.kind !== 'map') throw wrongForm(member, key, 'a map');
    return [key, place] as const;
  });
}

/** A member that is a map, with what it refers to. Undefined: there is none. */
export function mapIn(places: Places, holder: Place, name: string): Place | undefined {
  const place = places.member(holder, name);
  if (place !== undefined && place.node.kind !== 'map')
    throw wrongForm(raw(holder, name) as Place, name, 'a map');
  return place;
}

const kinds = { scalar: 'a single value', list: 'a list', map: 'a map' } as const;

function wrongForm({ node }: Place, what: string, wanted: string): Unreadable {
  const found = node.kind === 'scalar' ? `${kinds.scalar}, ${node.written.slice(0, 40)}` : kinds[node.kind];
  return new Unreadable('description-form', `${what} is ${wanted}, and this is ${found}`, node.span);
}
