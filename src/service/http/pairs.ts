/** One `name=value` of a query, or of a form. */
export interface Pair {
  readonly name: string;
  readonly value: string;
  /** The value before it was decoded. */
  readonly raw: string;
}

/**
 * Reads the pairs of a query or of a form (`application/x-www-form-urlencoded`, URL standard §5.1); null where the
 * coding of one is broken, or it holds U+0000 (language §H.4, condition 1).
 */
export function readPairs(text: string): readonly Pair[] | null {
  const pairs: Pair[] = [];
  try {
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const [name, raw] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      pairs.push({ name: decodePart(name), value: decodePart(raw), raw });
    }
  } catch {
    return null;
  }
  return pairs;
}

/** Throws URIError where the coding is broken. */
export function decodePart(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  const plain = spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
  if (plain.includes('\u0000')) throw new URIError('U+0000');
  return plain;
}
