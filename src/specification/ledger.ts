import { isDeepStrictEqual } from 'node:util';
import { type Diagnostic, diagnose } from '../source/diagnostic.ts';
import { type Json, json, type Mapping, type Node, node } from '../source/node.ts';
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
 * states stays as it is stated; that the assumption agrees with it, or does not, goes to `report`.
 */
export function assume(
  tree: Mapping,
  ledger: string,
  assumptions: readonly Assumption[],
  report: (diagnostic: Diagnostic) => void = () => undefined,
): Mapping {
  const source = text(ledger, assumptions.map(line).join(''));
  let result = tree;
  for (const [index, { at, value }] of assumptions.entries()) {
    const start = (source.lineStarts[index] as number) + '{"at":'.length;
    const where = span(source, start, start + JSON.stringify(at).length);
    const path = steps(at);
    if (path === undefined || at.endsWith('.*')) {
      report(diagnose('bad-address', where, { address: at }));
      continue;
    }
    const statement = statedOn(result, path);
    if (statement === undefined) {
      result = replaced(result, path, node(value, where, true), where) as Mapping;
      continue;
    }
    const agrees = statement === find(result, path) && isDeepStrictEqual(json(statement), value);
    const more = { related: [statement.span] };
    report(
      agrees
        ? diagnose('assumption-stated', where, { address: at }, more)
        : diagnose('assumption-differs', where, { address: at }, more),
    );
  }
  return result;
}

function line({ at, value, why, who, when }: Assumption): string {
  return `${JSON.stringify({ at, value, why, who, when })}\n`;
}

/** What the document says at these steps, or on the way to them where it leaves no room; undefined: it is open. */
function statedOn(tree: Node, path: readonly (string | number)[]): Node | undefined {
  let here: Node = tree;
  for (const name of path) {
    const next = find(here, [name]);
    if (next === undefined) return here.kind === 'map' && typeof name === 'string' ? undefined : here;
    here = next;
    if (here.kind === 'scalar') return marker(here.value)?.kind === 'open' ? undefined : here;
  }
  return here;
}
