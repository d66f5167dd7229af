import { readFileSync } from 'node:fs';
import { exchangesOf, NotHar, type Recorded } from '../../conformance/traffic/har.ts';
import { UsageError } from '../usage.ts';

/** The exchanges of a HAR file, in the order in which they were sent. Throws {@link UsageError} if it is none. */
export function recordingIn(file: string): readonly Recorded[] {
  try {
    return exchangesOf(contentOf(file));
  } catch (error) {
    if (error instanceof NotHar) throw new UsageError(`${file} is no HAR file: ${error.message}`);
    throw error;
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The exchanges with the service at an address, which ends without a slash. */
export function exchangesWith(url: string, recording: readonly Recorded[]): readonly Recorded[] {
  return recording.filter(({ exchange }) => {
    const rest = exchange.request.url.slice(url.length);
    return exchange.request.url.startsWith(url) && (rest === '' || /^[/?]/.test(rest));
  });
}

/** The address to which most requests of a recording were sent; null: there are none. */
export function usualAddress(recording: readonly Recorded[]): string | null {
  const origins = Map.groupBy(recording, ({ exchange }) => originOf(exchange.request.url));
  const [most] = [...origins].toSorted(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? null;
}

function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
}
