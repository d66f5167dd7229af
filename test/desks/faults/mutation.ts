import type { Json } from '../../../src/source/node.ts';
import { step } from '../../../src/specification/reading/address.ts';

type Path = readonly (string | number)[];

/** A fault as it is listed: one mutation operator at one statement. The desks read all but the names. */
export interface Fault {
  /** The operator, the address of the statement, and what it says then. */
  readonly id: string;
  readonly operator: string;
  readonly address: string;
  /** Where it is planted, in the layout of the language. */
  readonly path: Path;
  readonly does: 'drop' | 'set' | 'rename' | 'retype' | 'distort' | 'negate';
  readonly value?: Json;
}

/** What an operator does at a statement; `path` where it is planted beside it. */
export interface Mutation {
  readonly does: Fault['does'];
  readonly value?: Json;
  readonly path?: Path;
  /** What the identifier says besides, where one operator does several things at one statement. */
  readonly says?: string;
}

/** A mutation operator: which statements it applies to, and what it makes of each. */
export interface Operator {
  readonly name: string;
  /** Paths with `*` for any one step, by dots; a list of alternatives. */
  readonly at: readonly string[];
  readonly mutate: (value: Json, path: Path, tree: Json) => readonly Mutation[];
}

export const drop: Operator['mutate'] = () => [{ does: 'drop' }];
export const distort: Operator['mutate'] = () => [{ does: 'distort' }];
export const negate: Operator['mutate'] = () => [{ does: 'negate' }];

/** The statement says something else: each of these that it does not say. */
export function says(...values: readonly Json[]): Operator['mutate'] {
  return (value) =>
    values.filter((one) => one !== value).map((one) => ({ does: 'set', value: one, says: String(one) }));
}

/** All faults that the operators make of a specification, in the order of its statements. */
export function mutated(tree: Json, operators: readonly Operator[]): Fault[] {
  const faults: Fault[] = [];
  const walk = (value: Json, path: Path): void => {
    for (const { name, at, mutate } of operators) {
      if (!at.some((pattern) => isAt(pattern, path))) continue;
      const address = path.slice(1).reduce<string>((so, one) => step(so, one), String(path[0]));
      for (const { does, value: then, path: place = path, says } of mutate(value, path, tree))
        faults.push({
          id: `${name} ${address}${says === undefined ? '' : `: ${says}`}`,
          operator: name,
          address,
          path: place,
          does,
          ...(then !== undefined && { value: then }),
        });
    }
    if (Array.isArray(value)) for (const [index, one] of value.entries()) walk(one, [...path, index]);
    else if (isMap(value)) for (const [key, one] of Object.entries(value)) walk(one, [...path, key]);
  };
  walk(tree, []);
  return faults;
}

function isMap(value: Json): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAt(pattern: string, path: Path): boolean {
  const steps = pattern.split('.');
  return (
    steps.length === path.length && steps.every((one, index) => one === '*' || one === String(path[index]))
  );
}

/** What stands at a path; undefined where nothing does. */
export function at(tree: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (so, one) =>
      typeof so === 'object' && so !== null ? (so as Record<string | number, Json>)[one] : undefined,
    tree,
  );
}
