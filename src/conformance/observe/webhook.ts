import { answeringPath, isRefused, statusAt } from '../../semantics/event/receivers.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { isObject, type Value } from '../../semantics/value/value.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Webhook } from '../../specification/vocabulary/delivery.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bell } from '../events/bell.ts';
import type { Inbox, Posted, Receiver } from '../events/receiver.ts';
import { fieldIn, type Told } from '../events/told.ts';
import type { Random } from '../random.ts';
import { type Schema, schemas } from '../schema.ts';
import { type Observed, type Observer, observedAs } from './observer.ts';

/** Receives what is posted to addresses of the tester's own. */
export interface WebhookObserver extends Observer {
  /** The request with an address of the tester's own in place of each that it gives to the field; others as they are. */
  readonly addressed: (request: Request) => Request;
  /** Whether what comes to an address is refused, so that further attempts may come at any time. */
  readonly isRefusing: (url: string) => boolean;
  /** Whether several requests gave an address, so that several items may hold it. */
  readonly isRepeated: (url: string) => boolean;
}

export interface WebhookOptions {
  readonly way: string;
  readonly delivery: Webhook;
  readonly specification: Specification;
  readonly receiver: Receiver;
  readonly random: Random;
  /** Takes how addresses begin from which something came. */
  readonly reached: Set<string>;
}

/** Of a hundred addresses that do not fit, so many are replaced, too: otherwise few items might hold one. */
const mended = 70;

/** Each address is another one, so that what comes there is for the items that hold it. */
export function observeWebhook({
  way,
  delivery,
  specification,
  receiver,
  random,
  reached,
}: WebhookOptions): WebhookObserver {
  const bases = [false, true].map((isSecure) => receiver.url(isSecure));
  const inboxes = new Map<string | null, Inbox>();
  const came: Observed[] = [];
  if (receiver.isGiven) reached.add(receiver.url(false));
  const { ring, more } = bell();
  const [good = 204] = stated(delivery.success) ?? [];
  const to = stated(delivery.webhook);
  const open = (url: string | null, path: string, base: string): void => {
    const status = (url === null ? null : statusAt(url)) ?? good;
    // A redirect is an answer like any other (language §6.3, rule 23): whoever follows it finds a success.
    const location = status >= 300 && status < 400 ? `${base}/elsewhere` : undefined;
    const answer = { status, ...(location !== undefined && { location }) };
    const inbox = receiver.inbox(path, answer, (posted) => {
      reached.add(base);
      came.push(observedAs(way, url, toldBy(delivery, posted), posted.at));
      ring();
    });
    inboxes.set(url, inbox);
  };
  const elsewhere = receiver.inbox('elsewhere', { status: good });
  if (to?.kind === 'operator') open(null, way, receiver.url(false));
  const field =
    to?.kind === 'field' ? specification.resourcesByName.get(to.resource)?.fields.get(to.field) : undefined;
  // Only then it matters whether two items have the same address.
  const isUnique = field !== undefined && isUniqueField(field, specification);
  const fits = (value: Value): boolean =>
    field !== undefined &&
    schemas(specification).failures(schemaOf(field.shape) as Schema, value as string).length === 0;
  /** An address that answers as the one that is given, if it says how. */
  const fresh = (given: string): string | null => {
    const path = random.letters(20);
    const status = statusAt(given);
    const found = [...(status === null ? [] : [answeringPath(status)]), '/']
      .flatMap((place) => bases.map((base) => ({ base, url: `${base}${place}${path}` })))
      .find(({ url }) => fits(url));
    if (found === undefined) return null;
    open(found.url, path, found.base);
    return found.url;
  };
  const repeated = new Set<string>();
  /** What an address became. */
  const own = new Map<string, string>();
  const addressFor = (given: string): string => {
    const known = !isUnique ? undefined : inboxes.has(given) ? given : own.get(given);
    if (known !== undefined) {
      repeated.add(known);
      return known;
    }
    const isWanted = fits(given) || random.whole(1, 100) <= mended;
    const url = isWanted ? (fresh(given) ?? given) : given;
    if (url !== given) own.set(given, url);
    return url;
  };
  const replaced = (content: Value): Value => {
    if (!isObject(content) || field === undefined) return content;
    const given = content[field.name];
    return typeof given === 'string' ? { ...content, [field.name]: addressFor(given) } : content;
  };
  return {
    way,
    came: () => came,
    isRepeated: (url) => repeated.has(url),
    hasEnded: () => false,
    isHere: (url) => inboxes.has(url),
    isRefusing: (url) => isRefused(url, delivery),
    isReached: (url) => [...reached].some((base) => url === null || url.startsWith(base)),
    more,
    addressed: (request) => {
      const { operation, content } = request;
      if (field === undefined || operation.subject?.name !== field.resource || content === undefined)
        return request;
      const under = operation.request && stated(operation.request.under);
      if (under && isObject(content) && content[under] !== undefined)
        return { ...request, content: { ...content, [under]: replaced(content[under]) } };
      return { ...request, content: replaced(content) };
    },
    close: async () => {
      for (const inbox of [...inboxes.values(), elsewhere]) inbox.close();
    },
  };
}

/** Whether no two items may have the same value of a field, alone or together with others. */
function isUniqueField({ resource, name, unique }: Field, { resourcesByName }: Specification): boolean {
  const groups = stated(resourcesByName.get(resource)?.unique) ?? [];
  return (
    (stated(unique) ?? false) !== false ||
    groups.some(({ fields }) => fields.some(({ text }) => text === name))
  );
}

/** An event as it was posted. */
function toldBy({ sign }: Webhook, { headers, content }: Posted): Told {
  const id = stated(sign)?.kind === 'standard-webhooks' ? (fieldIn(headers, 'webhook-id') ?? null) : null;
  return { id, kind: null, content, headers, subject: null };
}
