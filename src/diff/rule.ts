import { get, type Node } from '../source/node.ts';
import { find } from '../specification/reading/address.ts';
import { withoutMedia } from './content.ts';
import type { Difference } from './difference.ts';
import type { Usage } from './usage.ts';
import { statedValue } from './value.ts';

/**
 * What a difference does to those who rely on what was stated. `breaking`: a client of the implementation as it
 * was stated can fail. `stored data`: what is kept may not fit what is stated now. `harmless`: neither.
 */
export type Effect = 'breaking' | 'stored data' | 'harmless';

export interface Judgement {
  readonly effect: Effect;
  /** One clause: what it comes to for whoever is touched by it. */
  readonly message: string;
}

/** Both specifications, as far as a rule looks beyond the difference itself. */
export interface Context {
  readonly before: Node;
  readonly after: Node;
  readonly was: Usage;
  readonly is: Usage;
  /** The version that was the newest and is still served, and what breaks its clients: `ADDRESS RULE`. */
  readonly superseded?: { readonly name: string; readonly broken: ReadonlySet<string> };
}

/** One rule about differences. A difference that no rule knows is told as such, and never as harmless. */
export interface Rule {
  readonly name: string;
  /** The section of the language reference that says what the statement means. */
  readonly section: string;
  /** Where it looks: steps of an address, `*` for any one, `**` for any number of them. */
  readonly at: readonly string[];
  readonly judge: (difference: Difference, context: Context) => readonly Judgement[];
}

export function breaking(message: string): Judgement {
  return { effect: 'breaking', message };
}

export function stored(message: string): Judgement {
  return { effect: 'stored data', message };
}

export function harmless(message: string): Judgement {
  return { effect: 'harmless', message };
}

/** Whether a path is one that the pattern means; each is a list of steps. What is in `content` is as if it stood alone. */
export function matches(path: readonly string[], pattern: string): boolean {
  const from = (steps: readonly string[], wanted: readonly string[]): boolean => {
    const [first, ...further] = wanted;
    if (first === undefined) return steps.length === 0;
    if (first === '**') return steps.some((_, at) => from(steps.slice(at), further)) || from([], further);
    const [step, ...left] = steps;
    return step !== undefined && (first === '*' || first === step) && from(left, further);
  };
  return from(withoutMedia(path), pattern.split('/'));
}

/** Of a field of a resource: who brings it, who sees it, and whether it is kept. */
export interface Direction {
  readonly input: boolean;
  readonly output: boolean;
  readonly kept: boolean;
}

/** Which way the values of a shape go that stands at a path; undefined where no shape stands there. */
export function direction(path: readonly string[], context: Context): Direction | undefined {
  const [part, name, list, field] = path;
  if (part === 'endpoints') return { input: list === 'request', output: list === 'response', kept: false };
  if (part !== 'resources' || name === undefined) return undefined;
  const of = field === undefined || list !== 'fields' ? [] : [context.before, context.after];
  const fields = of.flatMap((tree) => find(tree, ['resources', name, 'fields', field as string]) ?? []);
  const not = (key: string): boolean =>
    fields.length > 0 && fields.every((one) => statedValue(get(one, key)) === false);
  const derived = fields.some((one) => statedValue(get(one, 'derived')) !== undefined);
  const { was, is } = context;
  return {
    input: (was.taken.has(name) || is.taken.has(name)) && !not('writable'),
    output: (was.shown.has(name) || is.shown.has(name)) && !not('readable'),
    kept: (was.kept.has(name) || is.kept.has(name)) && !derived,
  };
}
