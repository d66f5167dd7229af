import { RE2JS } from 're2js';

/**
 * A stated pattern as a linear-time test (language §H.1): RE2's syntax, by code point, found anywhere in the
 * text, as JSON Schema says. Throws where the pattern is not of that syntax.
 */
export function compilePattern(pattern: string): { readonly test: (text: string) => boolean } {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find() };
}

/** What is wrong with a pattern, or undefined. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^error parsing regexp: /, '');
  }
}
