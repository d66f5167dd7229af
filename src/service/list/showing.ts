import type { Environment, Frame } from '../../expression/compile.ts';
import { path, type Syntax } from '../../expression/expression.ts';
import { and, compare, parameter, query } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { worked } from '../../expression/values.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { inAnswers } from '../../specification/model/workings.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Along, Alongs } from '../resource/along.ts';
import type { KeptItem, KeptResource } from '../resource/kept.ts';
import { compileConditions } from '../resource/where.ts';
import type { Write } from '../resource/write.ts';
import { type Key, type Reads, type Row, statement } from '../store/rows.ts';

/**
 * Finds an item by its key with what its store tells of it besides: null where there is none, undefined where it cannot
 * be worked out what to tell.
 */
export type FindTold = (reads: Reads, key: Key, frame: Frame) => Row | null | undefined;

function compileFindTold(kept: KeptResource, along: Along, model: Model, environment: Environment): FindTold {
  const conditions = compileConditions(kept, model, environment, []);
  const besides = conditions.besides(along);
  const key = kept.keyFields.map((name) => ({ node: conditions.field(name).node, slot: conditions.slot() }));
  const isIt = and(...key.map(({ node, slot }) => compare('matches', node, parameter(slot))));
  const one = statement(query(conditions.row, { where: isIt, besides: besides.of }));
  return (reads, values, frame) => {
    const given: unknown[] = [];
    besides.fill(given, frame);
    for (const [index, { slot }] of key.entries()) given[slot] = values[index];
    return worked(() => reads.rows(one, given)[0] ?? null);
  };
}

/**
 * How the item that an operation reads is found in one statement with what its answers show of it; null: it changes
 * something before they do, or they show it otherwise than by one resource or view.
 */
export function compileFindShown(
  operation: Operation,
  kept: KeptResource | undefined,
  { along, model }: { readonly along: Alongs; readonly model: Model },
  environment: Environment,
): FindTold | null {
  const also = stated(operation.endpoint.also) ?? [];
  if (stated(operation.does)?.verb !== 'read' || also.length > 0 || !kept?.keyFields.length) return null;
  const shown = new Set(inAnswers(operation).flatMap(({ syntax }) => showerOf(syntax) ?? []));
  const [only, second] = shown;
  const more = only === undefined || second !== undefined ? null : along.shown(only);
  return more?.resource === kept.name ? compileFindTold(kept, more, model, environment) : null;
}

/** The resource or view by which an expression shows the item at hand; null: it does something else. */
function showerOf(syntax: Syntax): string | null {
  if (syntax.op !== 'call') return null;
  const [name, [of]] = syntax.args;
  return of && path(of)?.join('.') === 'this' ? name : null;
}

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
  const find = compileFindTold(kept, along, model, environment);
  const told = (item: KeptItem, frame: Frame): KeptItem => {
    const { row } = item;
    const reads = frame.reads as Reads | undefined;
    if (row === null || row.besides || reads === undefined) return item;
    const found = find(reads, row.key, frame);
    if (!found?.besides || found.text !== row.text) return item;
    return kept.item(kept.told(row, found.besides), () => frame);
  };
  return (item, frame) => write(told(item as KeptItem, frame), frame);
}
