import { RE2JS } from 're2js';
import { asRe2 } from './pattern-syntax.ts';

/**
 * A stated pattern as a linear-time test (language §H.1): ECMA-262's, without look-around and back-references, by code
 * point, found anywhere in the text, as JSON Schema says. Throws where the pattern is not of that syntax.
 */
export function compilePattern(pattern: string): { readonly test: (text: string) => boolean } {
  const compiled = RE2JS.compile(asRe2(pattern));
  return { test: (text) => compiled.matcher(text).find() };
}

/** How many instructions the patterns of one specification may come to: a guard for the process, not a rule. */
export const mostInstructions = 100_000;

/** The patterns of one specification: each is compiled once, and so many altogether. */
export class Patterns {
  readonly #problems = new Map<string, string | null>();
  #instructions = 0;

  /**
   * What is wrong with a pattern: why it is none, or, once, `tooMany` where all of them are too large together; those
   * after it are not looked at. Undefined: nothing.
   */
  problem(pattern: string): string | undefined {
    if (this.#instructions > mostInstructions) return undefined;
    const known = this.#problems.get(pattern);
    if (known !== undefined) return known ?? undefined;
    const problem = this.#compile(pattern);
    this.#problems.set(pattern, problem ?? null);
    return problem;
  }

  #compile(pattern: string): string | undefined {
    try {
      this.#instructions += RE2JS.compile(asRe2(pattern)).programSize();
      return this.#instructions > mostInstructions ? tooMany : undefined;
    } catch (error) {
      return (error as Error).message.replace(/^error parsing regexp: /, '');
    }
  }
}

export const tooMany = 'too many';
