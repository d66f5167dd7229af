import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import { type Check, Unreached } from '../check.ts';
import type { Header } from '../http.ts';
import { workOut } from '../solve.ts';
import { fits } from '../unify.ts';
import { known, type Truth, unseen, yes } from '../verdict.ts';
import { bell } from './bell.ts';
import { eventOf, toldOf } from './checks.ts';
import { namesOfEvent, type Telling } from './expected.ts';
import type { Wanted } from './kinds.ts';
import type { Heard } from './story.ts';
import { note, type Observer, type Observing, type Told } from './told.ts';

export type Broker = Extract<Delivery, { readonly kind: 'broker' }>;

/** How long the broker's word is waited for, in milliseconds. */
const timeoutMs = 5000;

/** What is published at NATS, as a stream of JetStream keeps it (language §6.3): read from where it is by now. */
export function brokerObserver(
  about: Pick<Observer, 'name' | 'address' | 'at'>,
  delivery: Broker,
  address: string,
): Observer {
  return {
    ...about,
    delivery,
    silence: () => null,
    open: async (): Promise<Observing> => ({
      ...(await subscribe(address, subjectsOf(delivery))),
      due: () => yes,
    }),
  };
}

/** Reads what a stream of JetStream keeps from now on. Throws `Unreached` if no such stream is there. */
export async function subscribe(address: string, subjects: string): Promise<Omit<Observing, 'due'>> {
  const [{ connect }, { DeliverPolicy, jetstream, jetstreamManager }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ]);
  const { host, username, password, protocol } = new URL(address);
  const nats = await connect({
    servers: host,
    timeout: timeoutMs,
    ...(protocol === 'tls:' && { tls: {} }),
    ...(username !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
  }).catch((error: Error) => {
    throw new Unreached(`no broker answers at ${host}: ${error.message}`);
  });
  try {
    const manager = await jetstreamManager(nats);
    const stream = await manager.streams.find(subjects).catch(() => {
      throw new Unreached(`no stream of the broker keeps ${subjects}`);
    });
    const { state } = await manager.streams.info(stream);
    const consumer = await jetstream(nats).consumers.get(stream, {
      filter_subjects: subjects,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: state.last_seq + 1,
    });
    const told: Told[] = [];
    const { ring, more } = bell();
    const messages = await consumer.consume({
      callback: (message) => {
        const headers = [...(message.headers?.keys() ?? [])].map(
          (name): Header => [name, message.headers?.get(name) ?? ''],
        );
        const id = message.headers?.get('Nats-Msg-Id') || null;
        note(told, { id, kind: null, content: message.string(), headers, subject: message.subject });
        ring();
      },
    });
    return {
      told,
      more,
      close: async () => {
        await messages.close();
        await nats.close();
      },
    };
  } catch (error) {
    await nats.close();
    throw error;
  }
}

/** The subjects that events may have: all that begin as the template does. */
export function subjectsOf({ broker }: Broker): string {
  const template = stated(broker)?.template;
  if (template?.kind === 'literal') return String(template.value);
  const [first, ...others] = template?.kind === 'text' ? template.pieces : [];
  if (typeof first !== 'string') return '>';
  return others.length === 0 ? first : `${first.slice(0, first.lastIndexOf('.') + 1)}>`;
}

/** What is to be seen of an event as it is published: its subject, and its id by which it is kept once. */
export function published(
  telling: Telling,
  delivery: Broker,
  wanted: Wanted,
  says: (what: string) => string,
): Check<Heard>[] {
  const { broker } = delivery;
  const cites = { address: broker.address, at: broker.at };
  const guard = (heard: Heard): Truth => (toldOf(heard, wanted) ? yes : unseen('no such event came'));
  return [
    {
      name: 'event.subject',
      says: says('it is published under the stated subject'),
      cites,
      guard,
      claim: (heard) => {
        const [event, told] = [eventOf(heard, wanted), toldOf(heard, wanted)];
        const template = stated(broker)?.template;
        if (event === undefined || told === undefined || template === undefined)
          return { truth: unseen('no such event came'), expected: 'an event', found: 'none' };
        return fits(workOut(template, namesOfEvent(telling.events, event)), told.subject ?? undefined);
      },
    },
    {
      name: 'event.id',
      says: says('it is published with its id as Nats-Msg-Id'),
      cites,
      guard,
      claim: (heard) => {
        const id = toldOf(heard, wanted)?.id ?? null;
        return { truth: known(id !== null), expected: 'Nats-Msg-Id', found: id ?? 'none' };
      },
    },
  ];
}
