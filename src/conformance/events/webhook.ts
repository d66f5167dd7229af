import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Check, type Claim, Unreached } from '../check.ts';
import { closed, stating } from '../guards.ts';
import { type Item, isHole } from '../partly.ts';
import { type Names, workOut } from '../solve.ts';
import type { Trial } from '../trial.ts';
import { fits, fitsField, shownAs } from '../unify.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';
import { eventOf, toldOf } from './checks.ts';
import { kindOf, versionFor } from './content.ts';
import { bodyOf, contentIn, fieldIn, fieldsOf, idIn, namesOfEvent, type Telling } from './expected.ts';
import { isMeant, isOfOwner, keep, keeperOf, letGo, namesOfComing, type Webhook } from './hooks.ts';
import type { Wanted } from './kinds.ts';
import type { Inbox, Posted, Receiver, Reply } from './receiver.ts';
import { verified } from './signature.ts';
import type { Heard } from './story.ts';
import type { Coming, Observer, Observing, Told } from './told.ts';

/** What comes to an address of the tester's own. */
export interface Receiving extends Observing {
  readonly inbox: Inbox;
  /** The items that keep the address. */
  readonly keepers: readonly Item[];
  /** What signs the messages of an event; an empty list: nothing does. Undefined: that is not known. */
  readonly keys: (names: Names) => readonly string[] | undefined;
  readonly claim: (told: Told, heard: Heard, wanted: Wanted) => Claim;
}

/** What observes a webhook: each time an address that nobody had before, kept as it is stated. */
export interface WebhookObserver extends Observer {
  /** @param reply answers each message, by how many came before @param strange which way of being a stranger it has */
  readonly receive: (
    coming: Coming,
    reply?: (posted: Posted, index: number) => Reply,
    strange?: number,
  ) => Promise<Receiving>;
}

export function webhookObserver(
  telling: Telling,
  about: Pick<Observer, 'name' | 'address' | 'at'>,
  delivery: Webhook,
): WebhookObserver {
  const { trial, events } = telling;
  const { address } = about;
  const keeper = keeperOf(trial, delivery);
  const good = stated(delivery.success)?.[0] ?? 204;
  let silence = (): string | null => null;
  const receive: WebhookObserver['receive'] = async (coming, reply = () => ({ status: good }), strange) => {
    const receiver = await trial.listening.receiver();
    const { Webhook: maker } = await import('standardwebhooks');
    const path = keeper ? trial.fresh.random.letters(20) : about.name;
    const inbox = receiver.inbox(path, reply);
    silence = () => (receiver.count() > 0 || receiver.isGiven ? null : nothingCame(receiver.trouble(), url));
    const url = addressAt(trial, delivery, receiver, inbox);
    const names = namesOfComing(events, coming);
    const isApart = isOfOwner(trial, delivery);
    const as = isApart ? coming.as : undefined;
    const keeping = { delivery, url, names, as, ...(strange !== undefined && { strange }) };
    const hooks = keeper ? [await keep(trial, keeping)] : [];
    const keysFor = (names: Names): readonly string[] | undefined => {
      const meant = hooks.length > 1 ? hooks.filter((one) => isMeant(delivery, one, names) === true) : hooks;
      return meant.length > 1 ? undefined : keysOf(trial, about.name, delivery, meant[0] ?? null);
    };
    const owners = [as ?? trial.persona];
    const of = { ...telling, delivery };
    return {
      inbox,
      keepers: hooks,
      keys: keysFor,
      get told() {
        const posted = inbox.posted.map((one) => toldBy(delivery, one));
        return firstOf(of, posted, hooks.length > 1);
      },
      more: inbox.more,
      due: (about) => all(meant(trial, address, delivery, hooks, about), isOfVersion(trial, delivery, hooks)),
      widen: async (other) => {
        if (!isApart || owners.includes(other)) return;
        owners.push(other);
        hooks.push(await keep(trial, { delivery, url, names, as: other }));
      },
      claim: (told, heard, wanted) => {
        const event = eventOf(heard, wanted);
        const at = inbox.posted.find(({ headers }) => headers === told.headers)?.at ?? 0;
        const about: Names = event ? namesOfEvent(events, event) : new Map();
        return verified(delivery.sign, { told, keys: keysFor(about) ?? [], names: about, at }, maker);
      },
      close: async () => {
        inbox.close();
        for (const hook of hooks) await letGo(trial, hook);
      },
    };
  };
  return {
    ...about,
    delivery,
    receive,
    open: async (coming) => {
      if (keeper === null && !trial.listening.isPlaced)
        throw new Unreached('it is not said where the tester receives what the operator has sent there');
      return await receive(coming);
    },
    silence: () => silence(),
  };
}

function nothingCame(trouble: string | null, url: string): string {
  return trouble ?? `nothing ever came to ${url}: it may not be reached there`;
}

/** The address of an inbox, over TLS where no other may be kept. */
export function addressAt(trial: Trial, delivery: Webhook, receiver: Receiver, { path }: Inbox): string {
  return `${receiver.url(!isPlain(trial, delivery))}/${path}`;
}

/** Whether an address without TLS may be kept. */
function isPlain(trial: Trial, delivery: Webhook): boolean {
  const keeper = keeperOf(trial, delivery);
  const field = keeper?.resource.fields.get(keeper.field);
  return (
    field === undefined || trial.tools.failures(schemaOf(field.shape), 'http://127.0.0.1:80/a').length === 0
  );
}

/** What signs messages: what the item or the operator keeps. */
function keysOf(
  trial: Trial,
  name: string,
  delivery: Webhook,
  hook: Item | null,
): readonly string[] | undefined {
  const held = stated(delivery.secret);
  if (held === undefined) return undefined;
  const value = held.kind === 'operator' ? trial.listening.secrets?.[name] : hook?.known.get(held.field);
  if (value === undefined) return undefined;
  return [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(' ').filter(Boolean) : []));
}

