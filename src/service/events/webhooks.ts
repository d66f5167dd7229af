import { compileTemplate, type Frame } from '../../expression/compile.ts';
import { pathsRead } from '../../expression/expression.ts';
import { place, query } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { expressionsIn } from '../../expression/template.ts';
import { ownMember } from '../../source/node.ts';
import { signingKeysIn } from '../../specification/model/signing-keys.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Delivery, Held } from '../../specification/vocabulary/delivery.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { compileFields } from '../content/content.ts';
import { environmentOf, type Writers } from '../content/render.ts';
import { type Indexes, indexesOf } from '../list/indexes.ts';
import type { KeptResource, RowItem } from '../resource/kept.ts';
import { compileConditions } from '../resource/where.ts';
import { statement } from '../store/rows.ts';
import type { Key, Reads, Row, Store, Transaction } from '../store/store.ts';
import { canonical } from '../value/canonical.ts';
import { contentAs, mediaOf } from './content.ts';
import { gone, type Outcome, type Way } from './courier/way.ts';
import { type Event, eventNames, eventOf, eventTable } from './event.ts';
import { type ContentOf, noVersion, nameOf as versionNameOf } from './payloads.ts';
import { NoAddress, type Poster } from './post.ts';
import { compileSign, type Sign } from './sign.ts';
import type { Dispatch } from './ways.ts';

type Stated = Extract<Delivery, { readonly kind: 'webhook' }>;

/** A webhook, compiled: what is decided with the change, and how it is sent. */
export interface Webhook {
  readonly dispatch: Dispatch;
  readonly way: (sending: Sending) => Way;
}

/** What compiling takes. */
export interface Compiling {
  readonly events: Events;
  readonly writers: Writers;
  readonly model: Model;
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly contentOf: ContentOf;
  /** Hears of what is not sent. */
  readonly fault: (error: unknown) => void;
}

/** What sending takes. */
export interface Sending {
  readonly store: Store;
  readonly poster: Poster;
  /** Milliseconds since 1970. */
  readonly milliseconds: () => number;
  readonly frame: (reads: Reads | undefined, names: Readonly<Record<string, unknown>>) => Frame;
  /** What is the operator's to say, by the name of the delivery. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Makes a move of an item that no request asks for; false: it is refused. */
  readonly move: (tx: Transaction, resource: string, key: Key, transition: string) => boolean;
}

/** How long an answer is waited for where that is open: the host's to say, in milliseconds. */
const timeoutMs = 15_000;

/** What is noted of an event for a webhook: header fields, and what changed, where the signature reads it. */
interface Note {
  readonly headers?: readonly string[];
  readonly item?: Row | null;
}

/** A message that is ready but for its signature. */
interface Ready {
  readonly event: Event;
  readonly url: string;
  readonly keys: readonly string[];
  readonly content: string | null | undefined;
}

/** What is decided of a webhook when the document is read. */
interface Decided {
  readonly name: string;
  readonly delivery: Stated;
  readonly compiling: Compiling;
  readonly to: Held;
  /** The resource whose items hold the addresses. Undefined: the address is the operator's to say. */
  readonly kept: KeptResource | undefined;
  /** Null: nothing signs it. */
  readonly sign: Sign | null;
  readonly media: string | undefined;
  readonly versionOf: ReturnType<typeof compileTemplate> | undefined;
}

/** Null where nothing is sent, since it is open to whom, or how it is signed. */
export function compileWebhook(name: string, delivery: Stated, compiling: Compiling): Webhook | null {
  const { events, writers, resources } = compiling;
  const to = stated(delivery.webhook);
  const compiled = compileSign(delivery.sign, writers);
  const sign = delivery.sign.kind === 'stated' ? compiled : null;
  if (to === undefined || compiled === undefined || (sign && delivery.secret.kind === 'open')) return null;
  const kept = to.kind === 'field' ? resources.get(to.resource) : undefined;
  if (to.kind === 'field' && (kept === undefined || kept.keyFields.length === 0)) return null;
  const version = stated(delivery.version);
  const decided: Decided = {
    ...{ name, delivery, compiling, to, kept, sign: sign ?? null },
    media: mediaOf(events, delivery.media),
    versionOf: version && compileTemplate(version.template, environmentOf(writers)),
  };
  return {
    dispatch: {
      name,
      order: stated(delivery.order) ?? 'item',
      targets: kept ? compileTargets(kept, delivery, compiling) : () => [{ target: '' }],
      note: compileNote(decided),
    },
    way: (sending) => wayOf(decided, sending),
  };
}

