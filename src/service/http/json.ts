import { isUtf8 } from 'node:buffer';
import type { Json } from '../../source/node.ts';
import { decimal } from '../value/decimal.ts';

/** How deep and how large a JSON text may be before it is read at all: host limits (principles). */
export interface JsonLimits {
  readonly depth: number;
  readonly nodes: number;
}

/** A JSON text as it was read, or why it was not: it cannot be read, or the host does not read as much. */
export type ParsedJson =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too large'; readonly limit: 'jsonDepth' | 'jsonNodes' };

const malformed: ParsedJson = { kind: 'malformed' };

/**
 * Reads a JSON text (RFC 8259) without loss: not UTF-8, a member twice, half of a surrogate pair, U+0000, an
 * integer that binary64 would round, a number past its range: all malformed (language §H.4, condition 1).
 */
export function parseJson(bytes: Buffer, limits: JsonLimits): ParsedJson {
  if (!isUtf8(bytes)) return malformed;
  const text = bytes.toString('utf8');
  const problem = inspect(text, limits);
  if (problem === 'malformed') return malformed;
  if (problem !== null) return { kind: 'too large', limit: problem };
  try {
    return { kind: 'value', value: JSON.parse(text) as Json };
  } catch {
    return malformed;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Walks over the text once, before it is parsed: counts what is nested and what there is, and finds what
 * JSON.parse would let pass. Texts that are no JSON may pass here; JSON.parse refuses those.
 */
function inspect(text: string, limits: JsonLimits): 'malformed' | 'jsonDepth' | 'jsonNodes' | null {
  /** For each open object the names seen; null for an array. */
  const open: (Set<string> | null)[] = [];
  let nodes = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === quote) {
      const end = closingQuote(text, i + 1);
      if (end === -1) return 'malformed';
      const escaped = text.slice(i + 1, end);
      const plain = escaped.includes('\\') ? unescaped(escaped) : escaped;
      if (plain === null || plain.includes('\u0000')) return 'malformed';
      const names = open.at(-1);
      if (names && isName(text, end + 1)) {
        if (names.has(plain)) return 'malformed';
        names.add(plain);
      }
      i = end;
    } else if (character === 0x7b || character === 0x5b) {
      open.push(character === 0x7b ? new Set() : null);
      if (open.length > limits.depth) return 'jsonDepth';
      nodes += 1;
    } else if (character === 0x7d || character === 0x5d) open.pop();
    else if (character === 0x2d || (character >= 0x30 && character <= 0x39)) {
      const end = numberEnd(text, i);
      if (!exact(text.slice(i, end))) return 'malformed';
      i = end - 1;
    } else if (character === 0x2c) nodes += 1;
    if (nodes > limits.nodes) return 'jsonNodes';
  }
  return null;
}

function closingQuote(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === quote) return i;
    if (character === backslash) i += 1;
  }
  return -1;
}

function unescaped(escaped: string): string | null {
  try {
    const plain = JSON.parse(`"${escaped}"`) as string;
    return plain.isWellFormed() ? plain : null;
  } catch {
    return null;
  }
}

/** Whether the string that ends here is a member's name: a colon follows. */
function isName(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === 0x3a) return true;
    if (character !== 0x20 && character !== 0x0a && character !== 0x0d && character !== 0x09) return false;
  }
  return false;
}

function numberEnd(text: string, from: number): number {
  let i = from + 1;
  while (i < text.length && /[0-9.eE+-]/.test(text[i] as string)) i += 1;
  return i;
}

/**
 * Whether a number is kept as it was written: a whole one is given back with the same digits, however it is
 * spelled; others are within binary64's range (language §G.6). What is no number may pass; JSON.parse refuses it.
 */
function exact(written: string): boolean {
  if (written.length < 16 && !/[eE]/.test(written)) return true;
  const value = Number(written);
  if (Number.isNaN(value)) return true;
  const { digits, power } = decimal(written);
  if (digits === '') return true;
  if (value === 0 || !Number.isFinite(value)) return false;
  if (power < 0) return true;
  const kept = decimal(String(value));
  return kept.digits === digits && kept.power === power;
}
