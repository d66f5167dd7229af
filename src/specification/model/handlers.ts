import type { Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { type Address, step } from '../reading/address.ts';
import type { Specification } from './specification.ts';

/** A place at which a function of the operator's stands (language §I). */
export interface HandlerPlace {
  readonly name: string;
  readonly address: Address;
  readonly at: Span;
  /** The keys on the way there, from the part on. */
  readonly path: readonly string[];
  /** For what it stands: what an operation does, a change that follows another, the work of a state, an expression. */
  readonly kind: 'operation' | 'following' | 'work' | 'expression';
}

/** Maps whose keys are names, so that `handled` is one of them and no word. */
const named = [
  'fields',
  'properties',
  'path',
  'query',
  'headers',
  'set',
  'extra',
  'messages',
  'codes',
  'kinds',
];

const known = new WeakMap<object, readonly HandlerPlace[]>();

/** Every place of a handler in a document. */
export function handlersIn({ tree }: Pick<Specification, 'tree'>): readonly HandlerPlace[] {
  const places = known.get(tree) ?? within(tree);
  known.set(tree, places);
  return places;
}

/** The names of the functions that a document asks for, each once. */
export function handlerNames(of: Pick<Specification, 'tree'>): string[] {
  return [...new Set(handlersIn(of).map(({ name }) => name))];
}

function within(tree: Node): HandlerPlace[] {
  const found: HandlerPlace[] = [];
  const path: (string | number)[] = [];
  const inner = (key: string | number, value: Node): void => {
    path.push(key);
    visit(value);
    path.pop();
  };
  const visit = (node: Node): void => {
    if (node.kind === 'scalar') return;
    if (node.kind === 'list') {
      for (const [index, item] of node.items.entries()) inner(index, item);
      return;
    }
    const name = node.entries.get('handled')?.value;
    const names = name?.kind === 'scalar' ? path.map(String) : [];
    const kind = name?.kind === 'scalar' ? kindAt(names, node.entries.size === 1) : null;
    if (name?.kind === 'scalar' && kind !== null) {
      const [part, ...further] = path;
      const address = further.reduce<Address>(step, String(part));
      found.push({ name: name.written, address, at: node.span, path: names, kind });
    } else for (const [key, { value }] of node.entries) inner(key, value);
  };
  visit(tree);
  return found;
}

function kindAt(path: readonly string[], isAlone: boolean): HandlerPlace['kind'] | null {
  const last = path.at(-1) ?? '';
  if (path[0] === 'endpoints' && path.length === 3 && last === 'does') return 'operation';
  if (path.at(-2) === 'also') return 'following';
  if (path[0] === 'states' && path.at(-2) === 'work') return 'work';
  return isAlone && !named.includes(last) ? 'expression' : null;
}
