import type { NatsConnection } from '@nats-io/transport-node';
import { compileTemplate, type Frame } from '../../expression/compile.ts';
import { worked } from '../../expression/values.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import { environmentOf } from '../content/render.ts';
import { Unsent } from '../message/reply.ts';
import type { Store } from '../store/store.ts';
import { contentAs, mediaOf } from './content.ts';
import { gone, type Outcome, type Way } from './courier/way.ts';
import { type Event, eventOf, eventTable } from './event.ts';
import { nameOf, noVersion } from './payloads.ts';
import type { Dispatch } from './ways.ts';
import type { Compiling } from './webhooks.ts';

type Stated = Extract<Delivery, { readonly kind: 'broker' }>;

/** A broker, compiled: what is decided with the change, and how it is published. */
export interface Broker {
  readonly dispatch: Dispatch;
  readonly way: (store: Store, publish: Publish, frame: () => Frame) => Way;
}

/** A message for a broker, with the identifier by which it leaves out one that it has. */
export interface Published {
  readonly id: string;
  readonly subject: string;
  readonly content: string;
  readonly media: string | undefined;
}

/** Publishes a message; resolved once the broker has kept it. */
export type Publish = (message: Published) => Promise<void>;

/** How long the broker's word is waited for, in milliseconds, and how long after an attempt the next one is made. */
const timeoutMs = 5000;
const pauseMs = (tries: number): number => Math.min(100 * 2 ** Math.min(tries, 10), 5000);

/** Null where it is open to which subject. */
export function compileBroker(
  name: string,
  delivery: Stated,
  { events, writers, contentOf, fault }: Pick<Compiling, 'events' | 'writers' | 'contentOf' | 'fault'>,
): Broker | null {
  const subject = stated(delivery.broker);
  if (subject === undefined) return null;
  const run = compileTemplate(subject.template, environmentOf(writers));
  const media = mediaOf(events, delivery.media);
  const version = stated(delivery.version);
  const versionOf = version && compileTemplate(version.template, environmentOf(writers));
  return {
    dispatch: {
      name,
      order: stated(delivery.order) ?? 'item',
      targets: () => [{ target: '' }],
      note: (frame) =>
        worked(
          () => run(frame),
          (error) => fault(new Unsent(`event to ${name}: not published`, error)),
        ) ?? undefined,
    },
    way: (store, publish, frame) => ({
      attempt: async (_target, id): Promise<Outcome> => {
        const row = await store.read((reads) => reads.find(eventTable.name, [id]));
        const event: Event | null = row && eventOf(row);
        const to = event?.ways?.[name];
        if (event === null || typeof to !== 'string') return gone;
        const content = contentOf(event, nameOf(versionOf?.(frame())));
        if (content === undefined) return { arrived: false, last: noVersion };
        if (content === null) return gone;
        try {
          await publish({ id, subject: to, content: contentAs(media, content), media });
          return { arrived: true, last: 'kept' };
        } catch (error) {
          return { arrived: false, last: (error as Error).message };
        }
      },
      // What the broker did not keep is published until it does.
      pause: pauseMs,
    }),
  };
}

/** A connection to NATS, made when something is first published, with JetStream, which says what it has kept. */
export function natsAt(address: string, secret: string | undefined) {
  let connection: Promise<NatsConnection> | null = null;
  const connected = (): Promise<NatsConnection> => {
    connection ??= connectTo(address, secret);
    connection.catch(() => {
      connection = null;
    });
    return connection;
  };
  const publish: Publish = async ({ id, subject, content, media }) => {
    const [{ headers }, { jetstream }] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
    ]);
    const nats = await connected();
    const fields = headers();
    if (media !== undefined) fields.set('Content-Type', media);
    await jetstream(nats, { timeout: timeoutMs }).publish(subject, content, { msgID: id, headers: fields });
  };
  return {
    publish,
    close: async (): Promise<void> => {
      const nats = await connection?.catch(() => null);
      await nats?.close();
    },
  };
}

async function connectTo(address: string, secret: string | undefined): Promise<NatsConnection> {
  const { connect } = await import('@nats-io/transport-node');
  const url = new URL(address);
  return connect({
    servers: url.host,
    name: 'tacet',
    timeout: timeoutMs,
    maxReconnectAttempts: -1,
    ...(url.protocol === 'tls:' && { tls: {} }),
    ...(url.username !== '' && {
      user: decodeURIComponent(url.username),
      pass: decodeURIComponent(url.password),
    }),
    ...(secret !== undefined && { token: secret }),
  });
}
