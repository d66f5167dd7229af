import { type Arrived, single } from './incoming.ts';

/** The content of larger requests is not kept, in bytes. */
const mostBytes = 32 * 1024;

/** A request with its content as far as it was received, for those who hear of it once it was answered. */
export interface Received extends Arrived {
  /** Null: it has none, or is not kept; it is large, or of a size that is not known beforehand. */
  readonly received: () => Buffer | null;
}

/** The same request, of which small content is read at once, and kept. */
export function receiving(arrived: Arrived): Received {
  const { headers } = arrived;
  const length = Number(single(headers['content-length']) ?? Number.NaN);
  // Whoever waits to be told to go on is told by the service alone.
  if (!(length <= mostBytes) || headers['expect'] !== undefined) return { ...arrived, received: () => null };
  let kept: Buffer | null = null;
  const whole = arrived.content();
  whole?.then(
    (content) => {
      if (content !== 'too large') kept = content;
    },
    () => {},
  );
  return {
    ...arrived,
    content: (most) => (most !== undefined && length > most ? Promise.resolve('too large') : whole),
    received: () => kept,
  };
}
