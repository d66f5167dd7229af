import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Header } from '../http.ts';
import { Unreached } from '../result.ts';
import { bell } from './bell.ts';
import { note, type Telling, type Told } from './told.ts';

export type Broker = Extract<Delivery, { readonly kind: 'broker' }>;

/** How long the broker's word is waited for, in milliseconds. */
const timeoutMs = 5000;

/** Reads what a stream of JetStream keeps from now on. Throws `Unreached` if no such stream is there. */
export async function subscribe(address: string, subjects: string): Promise<Telling> {
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