/** What is noted of an event when it happens; undefined: nothing. */
function compileNote({ delivery, compiling, sign }: Decided): NonNullable<Dispatch['note']> {
  const fields = stated(delivery.headers);
  const headers = compileFields(fields, environmentOf(compiling.writers));
  const hasHeaders = (fields?.size ?? 0) > 0;
  const signsItem = sign !== null && readsItem(delivery);
  return (frame: Frame, item: RowItem | null): Note | undefined =>
    hasHeaders || signsItem
      ? {
          ...(hasHeaders && { headers: headers(frame, compiling.fault) }),
          ...(signsItem && { item: item?.row ?? null }),
        }
      : undefined;
}

function wayOf(decided: Decided, sending: Sending): Way {
  const { delivery, kept, name } = decided;
  const success = stated(delivery.success);
  const pauses = stated(delivery.retries) ?? [];
  const waitMs = stated(delivery.timeout) ?? timeoutMs;
  // How many attempts there are has to be stated for one of them to be the last.
  const exhausted = delivery.retries.kind === 'open' ? undefined : stated(delivery.exhausted)?.text;
  const attempt = async (target: string, id: string, stop: AbortSignal): Promise<Outcome> => {
    const ready = await readyFor(decided, sending, target, id);
    if (ready === null || ready.content === null) return gone;
    if (ready.content === undefined) return { arrived: false, last: noVersion };
    const content = contentAs(decided.media, ready.content);
    const noted = ready.event.ways?.[name] as Note | undefined;
    try {
      const type = decided.media === undefined ? [] : ['Content-Type', decided.media];
      const signature = await signatureOf(decided, sending, ready, content, noted);
      const status = await sending.poster.post({
        url: ready.url,
        headers: [...type, ...(noted?.headers ?? []), ...signature],
        content,
        timeoutMs: waitMs,
        isOperators: decided.to.kind === 'operator',
        stop,
      });
      const isGood = success ? success.includes(status) : status >= 200 && status < 300;
      return { arrived: isGood, last: String(status) };
    } catch (error) {
      const isLast = error instanceof NoAddress;
      return { arrived: false, last: (error as Error).message, ...(isLast && { isLast }) };
    }
  };
  return {
    attempt,
    pause: (tries) => pauses[tries - 1] ?? null,
    ...(kept &&
      exhausted && {
        exhausted: (tx: Transaction, target: string) =>
          sending.move(tx, kept.name, JSON.parse(target) as Key, exhausted.slice(kept.name.length + 1)),
      }),
  };
}

/** What is to be sent to a target; null: it is not there any more, or holds no address. */
async function readyFor(
  { name, delivery, compiling, to, kept, sign, versionOf }: Decided,
  { store, frame, addresses, secrets }: Sending,
  target: string,
  id: string,
): Promise<Ready | null> {
  return await store.read((reads) => {
    const row = reads.find(eventTable.name, [id]);
    const holder = kept ? reads.find(kept.name, JSON.parse(target) as Key) : null;
    if (row === null || (kept && holder === null)) return null;
    const item = kept && holder ? kept.item(holder, () => frame(reads, {})) : null;
    const given = (held: Held | undefined, operators: string | undefined): unknown =>
      held?.kind === 'field' ? item?.member(held.field) : held && operators;
    const url = given(to, addresses[name]);
    if (typeof url !== 'string') return null;
    const event = eventOf(row);
    const version = versionNameOf(versionOf?.(frame(reads, { this: item })));
    const keys = sign ? keysOf(given(stated(delivery.secret), secrets[name]), delivery) : [];
    return { event, url, keys, content: compiling.contentOf(event, version) };
  });
}

