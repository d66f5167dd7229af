import { written } from '../../expression/values.ts';
import type { Json } from '../../source/node.ts';
import type { Style } from '../content/style.ts';

/** A value of a parameter of the query as encoded pairs, each `name=value` (OpenAPI 3.2 §4.12.3). */
export function queryPairs(name: string, value: Json, { word, explode }: Omit<Style, 'json'>): string[] {
  const pair = (key: string, text: string): string => `${encoded(key)}=${text}`;
  if (word === 'json') return [pair(name, encoded(JSON.stringify(value)))];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = isObject ? Object.entries(value) : null;
  if (members && (explode || word === 'deepObject'))
    return members.map(([key, one]) => pair(word === 'deepObject' ? `${name}[${key}]` : key, encoded(one)));
  const pieces = (members ?? [value]).flat();
  if (explode) return pieces.map((one) => pair(name, encoded(one)));
  return [pair(name, pieces.map(encoded).join(separators[word] ?? ','))];
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** A value as one part of a path or query. Throws where it is a list or an object. */
export function encoded(value: unknown): string {
  return encodeURIComponent(written(value).toWellFormed());
}
