import type { Frame } from '../../expression/compile.ts';
import { and, compare, parameter, query } from '../../expression/query.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Failing } from '../message/refusal.ts';
import { keyOf } from '../resource/item.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Conditions } from '../resource/where.ts';
import { type Reads, type Row, type Statement, statement } from '../store/rows.ts';
import { type Asked, failing, type PageParameters } from './asked.ts';
import { type Cursors, cursorsOf, type KeyValue, type Mark, type Position } from './cursor.ts';
import type { Search, Within } from './statements.ts';

/** From where to where a page may reach, or what is wrong with what says so. */
export type FindPositions = (
  reads: Reads,
  search: Search,
  asked: Asked,
  frame: () => Frame,
) => { readonly within: Within } | { readonly failures: readonly Failing[] };

/** The most positions that a request names: a cursor, and an item on each side. */
export const mostPositions = 3;

export function compilePositions(
  kept: KeptResource,
  parameters: PageParameters,
  conditions: Conditions,
): FindPositions {
  const seek = parameters.after || parameters.before ? compileSeek(kept, conditions) : null;
  return (reads, search, asked, frame) => {
    if (asked.cursor === undefined && asked.after === undefined && asked.before === undefined)
      return { within: [] };
    const found: Position[] = [];
    const failures: Failing[] = [];
    if (asked.cursor !== undefined && parameters.cursor) {
      const position = cursorsFor(search).read(asked.cursor);
      if (position) found.push(position);
      else failures.push(failing(parameters.cursor, 'cursor', asked.cursor));
    }
    for (const side of ['after', 'before'] as const) {
      const [value, placed] = [asked[side], parameters[side]];
      if (value === undefined || placed === undefined) continue;
      const row = seek?.(reads, search, value) ?? null;
      if (row) found.push({ side, at: markOf(kept, search, row, frame) });
      // As of any reference to nothing (language §H.4).
      else failures.push(failing(placed, 'refers', value));
    }
    if (failures.length > 0) return { failures };
    return { within: found.sort((a, b) => a.side.localeCompare(b.side)) };
  };
}

export function cursorsFor({ told, keys }: Search): Cursors {
  return cursorsOf(told(), keys.length);
}

/** What an item is put in order by. */
export function markOf(kept: KeptResource, { keys }: Search, row: Row, frame: () => Frame): Mark {
  const item = kept.item(row, frame);
  return { keys: keys.map(({ name }) => keyValue(item.member(name))), place: row.place as number };
}

function keyValue(value: unknown): KeyValue {
  const key = keyOf(value) ?? null;
  return typeof key === 'object' && key !== null ? true : (key as KeyValue);
}

/** Finds the item with an identifier among those that the list may show to whoever asks, however it is filtered (language §4.5). */
function compileSeek(
  kept: KeptResource,
  conditions: Conditions,
): (reads: Reads, search: Search, value: unknown) => Row | null {
  const fields = kept.keyFields.map((name) => ({
    node: conditions.field(name).node,
    slot: conditions.slot(),
  }));
  const isIt = fields.map(({ node, slot }) => compare('==', node, parameter(slot)));
  const statements = new Map<string, Statement>();
  const find = ({ form, where }: Search['unfiltered']): Statement => {
    const found =
      statements.get(form) ?? statement(query(conditions.row, { where: and(...where(), ...isIt) }));
    statements.set(form, found);
    return found;
  };
  const types = kept.keyFields.map((name) =>
    stated(kept.resource.fields.get(name)?.shape.keywords.get('type')),
  );
  return (reads, { values, unfiltered }, value) => {
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (parts.length !== fields.length) return null;
    const all = [...values];
    for (const [index, { slot }] of fields.entries()) all[slot] = asType(parts[index], types[index]);
    return reads.rows(find(unfiltered), all)[0] ?? null;
  };
}

/** A parameter that states no type is text (language §E.13), also where what it identifies is known by a number. */
function asType(value: unknown, type: unknown): unknown {
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
