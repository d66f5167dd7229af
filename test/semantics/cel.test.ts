import { describe, expect, it } from 'vitest';
import { typeOf } from '../../src/expression/check.ts';
import { isFault, parseExpression, type Syntax } from '../../src/expression/expression.ts';
import { evaluate, type World } from '../../src/semantics/value/evaluate.ts';
import { NotComputable, unknown, type Value } from '../../src/semantics/value/value.ts';
import { type Case, cases, type Foreign, scopeOf } from '../expression/cel.ts';
import { outside } from '../expression/cel-outside.ts';

const nowhere: World = {
  member: () => null,
  has: () => false,
  memberOfAny: () => unknown([]),
  items: () => undefined,
  show: () => undefined,
  make: () => undefined,
  follow: () => null,
};

/** The syntax of a case, typed; undefined if it is refused when it is read, or is outside the language. */
function syntaxOf(each: Case | Foreign): Syntax | undefined {
  if (!('text' in each) || each.expected === 'read') return undefined;
  const isOutside = outside.some(
    ({ cases, sections, says }) =>
      cases?.includes(each.name) ||
      says?.test(each.text) ||
      sections?.some((section) => each.name.startsWith(`${section} / `)),
  );
  const parsed = parseExpression(each.text);
  if (isOutside || isFault(parsed)) return undefined;
  const faults: string[] = [];
  typeOf(parsed.syntax, scopeOf(each), ({ message }) => faults.push(message));
  return faults.length === 0 ? parsed.syntax : undefined;
}

const readable = cases().flatMap((each) => {
  const syntax = syntaxOf(each);
  return syntax && 'text' in each ? [{ ...each, syntax }] : [];
});

function resultOf(syntax: Syntax, names: Case['values']): Value | 'none' {
  try {
    const value = evaluate(syntax, { names: names as Readonly<Record<string, Value>>, world: nowhere });
    // JSON has no -0.
    return value === 0 ? 0 : value;
  } catch (error) {
    if (error instanceof NotComputable) return 'none';
    throw error;
  }
}

describe("CEL's conformance data holds for the meaning of expressions", () => {
  it.each(readable.map((each) => [each.name, each] as const))(
    '%s',
    (_, { text, syntax, values, expected }) => {
      expect([text, resultOf(syntax, values)]).toEqual([text, expected]);
    },
  );
});
