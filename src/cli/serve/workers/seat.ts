import type { KeyPair } from '../../../service/http/listener.ts';
import type { Service, Sharing, Tls } from '../../../service/service.ts';
import type { Metrics } from '../metrics.ts';

/** Which worker a process is. */
export interface Seat {
  /** From 1 on. */
  readonly number: number;
  /** On PostgreSQL all are equal. */
  readonly role: Sharing['role'] | 'equal';
  readonly port: number;
  /** Where the one that writes takes requests from the others. */
  readonly socket: string;
  /** Whether somebody asks for metrics. */
  readonly hasMetrics: boolean;
  /** Whether it waits for a key and a certificate: they stand in no environment. */
  readonly isSecure: boolean;
  /** Tells the document that all serve from any other. */
  readonly digest: string;
}

/** What the process above says to a worker. */
export type Order =
  | { readonly to: 'end' }
  /** All the others have ended. */
  | { readonly to: 'be alone' }
  /** From now on. */
  | { readonly to: 'secure'; readonly pair: KeyPair }
  | { readonly to: 'tell'; readonly turn: number; readonly what: Question };

/** Whether it can answer requests, or what it counted. */
export type Question = 'readiness' | 'metrics';

/** What a worker says to the process above. */
export type Report =
  | { readonly of: 'start'; readonly address: string; readonly url: string }
  | { readonly of: 'question'; readonly turn: number; readonly answer: unknown };

/** The variable in which a worker finds its seat. */
export const seatVariable = 'TACET_WORKER';

/** The seat of this process; null: it is no worker. */
export function seatIn(environment: Readonly<Record<string, string | undefined>>): Seat | null {
  const written = environment[seatVariable];
  return written === undefined || process.send === undefined ? null : (JSON.parse(written) as Seat);
}

/** Lets a worker end by itself, though the process above lives: it could not start. */
export function letEnd(channel: NodeJS.Process = process): void {
  channel.channel?.unref();
}

/** A worker's end of the channel to the process above. */
export interface Seated {
  readonly sharing: Sharing | undefined;
  /** The key and certificate, once they have come. */
  readonly secured: Promise<Tls>;
  /** Resolved once it is to end: a signal that reaches all processes of a group does not end a worker. */
  readonly ended: Promise<void>;
  readonly started: (service: Service, metrics: Metrics | null) => void;
}

/** Takes the seat: begins to hear the process above. */
export function take({ role, socket }: Seat, channel: NodeJS.Process = process): Seated {
  const [ended, alone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let service: Service | null = null;
  let metrics: Metrics | null = null;
  const secured = Promise.withResolvers<Tls>();
  let secure: (pair: KeyPair) => void = (pair) =>
    secured.resolve({
      pair,
      renewed: (use) => {
        secure = use;
      },
    });
  const say = (report: Report): void => void channel.send?.(report);
  const answers: Readonly<Record<Question, () => Promise<unknown>>> = {
    readiness: async () => (service === null ? 'it starts' : service.unready()),
    metrics: async () => metrics?.values(service) ?? [],
  };
  const hear = (order: Order): void => {
    if (order.to === 'end') ended.resolve();
    else if (order.to === 'be alone') alone.resolve();
    else if (order.to === 'secure') secure(order.pair);
    else if (order.to === 'tell')
      void answers[order.what]().then((answer) => say({ of: 'question', turn: order.turn, answer }));
  };
  channel.on('message', hear);
  return {
    sharing: role === 'equal' ? undefined : { role, socket, alone: alone.promise },
    secured: secured.promise,
    ended: ended.promise,
    started: (running, counted) => {
      service = running;
      metrics = counted;
      say({ of: 'start', address: running.address, url: running.url });
    },
  };
}
