import { get, type Node } from '../source/node.ts';
import { statedValue } from './value.ts';

/** Which names of part 2 requests bring, answers, errors and events show, and a store keeps; over whatever others they use. */
export interface Usage {
  readonly taken: ReadonlySet<string>;
  readonly shown: ReadonlySet<string>;
  /** The resources, and the shapes of their fields: what a store holds. */
  readonly kept: ReadonlySet<string>;
}

export function usage(tree: Node): Usage {
  const endpoints = get(tree, 'endpoints');
  const resources = get(tree, 'resources');
  const known = resources?.kind === 'map' ? [...resources.entries.keys()] : [];
  const taken = new Set<string>();
  const shown = new Set<string>();
  const kept = new Set<string>();
  for (const endpoint of values(endpoints)) {
    const request = get(endpoint, 'request');
    for (const one of [request, ...values(get(request, 'content'))]) add(taken, get(one, 'body'));
    add(shown, get(endpoint, 'response'));
  }
  add(shown, get(tree, 'errors'));
  add(shown, get(tree, 'events'));
  for (const name of known) {
    const identifier = get(get(resources, name), 'identifier');
    if (identifier && statedValue(identifier) === undefined) continue;
    kept.add(name);
    for (const field of values(get(get(resources, name), 'fields'))) add(kept, field);
  }
  return { taken, shown, kept };

  /** The names within a node, and those that what they name uses in turn. */
  function add(to: Set<string>, node: Node | undefined): void {
    const found = texts(node).flatMap((text) => text.match(/\b[A-Z][A-Za-z0-9]*\b/g) ?? []);
    for (const name of found) {
      if (to.has(name) || !known.includes(name)) continue;
      to.add(name);
      add(to, get(resources, name));
    }
  }
}

function values(node: Node | undefined): Node[] {
  if (node?.kind === 'map') return [...node.entries.values()].map((entry) => entry.value);
  return node?.kind === 'list' ? [...node.items] : [];
}

function texts(node: Node | undefined): string[] {
  if (node?.kind === 'scalar') return typeof node.value === 'string' ? [node.value] : [];
  return values(node).flatMap(texts);
}
