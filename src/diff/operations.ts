import { get, type Node } from '../source/node.ts';
import { statedValue } from './value.ts';

/** The endpoint of each operation, by the operation's name: the one that is stated, else the endpoint's key (language §4.1). */
export function operationsOf(tree: Node): ReadonlyMap<string, string> {
  const endpoints = get(tree, 'endpoints');
  if (endpoints?.kind !== 'map') return new Map();
  const keys = [...endpoints.entries].filter(([key]) => key.includes(' '));
  return new Map(keys.map(([key, { value }]) => [String(statedValue(get(value, 'operation')) ?? key), key]));
}
