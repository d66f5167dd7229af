/** The mark of spec-kit for what nobody has said yet: `[NEEDS CLARIFICATION: a question?]` (language §B, rule 7). */
export const markPattern = /\[NEEDS CLARIFICATION(?::([^\]\n]*))?\]/g;

const alone = /^(["']?)\[NEEDS CLARIFICATION(?::([^\]\n]*))?\]\1$/;

/**
 * A value that is such a mark and nothing else, with or without quotation marks, as the language writes it:
 * `(open) a question?`. Undefined: it is something else.
 */
export function questionMarked(written: string): string | undefined {
  const found = alone.exec(written);
  if (found === null) return undefined;
  const question = found[2]?.trim() ?? '';
  return question === '' ? '(open)' : `(open) ${question}`;
}
