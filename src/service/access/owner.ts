import { hash } from 'node:crypto';
import { Kind } from '../judge/rule.ts';
import type { Presented } from '../message/frame.ts';
import type { RowItem } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { canonical } from '../value/canonical.ts';

/** Who, or what, a value is, as a text that is the same for equal ones: an item by its key, what is else by its value. */
export function ownerOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const { resource = '', row } = value as Partial<RowItem>;
  return row ? ofRow(resource, row) : canonical(value);
}

/** Who asks, as a text: where an actor is known by its kind alone, or not at all, by the credentials that it brings. */
export function askerOf(actor: unknown, presented: Presented): string {
  const owner = ownerOf(actor);
  const isKind = actor instanceof Kind || owner === '{}';
  return isKind ? `${owner} ${hash('sha256', canonical([...presented]), 'base64url')}` : owner;
}

/** By the rows that were told of: whoever asks again is known by the same one for a while. */
const known = new WeakMap<Row, string>();

function ofRow(resource: string, row: Row): string {
  const before = known.get(row);
  if (before !== undefined) return before;
  const text = JSON.stringify([resource, row.key]);
  known.set(row, text);
  return text;
}
