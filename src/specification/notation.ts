import { get, type Mapping, mapping, type Node, put } from '../source/node.ts';
import { replaced, steps } from './address.ts';
import type { Reading } from './reading.ts';

/**
 * The rows of language §E that move what is written to another address; they come before anything is read, so
 * that a point has one address however it was written. The other rows stand where their keys are read.
 */
export function spelledOut(tree: Mapping, reading: Reading): Mapping {
  return defaults(statuses(tree), reading);
}

/** `response: 204` is `response: { status: 204 }` (language §E.1). */
function statuses(tree: Mapping): Mapping {
  const endpoints = get(tree, 'endpoints');
  if (endpoints?.kind !== 'map') return tree;
  const entries = [...endpoints.entries].map(([key, entry]) => {
    const response = entry.value.kind === 'map' ? entry.value.entries.get('response') : undefined;
    if (entry.value.kind !== 'map' || response === undefined) return [key, entry] as const;
    return [key, { ...entry, value: put(entry.value, 'response', withStatus(response.value)) }] as const;
  });
  return put(tree, 'endpoints', { ...endpoints, entries: new Map(entries) });
}

function withStatus(response: Node): Node {
  if (response.kind === 'list') return { ...response, items: response.items.map(withStatus) };
  if (response.kind === 'map' || typeof response.value !== 'number') return response;
  const status = mapping([['status', { key: response.span, value: response }]], response.span, response.assumed);
  return status;
}

/** `limits.defaults: { A: v }` is `default: v` at the address A (language §E.17). */
function defaults(tree: Mapping, reading: Reading): Mapping {
  const stated = get(get(tree, 'limits'), 'defaults');
  if (stated?.kind !== 'map') return tree;
  let result = tree;
  for (const [address, entry] of stated.entries) {
    const path = steps(address);
    if (path === undefined || path.includes('*')) reading.report('bad-address', entry.key, { address });
    else result = replaced(result, [...path, 'default'], entry.value, entry.key) as Mapping;
  }
  return result;
}
