/** A range of bytes: the places of the first and of the last. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The one range that `Range` asks for, of content of so many bytes (RFC 9110 §14.1.2). Null: the field is ignored, since
 * it is unreadable, of another unit, or asks for several ranges (§14.2), or the content is empty.
 */
export function byteRange(field: string, length: number): ByteRange | 'past the end' | null {
  const [, set] = /^[ \t]*bytes[ \t]*=(.*)$/i.exec(field) ?? [];
  const [only, another] = (set ?? '').split(',').flatMap((one) => one.trim() || []);
  const [, from = '', to = ''] = (another === undefined && /^(\d*)-(\d*)$/.exec(only ?? '')) || [];
  if ((from === '' && to === '') || length === 0) return null;
  if (from === '') {
    const count = Math.min(Number(to), length);
    if (Number(to) === 0) return 'past the end';
    return { first: length - count, last: length - 1 };
  }
  const [first, last] = [Number(from), to === '' ? Number.POSITIVE_INFINITY : Number(to)];
  if (last < first) return null;
  return first >= length ? 'past the end' : { first, last: Math.min(last, length - 1) };
}
