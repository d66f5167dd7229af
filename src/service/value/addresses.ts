import { BlockList, isIP } from 'node:net';

/** Whether an address of the network is one of some. */
export type IsAmong = (address: string) => boolean;

/**
 * @param ranges addresses, or ranges of them: `127.0.0.1`, `10.0.0.0/8`
 * @throws RangeError where one is none
 */
export function addressesIn(ranges: readonly string[]): IsAmong {
  const list = new BlockList();
  for (const one of ranges) {
    const [address = '', prefix] = one.split('/');
    const version = isIP(address);
    const longest = version === 6 ? 128 : 32;
    const length = prefix === undefined ? longest : Number(prefix);
    if (version === 0 || !/^\d*$/.test(prefix ?? '') || length > longest)
      throw new RangeError(`${one} is no address, and no range of addresses`);
    list.addSubnet(address, length, familyOf(version));
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, familyOf(version));
  };
}

/** An address of IPv4 is the same however the connection came by it (RFC 4291 §2.5.5.2). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 6 ? 'ipv6' : 'ipv4';
}
