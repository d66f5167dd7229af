import type { Losses } from '../losses.ts';
import type { Description } from './description.ts';
import { isExtended } from './extensions.ts';
import { type Content, contentOf, type Described } from './operations.ts';
import { branch, hosted, leaf, type Piece } from './piece.ts';
import { type Place, type Places, textIn } from './place.ts';
import { descriptionOf, descriptionWith, firstLine, paragraphsOf, proseOf } from './prose.ts';
import { isSame } from './same.ts';
import { propertiesOf, type Shaping } from './shape.ts';
import { summaryOfName } from './summary.ts';

/** An event of which a description says what is sent. */
export interface Told {
  readonly kind: string;
  readonly description: Description;
  /** The map of all of the description; or the callback. */
  readonly webhooks: Place;
  /** The address of a callback, over the request that asks for it (OpenAPI 3.1 §4.8.20.4). Undefined: it is a webhook. */
  readonly address: string | undefined;
  readonly post: Place;
  readonly isCloudEvent: boolean;
  /** What tells of the event: of a CloudEvent, its `data`. Undefined: nothing is said. */
  readonly schema: Place | undefined;
}

/** The kinds of events of all descriptions, each once. */
export function toldIn(places: Places, operations: readonly Described[], losses: Losses): readonly Told[] {
  const found = new Map<string, Told>();
  const add = (name: string, item: Place, told: Pick<Told, 'description' | 'webhooks' | 'address'>): void => {
    const post = places.member(item, 'post');
    if (post === undefined) {
      losses.add('gap', 'a webhook that is no POST', item.pointer);
      return;
    }
    const kind = kindName(name);
    if (kind !== name) losses.add('spelling', 'a name that no kind of event can have', item.pointer);
    const body = places.member(post, 'requestBody');
    const content = body && contentOf(body, places, losses);
    const one = { kind, post, ...told, ...messageIn(content, places) };
    const before = found.get(kind);
    if (before === undefined) found.set(kind, one);
    else if (!isSameEvent(before, one, places))
      losses.add('gap', 'another event with the name of a kind', post.pointer);
  };
  for (const [description, root] of places.described) {
    const webhooks = places.member(root, 'webhooks');
    for (const [name, item] of places.entries(webhooks))
      add(name, item, { description, webhooks: webhooks as Place, address: undefined });
  }
  const [[description]] = places.described as [(typeof places.described)[0]];
  for (const { place } of operations)
    for (const [name, callback] of places.members(places.member(place, 'callbacks')))
      for (const [address, item] of places.members(callback))
        add(name, item, { description, webhooks: callback, address });
  return [...found.values()];
}

function messageIn(content: Content | undefined, places: Places): Pick<Told, 'isCloudEvent' | 'schema'> {
  const schema = content?.schema;
  const isCloudEvent = /^application\/cloudevents\+json\b/i.test(content?.media ?? '');
  const data = isCloudEvent && schema ? propertiesOf(places.followed(schema), places).get('data') : schema;
  return { isCloudEvent, schema: data };
}

function isSameEvent({ schema }: Told, { schema: other }: Told, places: Places): boolean {
  return schema === undefined || other === undefined || isSame(schema, other, places);
}

/** A name as a kind of event has it (language §A.5): `user/signed-up` is `user-signed-up`. */
export function kindName(name: string): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z]+/, '')
    .replace(/-+$/, '');
  return plain === '' ? 'event' : plain;
}

/** Part 6: what is told. What brings it about, with which values, and how it gets to others, is asked. */
export function eventsPiece(told: readonly Told[], shaping: Shaping): Piece | undefined {
  const [first] = told;
  if (first === undefined) return undefined;
  const kinds = told.map((each): [string, Piece] => [each.kind, kindPiece(each, shaping)]);
  const { span } = first.webhooks.node;
  return branch(span, {
    kinds: branch(span, Object.fromEntries(kinds)),
    envelope: told.every(({ isCloudEvent }) => isCloudEvent) ? leaf('cloudevents', span) : undefined,
    delivery: branch(span, Object.fromEntries(waysOf(told))),
  });
}

function kindPiece({ kind, post, schema, description }: Told, shaping: Shaping): Piece {
  const { span } = post.node;
  const said = firstLine(textIn(post, 'summary') ?? textIn(post, 'description'), 100);
  const asked = branch(span, {
    by: leaf(`(open) what brings it about${said === '' ? '' : `: ${said}`}?`, span),
    body: leaf(`(open) ${bodyQuestion(schema, post, shaping)}`, schema?.node.span ?? span),
    description: description.format === 'OpenAPI' ? kindDescription(kind, post, shaping) : undefined,
  });
  return hosted(asked, post);
}

/** What people read about a webhook, with what receivers answer. Undefined: nothing; or it follows from statements of ours. */
function kindDescription(kind: string, post: Place, { places }: Shaping): Piece | undefined {
  if (isExtended(places.root)) return undefined;
  const body = places.member(post, 'requestBody');
  const said = paragraphsOf([
    descriptionOf(post, ['operationId', 'tags', 'responses'], summaryOfName(kind)) ?? '',
    (body && descriptionWith(body, places.members(places.member(body, 'content'))[0]?.[1], places)) ?? '',
  ]);
  return said === undefined ? undefined : leaf(said, post.node.span);
}

/** Which values an event tells, by the name of their shape, or by the members. */
function bodyQuestion(schema: Place | undefined, post: Place, { places, names, losses }: Shaping): string {
  if (schema === undefined) return 'which values does it tell?';
  const place = places.followed(schema);
  const name = names.get(place.pointer);
  if (name !== undefined) {
    losses.add('open', 'which values an event tells, its shape being stated', place.pointer);
    return `which ${name} does it tell?`;
  }
  losses.add('gap', 'the shape of a webhook', post.pointer);
  const members = [...propertiesOf(place, places).keys()].join(', ');
  return `which values does it tell${members === '' ? '' : `: ${firstLine(members, 100)}`}?`;
}

/** How events leave: an OpenAPI description knows of webhooks alone, and of callbacks to an address that a request gives. */
function waysOf(told: readonly Told[]): readonly (readonly [string, Piece])[] {
  const taken = new Set<string>();
  return [...Map.groupBy(told, ({ description }) => description)].flatMap(([{ ways }, all]) => {
    if (ways !== undefined)
      return ways.map(
        ({ name, question, at }) => [freeName(name, taken), leaf(`(open) ${question}`, at)] as const,
      );
    return [...Map.groupBy(all, ({ address }) => address)].map(([address, [first]]) => {
      const { span } = (first as Told).webhooks.node;
      const given = address === undefined ? '' : `: ${firstLine(address, 100)}`;
      const webhook = leaf(`(open) which addresses is it sent to${given}?`, span);
      return [
        freeName(address === undefined ? 'webhooks' : 'callbacks', taken),
        branch(span, { webhook }),
      ] as const;
    });
  });
}

/** The name, or with the lowest number that nothing has yet. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}${count}`;
  taken.add(free);
  return free;
}

/** What people read about events and the ways in which they leave, a line each. */
export function eventsProse(told: readonly Told[]): readonly string[] {
  const ways = new Set(told.flatMap(({ description }) => description.ways ?? []));
  const lines = [
    ...told.flatMap(({ kind, post, description: { format } }) =>
      format === 'AsyncAPI' ? [[kind, proseOf(post)] as const] : [],
    ),
    ...[...ways].map(({ name, prose }) => [name, prose] as const),
  ];
  return lines.filter(([, prose]) => prose !== '').map(([name, prose]) => `- \`${name}\`: ${prose}`);
}
