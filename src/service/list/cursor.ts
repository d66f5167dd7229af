import { hash } from 'node:crypto';

/** A place in a list: after one of its items, or before one; or at an end of it. */
export interface Position {
  readonly side: 'after' | 'before';
  /** Null: after the beginning, or before the end. */
  readonly at: Mark | null;
}

/** What an item is put in order by, and its place of insertion, which breaks every tie. */
export interface Mark {
  readonly keys: readonly KeyValue[];
  readonly place: number;
}

/** Lists and objects are held equal to true (`orderOf` in `keyset.ts`). */
export type KeyValue = string | number | boolean | null;

/** Texts for positions in one list, that no other list takes for its own (language §F.1: their characters are free). */
export interface Cursors {
  readonly write: (position: Position) => string;
  /** Null where the text is no cursor of this list. */
  readonly read: (text: unknown) => Position | null;
}

/**
 * Cursors of the list that `identity` tells from all others, put in order by so many keys. They tell one that was cut
 * or belongs to another list, and keep no secret: whoever makes one up sees what the list shows them anyway.
 */
export function cursorsOf(identity: unknown, keys: number): Cursors {
  const list = JSON.stringify(identity);
  const write = (position: Position): string => {
    const written = JSON.stringify(spread(position));
    return Buffer.from(digest(list, written) + written).toString('base64url');
  };
  return {
    write,
    read: (text) => {
      if (typeof text !== 'string') return null;
      const decoded = Buffer.from(text, 'base64url').toString();
      const written = decoded.slice(digestLength);
      if (digest(list, written) !== decoded.slice(0, digestLength)) return null;
      const position = gathered(JSON.parse(written) as unknown, keys);
      // What is no base64url is decoded too, as well as it can be.
      return position && write(position) === text ? position : null;
    },
  };
}

function spread({ side, at }: Position): readonly unknown[] {
  return at === null ? [side] : [side, at.place, ...at.keys];
}

function gathered(value: unknown, keys: number): Position | null {
  const [side, place, ...values] = Array.isArray(value) ? (value as unknown[]) : [];
  if (side !== 'after' && side !== 'before') return null;
  if (place === undefined) return { side, at: null };
  if (!Number.isSafeInteger(place) || values.length !== keys || !values.every(isKeyValue)) return null;
  return { side, at: { keys: values, place: place as number } };
}

function isKeyValue(value: unknown): value is KeyValue {
  return typeof value !== 'object' || value === null;
}

const digestLength = 16;

function digest(list: string, position: string): string {
  return hash('sha256', `${list}\n${position}`, 'base64url').slice(0, digestLength);
}
