import type { Environment, Frame } from '../expression/compile.ts';
import { and, compare, parameter, query } from '../expression/query.ts';
import type { Model } from '../expression/query-operand.ts';
import type { Along } from './along.ts';
import type { KeptItem, KeptResource } from './resource/kept.ts';
import type { Write } from './resource/write.ts';
import { attempted } from './sets.ts';
import { type Reads, statement } from './store/rows.ts';
import { compileConditions } from './where.ts';

/**
 * Shows an item with what its store tells of it besides, in one statement. An item of which that was told already is
 * shown as it is; so is one that is not kept as it stands, such as one that was deleted: what it shows is asked for
 * one by one.
 */
export function showingTold(
  write: Write,
  kept: KeptResource,
  along: Along,
  model: Model,
  environment: Environment,
): Write {
  const conditions = compileConditions(kept, model, environment, []);
  const besides = conditions.besides(along);
  const key = kept.keyFields.map((name) => ({ node: conditions.field(name), slot: conditions.slot() }));
  const isIt = and(...key.map(({ node, slot }) => compare('matches', node, parameter(slot))));
  const one = statement(query(conditions.row, { where: isIt, besides: besides.of }));
  const told = (item: KeptItem, frame: Frame): KeptItem => {
    const { row } = item;
    const reads = frame.reads as Reads | undefined;
    if (row === null || row.besides || reads === undefined) return item;
    const values: unknown[] = [];
    besides.fill(values, frame);
    for (const [index, { slot }] of key.entries()) values[slot] = row.key[index];
    const found = attempted(() => reads.rows(one, values)[0]);
    if (!found?.besides || found.text !== row.text) return item;
    return kept.item(kept.told(row, found.besides), () => frame);
  };
  return (item, frame) => write(told(item as KeptItem, frame), frame);
}
