import { BlockList, isIP } from 'node:net';
import { addressesIn } from '../value/addresses.ts';

/** Addresses that are of no host out there: special-purpose ones (IANA's registries, RFC 6890), and Azure's own. */
const special: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Global unicast of IPv6 is 2000::/3 alone; of that, what stands for addresses of IPv4, and what is special. */
const global6 = ['2000::', 3] as const;
const special6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Whether an address is one that events may be sent to: out there, or allowed by the operator. */
export type IsOutside = (address: string) => boolean;

/**
 * @param allowed addresses of the operator's own network that events may be sent to: `127.0.0.1`, `10.0.0.0/8`
 * @throws RangeError where one is no address
 */
export function outsideBut(allowed: readonly string[]): IsOutside {
  const isOwn = addressesIn(allowed);
  const not = new BlockList();
  for (const [address, length] of special) not.addSubnet(address, length, 'ipv4');
  for (const [address, length] of special6) not.addSubnet(address, length, 'ipv6');
  const yes = new BlockList();
  yes.addSubnet(...global6, 'ipv6');
  return (address) => {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (isOwn(address)) return true;
    return version === 6
      ? yes.check(address, family) && !not.check(address, family)
      : !not.check(address, family);
  };
}

/** The host of an address as it is connected to: one of IPv6 without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** An address as it is connected to; null: it is none of HTTP (RFC 9110 §4.2). */
export function httpUrl(written: string): URL | null {
  const url = URL.canParse(written) ? new URL(written) : null;
  return url && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

/** Whether an address, as it is written, is of the operator's own network: a number, or a name that stands for it. */
export function isInside(written: unknown, isOutside: IsOutside): boolean {
  if (typeof written !== 'string' || !URL.canParse(written)) return false;
  const host = hostOf(new URL(written));
  if (isIP(host) !== 0) return !isOutside(host);
  return /(^|\.)localhost\.?$/i.test(host) && !isOutside('127.0.0.1');
}
