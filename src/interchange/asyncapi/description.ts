import { drop, type Entry, get, type Mapping, mapping, type Node, put, scalar } from '../../source/node.ts';
import { Losses } from '../losses.ts';
import {
  type Description,
  joined,
  type ReadFile,
  readTree,
  type Way,
  wrongVersion,
} from '../openapi/description.ts';
import { type Place, Places, raw, textIn } from '../openapi/place.ts';
import { proseOf } from '../openapi/prose.ts';
import { isSame } from '../openapi/same.ts';
import { freeName, kindName } from '../openapi/webhooks.ts';
import { type Channel, channelsIn, type Message, namedMaps } from './channels.ts';
import { losing } from './losing.ts';
import { foreignIn, payloadOf } from './payload.ts';
import { saidOf } from './traits.ts';

/**
 * Reads an AsyncAPI description (2.0 to 2.6, 3.0 and 3.1) in YAML or JSON, with the files to which it refers, as one of
 * OpenAPI: what the service sends is a webhook, whose schema refers to that of the message. So every value stays where it
 * stands, and has its pointer. What has no counterpart is a loss.
 *
 * @param file the name to show in messages
 * @param readFile reads the other files. Default: there are none
 * @throws Unreadable
 */
export function readAsyncApi(file: string, content: string, readFile: ReadFile = () => null): Description {
  const tree = readTree(file, content, ['asyncapi']);
  const { source, version } = tree;
  if (!/^(2\.[0-6]|3\.[01])(\.|$)/.test(version))
    throw wrongVersion('AsyncAPI', tree, '2.0 to 2.6, 3.0 and 3.1');
  const isTwo = version.startsWith('2');
  const root = joined(tree, readFile, foreignIn);
  const description = { text: source, root, format: 'AsyncAPI', version } as const;
  const places = new Places(description);
  const losses = new Losses();
  const channels = channelsIn(places, isTwo, losses);
  const kinds = kindsIn(channels, places, isTwo, losses);
  losing(places, channels, isTwo, losses);
  const at = (raw(places.root, 'channels') ?? places.root).node.span;
  const sent = [...new Set(kinds.values())].map(({ kind, message }): [string, Entry] => [
    kind,
    webhookOf(message, places, isTwo),
  ]);
  return {
    ...description,
    root: withWebhooks(root, sent.length > 0 ? mapping(sent, at) : undefined),
    losses: losses.all,
    ways: waysOf(channels, kinds, places),
  };
}

/**
 * The description with webhooks, and without what stands for something else in OpenAPI: ways to show who may connect to a
 * broker are no schemes of HTTP.
 */
function withWebhooks(root: Mapping, webhooks: Mapping | undefined): Mapping {
  const entries = [...root.entries].filter(([name]) => !apart.includes(name) && !name.startsWith('x-'));
  const plain = mapping(entries, root.span);
  const components = get(plain, 'components');
  const open =
    components?.kind === 'map' ? put(plain, 'components', drop(components, 'securitySchemes')) : plain;
  return webhooks ? put(open, 'webhooks', webhooks) : open;
}

/** Keys with which OpenAPI means something else, or that AsyncAPI does not have. */
const apart = ['servers', 'security', 'paths', 'webhooks'];

/** A message that the service sends, as a kind of event. */
interface Kind {
  readonly kind: string;
  /** The name that it would have had, if no other message had it. */
  readonly wanted: string;
  readonly message: Message;
}

/** The kinds of events, by the pointers of the messages. Messages of one name that are the same are one kind. */
function kindsIn(
  channels: readonly Channel[],
  places: Places,
  isTwo: boolean,
  losses: Losses,
): ReadonlyMap<string, Kind> {
  const found = new Map<string, Kind>();
  const sending = channels.flatMap(({ operations }) => operations.filter(({ isSent }) => isSent));
  for (const message of sending.flatMap(({ messages }) => messages)) {
    const { pointer } = message.place;
    if (found.has(pointer)) continue;
    const name = nameOf(message, places, isTwo);
    const wanted = kindName(name);
    const same = [...found.values()].find(
      (each) => each.wanted === wanted && isSame(each.message.place, message.place, places),
    );
    if (same === undefined && wanted !== name)
      losses.add('spelling', 'a name that no kind of event can have', pointer);
    const kind = same?.kind ?? freeName(wanted, new Set([...found.values()].map((each) => each.kind)));
    if (same === undefined && kind !== wanted)
      losses.add('spelling', 'a name that another message has', pointer);
    found.set(pointer, same ?? { kind, wanted, message });
  }
  return found;
}