/** The header fields that sign a message; none: it has no key. */
async function signatureOf(
  { sign, compiling }: Decided,
  { milliseconds, frame }: Sending,
  { event, keys }: Ready,
  content: string,
  noted: Note | undefined,
): Promise<readonly string[]> {
  if (sign === null || keys.length === 0) return [];
  const at = milliseconds();
  const resource = event.item && compiling.resources.get(event.item[0]);
  const item = resource && noted?.item ? resource.item(noted.item, () => frame(undefined, {})) : null;
  const names = eventNames(event, item);
  const now = new Date(at).toISOString();
  return await sign(
    {
      id: event.id,
      content,
      at,
      frame: (more) => frame(undefined, { now, event: { ...names, ...more } }),
    },
    keys,
  );
}

/** The condition on the items whose addresses an event goes to; undefined: all of them. */
function conditionsOf(kept: KeptResource, { where }: Stated, { model, writers }: Compiling) {
  const { row, condition } = compileConditions(kept, model, environmentOf(writers), []);
  const template = stated(where)?.template;
  const [first] = template ? expressionsIn(template).map(condition) : [];
  return { row, condition: first };
}

/** The indexes by which it is found where an event goes. */
export function webhookIndexes(delivery: Stated, compiling: Compiling): Indexes {
  const to = stated(delivery.webhook);
  const kept = to?.kind === 'field' ? compiling.resources.get(to.resource) : undefined;
  if (kept === undefined || kept.keyFields.length === 0) return new Map();
  const { row, condition } = conditionsOf(kept, delivery, compiling);
  return indexesOf({ row, always: condition ? [condition.node] : [], filters: [], order: [], sorts: [] });
}

/** The items whose addresses an event goes to: those for which `where` holds in the transaction of the change. */
function compileTargets(kept: KeptResource, delivery: Stated, compiling: Compiling): Dispatch['targets'] {
  const { row, condition } = conditionsOf(kept, delivery, compiling);
  const all = statement(
    query(row, { where: condition?.node ?? null, order: [{ by: place(row), descending: false }] }),
  );
  const owner = compileOwner(kept);
  return ({ tx }, frame) => {
    const values: unknown[] = [];
    condition?.fill(values, frame);
    return tx
      .rows(all, values)
      .map((found) => ({ target: JSON.stringify(found.key), owner: owner?.(found) }));
  };
}

/** Whose an item is, as its fields say that are set from `actor` alone when it is made; null: none is. */
function compileOwner(kept: KeptResource): ((row: Row) => string | undefined) | null {
  const fields = [...kept.resource.fields.values()].filter(({ create }) => isActor(stated(create)));
  if (fields.length === 0) return null;
  return (row) => {
    const members = kept.members(row);
    const values = fields.map(({ name }) => ownMember(members, name));
    return values.every((value) => value === null) ? undefined : canonical(values);
  };
}

function isActor(set: PlacedTemplate | undefined): boolean {
  const read = set ? expressionsIn(set.template).flatMap(({ syntax }) => pathsRead(syntax)) : [];
  return read.length > 0 && read.every(([first]) => first === 'actor');
}

/** Whether a signature reads what changed. */
function readsItem({ sign }: Stated): boolean {
  const own = stated(sign);
  if (own?.kind !== 'hmac') return false;
  return [own.over, own.as]
    .flatMap((said) => expressionsIn(stated(said)?.template ?? { kind: 'literal', value: null }))
    .some(({ syntax }) => pathsRead(syntax).some(([first, name]) => first === 'event' && name === 'item'));
}

/** The keys that a value holds: a text, or a list of texts. None: unsigned. */
function keysOf(value: unknown, delivery: Stated): readonly string[] {
  return [value].flat().flatMap((one) => (typeof one === 'string' ? signingKeysIn(one, delivery) : []));
}
