import type { Specification } from '../../specification/model/specification.ts';

/**
 * Whether the service may be reached from other machines. Where part 5 is open it is not stated that anybody
 * may ask, so it listens on loopback alone (principles, "When a point is open").
 */
export function isExposable(specification: Specification): boolean {
  const { kind } = specification.authentication;
  // Free for the service to choose is no leave for anybody to enter.
  return kind === 'stated' || kind === 'none';
}

/** Whether a host name or address is this machine's own loopback. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
