/** A request is for another process of the service to answer: for the one that writes. */
class Elsewhere extends Error {}

/** One for all requests: it tells nothing of any, and to make one is to note the stack. */
export const elsewhere = new Elsewhere('another process answers this request');

/** Stands in the place of what answers an operation, in a process that does not carry it out. Throws {@link elsewhere}. */
export function handOver(): never {
  throw elsewhere;
}
