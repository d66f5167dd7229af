import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import { type Expression, type Fault, isFault, parseExpression, path, pathsRead } from './expression.ts';

/** A text with expressions in it, taken apart (language §G.1). */
export type TextTemplate =
  | { readonly kind: 'literal'; readonly value: Json }
  /** Wholly one expression: the result keeps its type. */
  | { readonly kind: 'expression'; readonly expression: Expression; readonly from: number }
  /** Expressions within other text: their results are written into it. */
  | { readonly kind: 'text'; readonly pieces: readonly Piece[] };

export type Piece = string | { readonly expression: Expression; readonly from: number };

/** A literal value at any depth, with expressions in its texts: a payload (language §H.3). */
export type Template =
  | TextTemplate
  | {
      readonly kind: 'object';
      readonly members: ReadonlyMap<string, Template>;
      /** The address of what is not listed, where more may be sent than is; null where that is all (language §D.1). */
      readonly rest: string | null;
    }
  | { readonly kind: 'list'; readonly items: readonly Template[] }
  /** A function of the operator's stands for the expression (language §I). */
  | { readonly kind: 'handled'; readonly name: string }
  /** A member of which no value is stated: it is open, nothing or free (language §B). */
  | { readonly kind: 'marker'; readonly marker: 'open' | 'none' | 'any'; readonly address: string };

/**
 * Takes a text apart. `from` of an expression is the offset of its first character in the text.
 *
 * @param characters how many an expression may have. Default: as many as an author may write
 */
export function parseText(text: string, characters?: number): TextTemplate | Fault {
  const pieces: Piece[] = [];
  let plain = '';
  let offset = 0;
  while (offset < text.length) {
    if (text.startsWith('$${', offset)) {
      plain += '${';
      offset += 3;
    } else if (text.startsWith('${', offset)) {
      const from = offset + 2;
      const end = closingBrace(text, from);
      if (typeof end === 'object') return end;
      const parsed = parseExpression(text.slice(from, end), characters);
      if (isFault(parsed))
        return { ...parsed, start: from + parsed.start, end: Math.min(from + parsed.end, end) };
      if (plain !== '') pieces.push(plain);
      plain = '';
      pieces.push({ expression: parsed, from });
      offset = end + 1;
    } else {
      plain += text[offset];
      offset += 1;
    }
  }
  if (plain !== '') pieces.push(plain);
  const [only] = pieces;
  if (only === undefined) return { kind: 'literal', value: '' };
  if (pieces.length > 1) return { kind: 'text', pieces };
  return typeof only === 'string' ? { kind: 'literal', value: only } : { kind: 'expression', ...only };
}

/** The brace that matches the one before `from`; those within CEL's texts and comments do not count. */
function closingBrace(text: string, from: number): number | Fault {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '"' || character === "'") {
      const raw = /(^|[^A-Za-z0-9_])[rR]$/.test(text.slice(Math.max(from, i - 2), i));
      const mark = text.startsWith(character.repeat(3), i) ? character.repeat(3) : character;
      const start = i;
      i += mark.length;
      while (i < text.length && !text.startsWith(mark, i)) {
        // CEL would end the text here, and the parser would not.
        if (raw && text[i] === '\\' && text[i + 1] === character)
          return {
            message: 'a raw text cannot hold a backslash before a quotation mark',
            start: i,
            end: i + 2,
          };
        i += text[i] === '\\' ? 2 : 1;
      }
      if (i >= text.length)
        return { message: 'the text that begins here is never closed', start, end: text.length };
      i += mark.length - 1;
    } else if (text.startsWith('//', i)) {
      const end = text.indexOf('\n', i);
      i = end === -1 ? text.length : end;
    } else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return { message: 'the brace of this ${ is never closed', start: from - 2, end: text.length };
}

/** Every expression in a template, in the order of the text. */
export function expressionsIn(template: Template): Expression[] {
  switch (template.kind) {
    case 'literal':
    case 'handled':
    case 'marker':
      return [];
    case 'expression':
      return [template.expression];
    case 'text':
      return template.pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.expression]));
    case 'object':
      return [...template.members.values()].flatMap(expressionsIn);
    case 'list':
      return template.items.flatMap(expressionsIn);
  }
}

/** The names and members that the expressions of a template read. */
export const pathsIn = once((template: Template): readonly (readonly string[])[] =>
  expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax)),
);

/** Whether a template is the body of the request, taken whole. */
export function isWholeBody(template: Template): boolean {
  return wholePath(template)?.join('.') === 'request.body';
}

/** The names that a template is one after the other, as `this.device`; undefined: it is something else. */
export function wholePath(template: Template): readonly string[] | undefined {
  return template.kind === 'expression' ? path(template.expression.syntax) : undefined;
}
