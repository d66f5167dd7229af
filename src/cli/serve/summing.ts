/** How long the same message is counted before it is told of again, in milliseconds. */
const everyMs = 10_000;

/** How many different messages are counted at once; a further one is told of each time. */
const most = 100;

type Later = (ms: number, run: () => void) => void;

const byTimer: Later = (ms, run) => void setTimeout(run, ms).unref();

/**
 * Prints a message at once, and where it comes again, how often, every ten seconds: an outage, which each request meets,
 * fills no log.
 */
export function summing(
  print: (text: string) => void,
  later: Later = byTimer,
): (message: string, note?: string) => void {
  const counts = new Map<string, number>();
  const tell = (message: string): void => {
    const count = counts.get(message) ?? 0;
    if (count === 0) {
      counts.delete(message);
      return;
    }
    print(`${message.split('\n')[0]} (${count} more in ${everyMs / 1000} s)\n`);
    counts.set(message, 0);
    later(everyMs, () => tell(message));
  };
  return (message, note = '') => {
    const count = counts.get(message);
    if (count !== undefined) {
      counts.set(message, count + 1);
      return;
    }
    // What differs from time to time stands behind the first line, and is not counted by.
    print(`${message.replace(/$|(?=\n)/, () => note)}\n`);
    if (counts.size >= most) return;
    counts.set(message, 0);
    later(everyMs, () => tell(message));
  };
}
