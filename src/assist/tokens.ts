import { nameKinds } from '../specification/reading/name-use.ts';
import type { KeyPlace } from './keys.ts';
import type { Named } from './names.ts';
import { byPlace, type Place } from './place.ts';

/** What characters stand for: a key of the language, a marker, or a name of the author's. */
export const tokenKinds = ['key', 'marker', ...nameKinds] as const;

export type TokenKind = (typeof tokenKinds)[number];

export interface Token extends Place {
  readonly kind: TokenKind;
  /** Whether the name is declared there. */
  readonly declares: boolean;
}

/** What stands in one file of a document, in its order; no token overlaps another. */
export function tokens(keys: readonly KeyPlace[], names: readonly Named[], file: string): Token[] {
  const found: Token[] = [];
  const add = ({ file: of, start, end }: Place, kind: TokenKind, declares: boolean): void => {
    if (of === file && end > start) found.push({ file, start, end, kind, declares });
  };
  for (const { kind, declared, uses } of names) {
    if (declared) add(declared, kind, true);
    for (const use of uses) add(use, kind, false);
  }
  for (const key of keys) {
    if (key.file !== file) continue;
    if (key.isOfLanguage) add(key, 'key', false);
    if (key.isOpen) add({ file, start: key.from, end: key.to }, 'marker', false);
  }
  let end = -1;
  // Of two that begin at one place, names come first.
  return found.sort(byPlace).filter((token) => {
    if (token.start < end) return false;
    end = token.end;
    return true;
  });
}
