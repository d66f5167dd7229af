import { listen, type Receiver, type ReceiverOptions } from './receiver.ts';

/** How the tester hears what an implementation sends by itself (language §6.3). */
export interface ListeningOptions {
  /** Where webhooks are received. Default: at a port of this machine that is free. */
  readonly receiver?: ReceiverOptions;
  /** The broker that the implementation publishes at: `nats://HOST`. Default: none is asked. */
  readonly nats?: string;
  /** What signs the deliveries of which that is the operator's to say, by their names. */
  readonly secrets?: Readonly<Record<string, string>>;
}

export interface Listening extends Omit<ListeningOptions, 'receiver'> {
  /** The receiver, begun when it is first asked for. */
  readonly receiver: () => Promise<Receiver>;
  /** Whether it was said where it listens, so that the operator could tell the implementation. */
  readonly isPlaced: boolean;
  readonly close: () => Promise<void>;
}

export function listening(options: ListeningOptions, now: () => number): Listening {
  let receiver: Promise<Receiver> | undefined;
  return {
    ...options,
    receiver: () => {
      receiver ??= listen(options.receiver ?? {}, now);
      return receiver;
    },
    isPlaced: options.receiver?.port !== undefined,
    close: async () => {
      const begun = await receiver?.catch(() => undefined);
      await begun?.close();
    },
  };
}
