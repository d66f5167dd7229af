import { createInterface } from 'node:readline';
import type { Recorded } from '../../conformance/traffic/har.ts';

/**
 * What `tacet proxy` tells `tacet judge`, a line of JSON each: exchanges that were under way together, or how many were
 * not recorded, since too many were under way.
 */
export type Heard = readonly Recorded[] | { readonly lost: number };

/** The lines of standard input, to its end. */
export async function* heard(): AsyncIterable<Heard> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield JSON.parse(line) as Heard;
}