function nameOf({ place, names }: Message, places: Places, isTwo: boolean): string {
  const own = ['name', 'messageId'].map((name) => saidOf(places, place, name, isTwo));
  const [said] = own.filter((each) => each?.node.kind === 'scalar' && each.node.value !== null);
  return said?.node.kind === 'scalar' ? said.node.written : (names[0] as string);
}

/** A message as a webhook. */
function webhookOf({ place }: Message, places: Places, isTwo: boolean): Entry {
  const { span } = place.node;
  const map = (entries: Readonly<Record<string, Node | undefined>>): Node =>
    mapping(
      Object.entries(entries).flatMap(([name, value]): [string, Entry][] =>
        value === undefined ? [] : [[name, { key: span, value }]],
      ),
      span,
    );
  const said = (name: string): Node | undefined => saidOf(places, place, name, isTwo)?.node;
  const { schema } = payloadOf(places, place, isTwo);
  const usual = textIn(places.root, 'defaultContentType') ?? 'application/json';
  const type = said('contentType');
  const media = type?.kind === 'scalar' && type.value !== null ? type.written : usual;
  const content = map({ [media]: map({ schema: schema && referenceTo(schema) }) });
  const post = map({
    title: said('title'),
    summary: said('summary'),
    description: said('description'),
    requestBody: map({ content }),
  });
  return { key: span, value: map({ post }) };
}

function referenceTo({ pointer, node: { span } }: Place): Node {
  const ref = `#${pointer.split('/').map(encodeURIComponent).join('/')}`;
  return mapping([['$ref', { key: span, value: scalar(ref, span) }]], span);
}

/** The channels by which something is sent, each with a question: which way is that? */
function waysOf(
  channels: readonly Channel[],
  kinds: ReadonlyMap<string, Kind>,
  places: Places,
): readonly Way[] {
  const taken = new Set<string>();
  return channels.flatMap(({ name, address, place, operations }): Way[] => {
    const sending = operations.filter(({ isSent }) => isSent);
    const pointers = sending.flatMap(({ messages }) => messages.map((each) => each.place.pointer));
    const told = [...new Set(pointers.flatMap((pointer) => kinds.get(pointer)?.kind ?? []))];
    if (told.length === 0) return [];
    const own = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^[^A-Za-z]+|-+$/g, '');
    const where = address === null ? 'others' : plainOf(address);
    const by = protocolsOf(places, place).map((each) => ` by ${each}`);
    const prose = [place, ...sending.map((each) => each.place)].map(proseOf).filter((text) => text !== '');
    return [
      {
        name: freeName(own === '' ? 'channel' : own, taken),
        question: `how ${told.length === 1 ? 'does' : 'do'} ${some(told)} get to ${where}${by.join(' or')}?`,
        prose: [...new Set(prose)].join(' '),
        at: place.node.span,
      },
    ];
  });
}

/** How many kinds a question names. */
const mostNamed = 3;

function some(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown;
}

function plainOf(text: string): string {
  return text
    .replaceAll(/[`"$\s]+/g, ' ')
    .trim()
    .slice(0, 120);
}

/** The protocols of the servers of a channel; of all, if it names none. */
function protocolsOf(places: Places, channel: Place): readonly string[] {
  const all = namedMaps(places, places.root, 'servers');
  const own = places.elements(raw(channel, 'servers'));
  const named = own.map(({ node, pointer }) => (node.kind === 'scalar' ? node.written : pointer));
  const those = all.filter(
    ([name, { pointer }]) => named.length === 0 || named.includes(name) || named.includes(pointer),
  );
  return [...new Set(those.map(([, server]) => textIn(server, 'protocol')))].flatMap((each) =>
    each === undefined ? [] : [plainOf(each)],
  );
}
