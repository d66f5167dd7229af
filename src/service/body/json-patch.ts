import { equal } from '../../expression/functions.ts';
import { patchOperations } from '../../specification/vocabulary/keywords.ts';
import type { Held } from '../message/refusal.ts';
import { addAt, removeAt, tokensOf, valueAt } from './pointer.ts';

/** An operation of a JSON Patch (RFC 6902 §4). */
export interface Operation {
  readonly op: (typeof patchOperations)[number];
  readonly path: readonly string[];
  /** Of `move` and `copy`. */
  readonly from: readonly string[] | null;
  /** Of `add`, `replace` and `test`. */
  readonly value: unknown;
}

const withValue: readonly string[] = ['add', 'replace', 'test'];
const withFrom: readonly string[] = ['move', 'copy'];

/** The operations of a JSON Patch document; null where it is none (RFC 6902 §3, §4). */
export function readJsonPatch(document: unknown): readonly Operation[] | null {
  if (!Array.isArray(document)) return null;
  const operations = document.map(readOperation);
  return operations.includes(null) ? null : (operations as Operation[]);
}

function readOperation(written: unknown): Operation | null {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return null;
  const member = (name: string): unknown =>
    Object.hasOwn(written, name) ? (written as Record<string, unknown>)[name] : undefined;
  const op = patchOperations.find((name) => name === member('op'));
  const path = pointer(member('path'));
  if (op === undefined || path === null) return null;
  if (withValue.includes(op) && !Object.hasOwn(written, 'value')) return null;
  if (!withFrom.includes(op)) return { op, path, from: null, value: member('value') };
  const from = pointer(member('from'));
  // Nothing can be moved into itself (RFC 6902 §4.4).
  const isWithin = from !== null && path.length > from.length && from.every((one, at) => one === path[at]);
  if (from === null || (op === 'move' && isWithin)) return null;
  return { op, path, from, value: undefined };
}

function pointer(written: unknown): readonly string[] | null {
  return typeof written === 'string' ? tokensOf(written) : null;
}

/** What a patch leads to, or the first of its operations that cannot be applied: then none is (RFC 6902 §5). */
export type Patched = Applied | { readonly failed: Operation } | Held;

interface Applied {
  readonly document: unknown;
  /** What each object and list in it was before, where it was there: elements move within their list. */
  readonly origins: ReadonlyMap<unknown, unknown>;
}

/**
 * Applies a JSON Patch. The document that it is given stays as it is.
 *
 * @param isBarred whether an operation may not be carried out on the document as it is by then; `held` where that is
 *   open
 * @param most how many values the result may come to: `copy` doubles what is there with each operation
 */
export function applyJsonPatch(
  operations: readonly Operation[],
  before: unknown,
  isBarred: (operation: Operation, document: unknown) => Held | boolean,
  most: number,
): Patched {
  const root = { document: structuredClone(before) };
  const origins = originsOf(root.document, before);
  let left = most;
  for (const operation of operations) {
    const { op, path, from } = operation;
    const source = from ?? path;
    const found = op === 'add' ? operation.value : valueAt(root.document, source);
    const barred = found === undefined || isBarred(operation, root.document);
    if (typeof barred === 'object') return barred;
    if (barred) return { failed: operation };
    if (op === 'copy') left -= sizeOf(found);
    const isApplied = left >= 0 && carryOut(root, operation, path, from, found);
    if (!isApplied) return { failed: operation };
  }
  return { ...root, origins };
}

function originsOf(
  copy: unknown,
  before: unknown,
  found = new Map<unknown, unknown>(),
): Map<unknown, unknown> {
  if (typeof copy !== 'object' || copy === null) return found;
  found.set(copy, before);
  for (const [name, one] of Object.entries(copy))
    originsOf(one, (before as Readonly<Record<string, unknown>>)[name], found);
  return found;
}

function carryOut(
  root: { document: unknown },
  { op, value }: Operation,
  path: readonly string[],
  from: readonly string[] | null,
  found: unknown,
): boolean {
  switch (op) {
    case 'test':
      return equal(found, value);
    case 'remove':
      return remove(root, path);
    case 'add':
      return add(root, path, structuredClone(value));
    case 'replace':
      return path.length === 0 ? add(root, path, structuredClone(value)) : replace(root, path, value);
    case 'copy':
      return add(root, path, structuredClone(found));
    case 'move':
      return remove(root, from as readonly string[]) && add(root, path, found);
  }
}

function replace(root: { document: unknown }, path: readonly string[], value: unknown): boolean {
  return remove(root, path) && add(root, path, structuredClone(value));
}

function add(root: { document: unknown }, path: readonly string[], value: unknown): boolean {
  const last = path.at(-1);
  if (last !== undefined) return addAt(valueAt(root.document, path.slice(0, -1)), last, value);
  root.document = value;
  return true;
}

/** The whole can be replaced; once it were removed, nothing would be left to patch. */
function remove(root: { document: unknown }, path: readonly string[]): boolean {
  const last = path.at(-1);
  return last !== undefined && removeAt(valueAt(root.document, path.slice(0, -1)), last);
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + sizeOf(one), 1);
}
