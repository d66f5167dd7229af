import { type Json, type Mapping, node } from '../source/node.ts';
import { span, text } from '../source/text.ts';
import { type Address, find, replaced, steps } from './address.ts';
import { marker } from './said.ts';

/** An open point answered for the time being, apart from the document (language §A.6). */
export interface Assumption {
  readonly at: Address;
  readonly value: Json;
  readonly why?: string;
  readonly who?: string;
  readonly when?: string;
}

/**
 * The tree with the assumptions laid into its open points, each marked as assumed. A point that the document
 * states stays as it is stated. Throws where an address does not follow the grammar.
 */
export function assume(tree: Mapping, ledger: string, assumptions: readonly Assumption[]): Mapping {
  const source = text(ledger, assumptions.map((one) => `${JSON.stringify(one)}\n`).join(''));
  let result = tree;
  for (const [index, { at, value }] of assumptions.entries()) {
    const path = steps(at);
    if (path === undefined || path.includes('*')) throw new RangeError(`this is no address of a point: ${at}`);
    const present = find(result, path);
    if (present && !(present.kind === 'scalar' && marker(present.value)?.kind === 'open')) continue;
    const start = source.lineStarts[index] as number;
    const where = span(source, start, start + JSON.stringify(at).length);
    result = replaced(result, path, node(value, where, true), where) as Mapping;
  }
  return result;
}

