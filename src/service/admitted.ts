import type { Specification } from '../specification/model/specification.ts';
import { durationOf } from '../specification/reading/duration.ts';
import { isExposable, isLoopback } from './access/exposable.ts';
import { operatorsMoves } from './change/machines.ts';
import { behindProxies } from './http/client-address.ts';
import { type ServiceOptions, StartRefused } from './options.ts';

/** Throws {@link StartRefused} where a service may not listen as asked, or lacks what is the operator's to say. */
export function checkStart(specification: Specification, options: ServiceOptions): void {
  const { host = '127.0.0.1', port = 0, url, after = {}, exposeUnauthenticated } = options;
  if (port === null && url === undefined)
    throw new StartRefused(
      'a service that does not listen needs the address at which it is reached: url: "https://api.example"',
    );
  if (port !== null && !isLoopback(host) && !isExposable(specification) && exposeUnauthenticated !== true)
    throw new StartRefused(
      `authentication is open, so the service listens on loopback alone, and ${host} is not; state part 5, or take the risk with --expose-unauthenticated`,
    );
  checkAfter(specification, after);
}

/** Who sends a request that comes through proxies; null: there are none. */
export function clientBehind(proxies: readonly string[]): ReturnType<typeof behindProxies> | null {
  if (proxies.length === 0) return null;
  try {
    return behindProxies(proxies);
  } catch (error) {
    throw error instanceof RangeError ? new StartRefused(error.message) : error;
  }
}

/** Each transition that waits for the operator's word has it, and no other does. */
function checkAfter(specification: Specification, after: Readonly<Record<string, string>>): void {
  const wanted = operatorsMoves(specification);
  const missing = wanted.find((name) => after[name] === undefined);
  if (missing !== undefined)
    throw new StartRefused(
      `how long after entry ${missing} happens is the operator's to say: --after ${missing}=P1D, or another duration`,
    );
  for (const [name, span] of Object.entries(after)) {
    if (!wanted.includes(name))
      throw new StartRefused(
        `${name} is no transition that waits for the operator's word; leave --after ${name} out`,
      );
    if (durationOf(span) === undefined)
      throw new StartRefused(`${span} is no duration; write --after ${name}=P14D, or PT30M`);
  }
}
