import type { Request } from '../../semantics/request/prediction.ts';
import { isObject, type Value } from '../../semantics/value/value.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bell } from '../events/bell.ts';
import type { Inbox, Receiver } from '../events/receiver.ts';
import { toldBy } from '../events/webhook.ts';
import type { Random } from '../random.ts';
import { type Schema, schemas } from '../schema.ts';
import { type Observed, type Observer, observedAs } from './observer.ts';

type Webhook = Extract<Delivery, { readonly kind: 'webhook' }>;

/** Receives what is posted to addresses of the tester's own. */
export interface WebhookObserver extends Observer {
  /** The request with an address of its own in place of each that it gives to the field; others as they are. */
  readonly addressed: (request: Request) => Request;
}

/** Of a hundred addresses that do not fit, so many are replaced, too: otherwise few items might hold one. */
const mended = 70;

/** Each address is another one, so that what comes there is for the items that hold it. */
export function observeWebhook(
  way: string,
  delivery: Webhook,
  specification: Specification,
  receiver: Receiver,
  random: Random,
): WebhookObserver {
  const inboxes: { readonly url: string | null; readonly inbox: Inbox }[] = [];
  const { ring, more } = bell();
  const [good = 204] = stated(delivery.success) ?? [];
  const to = stated(delivery.webhook);
  const open = (path: string): Inbox =>
    receiver.inbox(path, () => {
      ring();
      return { status: good };
    });
  if (to?.kind === 'operator') inboxes.push({ url: null, inbox: open(way) });
  const field =
    to?.kind === 'field' ? specification.resourcesByName.get(to.resource)?.fields.get(to.field) : undefined;
  const fits = (value: Value): boolean =>
    field !== undefined &&
    schemas(specification).failures(schemaOf(field.shape) as Schema, value as string).length === 0;
  const fresh = (): string | null => {
    const path = random.letters(20);
    const url = [false, true].map((isSecure) => `${receiver.url(isSecure)}/${path}`).find(fits);
    if (url === undefined) return null;
    inboxes.push({ url, inbox: open(path) });
    return url;
  };
  const replaced = (content: Value): Value => {
    if (!isObject(content) || field === undefined) return content;
    const given = content[field.name];
    const isWanted = typeof given === 'string' && (fits(given) || random.whole(1, 100) <= mended);
    const url = isWanted ? fresh() : null;
    return url === null ? content : { ...content, [field.name]: url };
  };
  return {
    way,
    since: () =>
      inboxes.flatMap(({ url, inbox }) =>
        inbox.posted.map((posted): Observed => observedAs(way, url, toldBy(delivery, posted), posted.at)),
      ),
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
      for (const { inbox } of inboxes) inbox.close();
    },
  };
}
