import { createHash } from 'node:crypto';
import type { Asked } from './asked.ts';
import type { Desk } from './judges.ts';

/** The tag of the item that a request is about: of its bytes as the request's version reads it. */
export function etagOf({ table, items }: Desk, { item, scene, version, endpoint }: Asked): string | null {
  const kind = endpoint.conditional?.etag;
  if (kind === undefined || item === undefined || table === undefined) return null;
  const content = JSON.stringify(
    items.shown('Parcel', items.parcels.get(item['id']) ?? item, scene, version),
  );
  const tag = `"${createHash('sha256').update(version).update(content).digest('base64url')}"`;
  return kind === 'weak' ? `W/${tag}` : tag;
}

/** Whether a list of tags holds one that is equal (RFC 9110 §8.8.3.2), or any will do. */
export function matches(given: string, tag: string, comparison: 'strong' | 'weak'): boolean {
  if (given.trim() === '*') return true;
  const tags: readonly string[] = given.match(/(W\/)?"[^"]*"/g) ?? [];
  if (comparison === 'strong') return !tag.startsWith('W/') && tags.includes(tag);
  const opaque = (one: string): string => one.replace(/^W\//, '');
  return tags.some((one) => opaque(one) === opaque(tag));
}
