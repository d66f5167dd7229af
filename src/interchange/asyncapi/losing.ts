import { ownMember } from '../../source/node.ts';
import type { LossClass, Losses } from '../losses.ts';
import { type Place, type Places, raw, rawMembers } from '../openapi/place.ts';
import { type Channel, mapIn, namedMaps, type Operation } from './channels.ts';
import { payloadOf } from './payload.ts';

/** What becomes of members that are not carried. `each`: of every entry that they hold. */
const lost: Readonly<Record<string, readonly [LossClass, string, 'each'?]>> = {
  servers: ['gap', 'a server', 'each'],
  parameters: ['gap', 'a parameter of an address', 'each'],
  bindings: ['gap', 'bindings of a protocol', 'each'],
  headers: ['gap', 'header fields of a message'],
  correlationId: ['gap', 'a correlation id'],
  reply: ['gap', 'a message in reply'],
  security: ['gap', 'who may connect'],
  examples: ['prose', 'examples of a message'],
  tags: ['prose', 'tags'],
  externalDocs: ['prose', 'externalDocs'],
  termsOfService: ['prose', 'termsOfService'],
  contact: ['prose', 'contact'],
  license: ['prose', 'license'],
  id: ['dropped', 'the id of the application'],
  version: ['dropped', 'the version of the description'],
};

/** The kinds of losses that such members are. */
export const lostIn: readonly (readonly [LossClass, string])[] = Object.values(lost).map(([kind, what]) => [
  kind,
  what,
]);

const prose = ['title', 'summary', 'description'];

/** Members that are carried, of each kind of object. */
const carried = {
  root: ['asyncapi', 'info', 'defaultContentType', 'channels', 'operations', 'components'],
  info: ['title', 'description'],
  channel: ['address', 'messages', 'subscribe', 'publish', ...prose],
  operation: ['action', 'channel', 'message', 'messages', 'operationId', 'traits', ...prose],
  message: ['name', 'messageId', 'payload', 'contentType', 'schemaFormat', 'traits', ...prose],
} as const;

/** Registers all that a description says and that has no counterpart. */
export function losing(places: Places, channels: readonly Channel[], isTwo: boolean, losses: Losses): void {
  const losing = new Losing(places, isTwo, losses);
  losing.object(places.root, 'root');
  const info = mapIn(places, places.root, 'info');
  if (info) losing.object(info, 'info');
  for (const channel of channels) losing.channel(channel);
  losing.components();
}

class Losing {
  readonly #places: Places;
  readonly #isTwo: boolean;
  readonly #losses: Losses;
  /** What was looked at, by pointer: it is lost once, however often it is used. */
  readonly #seen = new Set<string>();

  constructor(places: Places, isTwo: boolean, losses: Losses) {
    this.#places = places;
    this.#isTwo = isTwo;
    this.#losses = losses;
  }

  /** What an object says beside what is carried. */
  object(place: Place, kind: keyof typeof carried): void {
    if (!this.#isNew(place)) return;
    const known: readonly string[] = carried[kind];
    for (const [name, member] of rawMembers(place)) {
      if (known.includes(name)) continue;
      const unknown = name.startsWith('x-') ? 'an extension' : `the key ${name}`;
      const said = ownMember(lost, name);
      const [loss, what, each] = said ?? ['dropped', unknown];
      // An extension may hold anything, so nothing in it refers to anything.
      const place = said ? this.#places.followed(member) : member;
      const all = each && place.node.kind === 'map' ? this.#places.entries(place) : [[name, place] as const];
      for (const [, inner] of all)
        if ((each || !isEmpty(inner)) && this.#isNew(inner)) this.#losses.add(loss, what, inner.pointer);
    }
  }

  channel({ place, operations }: Channel): void {
    this.object(place, 'channel');
    if (operations.length === 0) this.#losses.add('gap', 'a channel that no operation uses', place.pointer);
    for (const operation of operations) this.#operation(operation);
    for (const [, message] of namedMaps(this.#places, place, 'messages'))
      if (this.#isNew(message)) this.#losses.add('gap', 'a message that no operation uses', message.pointer);
  }

  #operation({ place, isSent, messages }: Operation): void {
    this.object(place, 'operation');
    for (const trait of this.#places.elements(raw(place, 'traits'))) this.object(trait, 'operation');
    for (const { place: message } of messages) {
      if (isSent) this.#message(message);
      else this.#losses.add('gap', 'a message that the service receives', message.pointer);
      this.#isNew(message);
    }
  }

  #message(place: Place): void {
    this.object(place, 'message');
    for (const trait of this.#places.elements(raw(place, 'traits'))) this.object(trait, 'message');
    const { foreign } = payloadOf(this.#places, place, this.#isTwo);
    if (foreign !== undefined) this.#losses.add('gap', `a schema in ${foreign}`, place.pointer);
  }

  /** Components beside schemas, which are carried: what nothing used is not looked at. */
  components(): void {
    const components = mapIn(this.#places, this.#places.root, 'components');
    for (const [section, holder] of rawMembers(components)) {
      if (section === 'schemas') continue;
      for (const [, member] of rawMembers(holder))
        if (section === 'securitySchemes') this.#losses.add('gap', 'a security scheme', member.pointer);
        else if (this.#isNew(member))
          this.#losses.add('dropped', `a component that nothing uses, in ${section}`, member.pointer);
    }
  }

  #isNew({ pointer }: Place): boolean {
    const isNew = !this.#seen.has(pointer);
    this.#seen.add(pointer);
    return isNew;
  }
}

function isEmpty({ node }: Place): boolean {
  if (node.kind === 'scalar') return node.value === null;
  return node.kind === 'map' ? node.entries.size === 0 : node.items.length === 0;
}
