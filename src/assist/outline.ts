import { parts } from '../specification/reading/address.ts';
import { headings } from '../specification/reading/document.ts';
import type { KeyPlace } from './keys.ts';
import type { Place } from './place.ts';

export type SymbolKind =
  | 'part'
  | 'entry'
  | 'field'
  | 'machine'
  | 'transition'
  | 'endpoint'
  | 'actor'
  | 'scheme'
  | 'event'
  | 'delivery'
  | 'code'
  | 'limit'
  | 'version';

/** Something that has a name in a document, and what stands in it. */
export interface Outlined extends Place {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The place of its name. */
  readonly at: Place;
  readonly within: readonly Outlined[];
}

/** What the keys under a path are the names of; `*` is any key. */
const named: readonly { readonly path: readonly string[]; readonly kind: SymbolKind }[] = [
  { path: ['service', 'actors', '*'], kind: 'actor' },
  { path: ['resources', '*'], kind: 'entry' },
  { path: ['resources', '*', 'fields', '*'], kind: 'field' },
  { path: ['states', '*'], kind: 'machine' },
  { path: ['states', '*', 'transitions', '*'], kind: 'transition' },
  { path: ['endpoints', '* /*'], kind: 'endpoint' },
  { path: ['authentication', 'schemes', '*'], kind: 'scheme' },
  { path: ['events', 'kinds', '*'], kind: 'event' },
  { path: ['events', 'delivery', '*'], kind: 'delivery' },
  { path: ['errors', 'codes', '*'], kind: 'code' },
  { path: ['limits', 'rates', '*'], kind: 'limit' },
  { path: ['limits', 'concurrency', '*'], kind: 'limit' },
  { path: ['limits', 'quotas', '*'], kind: 'limit' },
  { path: ['versioning', 'versions', '*'], kind: 'version' },
];

/** The outline of one file of a document: its parts, and what they give names to. */
export function symbols(keys: readonly KeyPlace[], file: string): Outlined[] {
  const found: Open[] = [];
  const byPath = new Map<string, Open>();
  for (const key of keys) {
    const kind = key.file === file ? kindOf(key.path) : undefined;
    if (kind === undefined) continue;
    const symbol = opened(key, kind);
    byPath.set(JSON.stringify(key.path), symbol);
    (within(byPath, key.path) ?? found).push(symbol);
  }
  // The statements of a part are not those of the file that its name stands in first.
  for (const part of found) widen(part);
  return found;
}

interface Open extends Outlined {
  start: number;
  end: number;
  readonly within: Open[];
}

function opened({ file, start, end, to, path }: KeyPlace, kind: SymbolKind): Open {
  const name = kind === 'part' ? headings[path[0] as keyof typeof headings] : String(path.at(-1));
  return { file, start, end: Math.max(end, to), name, kind, at: { file, start, end }, within: [] };
}

function within(byPath: ReadonlyMap<string, Open>, path: readonly (string | number)[]): Open[] | undefined {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const above = byPath.get(JSON.stringify(path.slice(0, length)));
    if (above) return above.within;
  }
  return undefined;
}

function widen(symbol: Open): void {
  for (const one of symbol.within) {
    widen(one);
    symbol.start = Math.min(symbol.start, one.start);
    symbol.end = Math.max(symbol.end, one.end);
  }
}

function kindOf(path: KeyPlace['path']): SymbolKind | undefined {
  if (path.length === 1) return parts.some((part) => part === path[0]) ? 'part' : undefined;
  return named.find(
    (one) => one.path.length === path.length && one.path.every((step, index) => fits(step, path[index])),
  )?.kind;
}

function fits(step: string, name: string | number | undefined): boolean {
  if (step === '*') return typeof name === 'string';
  if (step === '* /*') return /^[A-Z-]+ \//.test(String(name));
  return step === name;
}
