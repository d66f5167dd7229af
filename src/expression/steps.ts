import type { Expression } from './expression.ts';
import { isItem } from './values.ts';

/** How many steps an expression may take, with those that it is made of (language §G.7). */
export const mostSteps = 1_000_000;

/** An expression that takes more: it is worked out nowhere, and so refuses the request as `internal`. */
export class TooManySteps extends Error {
  /** The innermost expression that takes them. */
  expression: Expression | undefined;

  constructor() {
    super(`an expression takes more than ${mostSteps} steps`);
  }
}

/** How many characters are read in a step. */
const charactersRead = 100;

let taken = 0;
let depth = 0;

/** Stands before and after the run of an expression: what is within it counts for it, and for no other. */
export function begin(): void {
  if (depth === 0) taken = 0;
  depth += 1;
}

export function end(): void {
  depth -= 1;
}

/** Counts steps before they are taken. Throws `TooManySteps`. Outside of any expression each call is by itself. */
export function take(steps: number): void {
  taken = depth === 0 ? steps : taken + steps;
  if (taken > mostSteps) throw new TooManySteps();
}

/** How many steps it takes to read, and to make, a text of so many characters. */
export function stepsToRead(characters: number): number {
  return Math.floor(characters / charactersRead);
}

export function stepsToMake(characters: number): number {
  return Math.floor(characters / 10);
}

/** How many steps it takes to go through a value: its elements and members at any depth, and its texts. */
export function stepsThrough(value: unknown): number {
  if (typeof value === 'string') return stepsToRead(value.length);
  if (typeof value !== 'object' || value === null || isItem(value)) return 0;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let steps = parts.length;
  for (const one of parts) if (isLong(one)) steps += stepsThrough(one);
  return steps;
}

/** Whether going through a value may take a step. */
export function isLong(value: unknown): boolean {
  return typeof value === 'string'
    ? value.length >= charactersRead
    : typeof value === 'object' && value !== null;
}
