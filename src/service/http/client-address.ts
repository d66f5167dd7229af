import { isIP } from 'node:net';
import { type Arrived, single } from '../message/incoming.ts';
import { addressesIn, type IsAmong, plainAddress } from '../value/addresses.ts';

/**
 * Tells whom a request comes from if it comes through proxies of the operator's: the address nearest to the service that is
 * none of theirs, by `Forwarded` (RFC 7239 §5.2) or `X-Forwarded-For`. These are believed of the proxies alone, since every
 * client can send them. If both came and disagree, a proxy let one of them pass, and neither is believed.
 *
 * @param proxies their addresses, or ranges of them
 * @throws RangeError where one is no address
 */
export function behindProxies(proxies: readonly string[]): (arrived: Arrived) => Arrived {
  const isProxy = addressesIn(proxies);
  return (arrived) => {
    const { from, headers } = arrived;
    const peer = plainAddress(from.remoteAddress ?? '');
    if (!isProxy(peer)) return arrived;
    const listed = [
      forwardedFor(joined(headers['forwarded'])),
      addressesOf(joined(headers['x-forwarded-for'])),
    ];
    const clients = new Set(listed.flatMap((one) => (one === null ? [] : [nearest(one, peer, isProxy)])));
    const [client = peer] = clients.size === 1 ? clients : [];
    const remote = {
      remoteAddress: client,
      isProxy: true,
      get destroyed() {
        return from.destroyed === true;
      },
    };
    return { ...arrived, from: remote };
  };
}

/** The last of the addresses that is no proxy's: what stands before it, its client could have written. */
function nearest(addresses: readonly (string | null)[], peer: string, isProxy: IsAmong): string {
  let known = peer;
  for (const address of addresses.toReversed()) {
    if (address === null) return known;
    known = address;
    if (!isProxy(address)) return known;
  }
  return known;
}

/** The addresses of `Forwarded`, in order; null for one that is hidden or unknown. Null: the field did not come. */
function forwardedFor(field: string | undefined): (string | null)[] | null {
  if (field === undefined) return null;
  return field.split(',').map((element) => {
    const pair = element.split(';').find((one) => /^\s*for\s*=/i.test(one));
    return addressOf(
      pair
        ?.slice(pair.indexOf('=') + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1') ?? '',
    );
  });
}

function addressesOf(field: string | undefined): (string | null)[] | null {
  return field === undefined ? null : field.split(',').map((one) => addressOf(one.trim()));
}

/** An address without its port and brackets; null: it is none. */
function addressOf(written: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(written)?.[1] ?? written.replace(/^([\d.]+):\d+$/, '$1');
  return isIP(bare) === 0 ? null : plainAddress(bare);
}

function joined(value: Arrived['headers'][string]): string | undefined {
  return single(value) ?? (value === undefined ? undefined : (value as readonly string[]).join(','));
}
