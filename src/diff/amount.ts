import type { Node } from '../source/node.ts';
import { durationOf } from '../specification/reading/duration.ts';
import { bytesIn } from '../specification/reading/size.ts';
import { holdsNames } from './places.ts';

/**
 * What a size comes to in bytes, or a duration in milliseconds (language §H.5); undefined where neither stands at
 * this path, or it is one of months, whose length varies.
 */
export function amountOf(node: Node, path: readonly string[]): number | undefined {
  if (node.kind !== 'scalar') return undefined;
  const [part, list] = path;
  const last = path.at(-1) as string;
  if (part === 'limits' && (list === 'sizes' || (list === 'quotas' && last === 'allow')))
    return bytes(node.written);
  const isDuration =
    (part === 'limits' && list === 'times') || (durations.includes(last) && !holdsNames(path.slice(0, -1)));
  return isDuration ? (durationOf(node.written)?.milliseconds ?? undefined) : undefined;
}

const durations: readonly string[] = ['every', 'life', 'within', 'after', 'timeout', 'retries'];

function bytes(written: string): number | undefined {
  const [, number, unit = 'B'] = /^(\d+)(?: ?([A-Za-z]+))?$/.exec(written) ?? [];
  const factor = bytesIn[unit];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