/** Whether an event is sent to the address that items keep, as `where` has it of one of them. */
function meant(
  { of }: Trial,
  address: Address,
  delivery: Webhook,
  hooks: readonly Item[],
  names: Names,
): Truth {
  if (hooks.length === 0) return yes;
  if (delivery.where.kind === 'open') return closed(of, address);
  return stating(delivery.where, (where) => {
    if (where === null) return yes;
    const values = hooks.map((hook) => isMeant(delivery, hook, names));
    const isAny = values.includes(true);
    return !isAny && values.some(isHole)
      ? unseen('whether it is to be sent there cannot be told')
      : known(isAny, 'its `where` is not true');
  });
}

/** Whether the version is one of those that there are, whose content is wanted at the items' address. */
function isOfVersion({ of }: Trial, delivery: Webhook, hooks: readonly Item[]): Truth {
  if (stated(delivery.version) === undefined || hooks.length === 0) return yes;
  const versions = hooks.map((hook) => versionFor(of, delivery, hook));
  if (versions.every((one) => one === null)) return known(false, 'there is no such version');
  return versions.every((one) => typeof one === 'string')
    ? yes
    : unseen('of which version it is sent cannot be told');
}

/**
 * Each event once, as it came first: one that comes again under its id is the same. Where several items keep the
 * address, an event may come for each of them, and without an id the same content is the same event.
 */
function firstOf(telling: Telling, all: readonly Told[], isKeptTwice: boolean): readonly Told[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const id = idIn(telling, one) ?? (isKeptTwice ? one.content : null);
    if (id === null) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** An event as it was posted. */
export function toldBy(delivery: Webhook, { headers, content }: Posted): Told {
  const isStandard = stated(delivery.sign)?.kind === 'standard-webhooks';
  const id = isStandard ? (fieldIn(headers, 'webhook-id') ?? null) : null;
  return { id, kind: null, content, headers, subject: null };
}

/** What is to be seen of the message in which an event is posted: method, media type, header fields, signature. */
export function posted(
  telling: Telling,
  delivery: Webhook,
  wanted: Wanted,
  says: (what: string) => string,
): Check<Heard>[] {
  const isTold = (heard: Heard): Truth => (toldOf(heard, wanted) ? yes : unseen('no such event came'));
  const isCloudEvent = stated(telling.events.envelope)?.kind === 'cloudevents';
  const media = stated(delivery.media) ?? (isCloudEvent ? 'application/cloudevents+json' : undefined);
  const none = { truth: unseen('no such event came'), expected: 'a message', found: 'none' };
  const checks: Check<Heard>[] = [];
  if (media !== undefined)
    checks.push({
      name: 'event.media',
      says: says(`it is sent as ${media}`),
      cites: isCloudEvent && delivery.media.kind === 'open' ? telling.events.envelope : delivery.media,
      guard: isTold,
      claim: (heard) => {
        const found = fieldIn(toldOf(heard, wanted)?.headers ?? [], 'content-type');
        const bare = (one: string | undefined): string | undefined =>
          one?.split(';')[0]?.trim().toLowerCase();
        return {
          truth: known(bare(found) === bare(media)),
          expected: media,
          found: found ?? 'no Content-Type',
        };
      },
    });
  for (const [name, template] of fieldsOf(delivery))
    checks.push({
      name: 'event.headers',
      says: says(`it is sent with the header field ${name}`),
      cites: stated(delivery.headers)?.get(name) ?? delivery.headers,
      guard: isTold,
      claim: (heard) => {
        const [event, told] = [eventOf(heard, wanted), toldOf(heard, wanted)];
        if (event === undefined || told === undefined) return none;
        const found = fieldIn(told.headers, name);
        return {
          ...fitsField(workOut(template, namesOfEvent(telling.events, event)), found),
          found: shownAs(found),
        };
      },
    });
  const version = stated(delivery.version)?.template;
  if (version !== undefined && version.kind !== 'literal')
    checks.push({
      name: 'event.version',
      says: says('it tells what the version says that is wanted there'),
      cites: delivery.version,
      guard: isTold,
      claim: (heard) => {
        const [event, told] = [eventOf(heard, wanted), toldOf(heard, wanted)];
        const [keeper, other] = (heard.observing as Receiving).keepers;
        if (event === undefined || told === undefined || !keeper || other) return none;
        const { of } = telling.trial;
        const name = versionFor(of, delivery, keeper);
        const kind = name ? kindOf(of, name, wanted.name) : undefined;
        const content = contentIn(telling, told);
        if (kind === undefined || content === undefined)
          return { ...none, truth: unseen('of which version it is sent cannot be told') };
        return fits(bodyOf({ kind, names: event.names }), content.body);
      },
    });
  if (stated(delivery.sign))
    checks.push({
      name: 'event.signature',
      says: says('its signature can be verified'),
      cites: delivery.sign,
      guard: (heard) => all(isTold(heard), isSigned(heard, wanted)),
      claim: (heard) => {
        const told = toldOf(heard, wanted);
        return told ? (heard.observing as Receiving).claim(told, heard, wanted) : none;
      },
    });
  return checks;
}

function isSigned(heard: Heard, wanted: Wanted): Truth {
  const event = eventOf(heard, wanted);
  const keys = event && (heard.observing as Receiving).keys(namesOfEvent(heard.telling.events, event));
  if (keys === undefined) return unseen('the key that signs is not shown');
  return known(keys.length > 0, 'there is no key, so that it is unsigned');
}
