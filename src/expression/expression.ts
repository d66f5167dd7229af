import { type ASTNode, parse as parseCel } from '@marcbachmann/cel-js';
import type { Span } from '../source/text.ts';
import { isMacro, type MacroName } from './macros.ts';

/** A node of CEL's syntax tree; `start` and `end` are offsets in the expression's text. */
export type Syntax = ASTNode;

/** One `${ }`, parsed (language §G.1). */
export interface Expression {
  readonly text: string;
  readonly syntax: Syntax;
  /** Where it stands in its document; undefined where it stands in none. */
  readonly at?: Span;
}

/** A fault in an expression: what is wrong, and where in its text. */
export interface Fault {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** What may stand instead. */
  readonly hint?: string;
  /** It is only that an item's member is named here and described nowhere, though others are. */
  readonly undescribed?: { readonly resource: string; readonly field: string };
  /** A parameter is read here that no request has. */
  readonly undeclared?: Undeclared;
}

interface Undeclared {
  readonly place: 'query' | 'headers';
  readonly name: string;
  readonly close: string | undefined;
}

/** @param characters how many it may have. Default: as many as an author may write */
export function parseExpression(text: string, characters: number = limits.characters): Expression | Fault {
  if (text.length > characters) return tooLarge(`is longer than ${characters} characters`, text);
  try {
    const syntax = parseCel(text).ast;
    return isDeep(syntax) ? tooLarge(`is nested more than ${limits.depth} deep`, text) : { text, syntax };
  } catch (error) {
    const { message, summary, range } = error as { message: string; summary?: string; range?: Range };
    const told = summary ?? message.split('\n')[0] ?? '';
    const problem = error instanceof RangeError ? 'it is nested too deep' : plainly(told);
    const start = Math.min(range?.start ?? 0, text.length);
    return { message: problem, start, end: Math.max(start + 1, range?.end ?? text.length) };
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The parser's names for what it reads, as an author knows them. */
const tokens = new Map([
  ['EOF', 'its end'],
  ['IDENTIFIER', 'a name'],
  ['NUMBER', 'a number'],
  ['STRING', 'a text'],
  ['LPAREN', '('],
  ['RPAREN', ')'],
  ['LBRACKET', '['],
  ['RBRACKET', ']'],
  ['LBRACE', '{'],
  ['RBRACE', '}'],
  ['COMMA', ','],
  ['COLON', ':'],
  ['DOT', '.'],
]);

function plainly(message: string): string {
  return message.replace(/\b[A-Z]{3,}\b/g, (name) => tokens.get(name) ?? name);
}

/** What the reader takes for one expression: a guard for the process, not a rule. */
const limits = { characters: 10_000, depth: 200 } as const;

function tooLarge(message: string, text: string): Fault {
  return { message: `it ${message}`, start: 0, end: text.length };
}

/** Whether a tree is too deep to be walked by recursion; found without one. */
function isDeep(syntax: Syntax): boolean {
  const open = [{ node: syntax, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > limits.depth) return true;
    for (const node of children(next.node)) open.push({ node, depth: next.depth + 1 });
  }
  return false;
}

export function isFault(parsed: object): parsed is Fault {
  return 'message' in parsed;
}

/** The nodes directly within a node, in the order of the text. */
export function children(syntax: Syntax): Syntax[] {
  switch (syntax.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [syntax.args[0]];
    case 'call':
      return syntax.args[1];
    case 'rcall':
      return [syntax.args[1], ...syntax.args[2]];
    case 'list':
      return syntax.args;
    case 'map':
      return syntax.args.flat();
    case '!_':
    case '-_':
      return [syntax.args];
    default:
      return [...syntax.args] as Syntax[];
  }
}

/** The names that a chain of members is read by: `this.author.name` is `['this', 'author', 'name']`. */
export function path(syntax: Syntax): string[] | undefined {
  if (syntax.op === 'id') return [syntax.args];
  if (syntax.op === '.') {
    const inner = path(syntax.args[0]);
    return inner && [...inner, syntax.args[1]];
  }
  if (syntax.op === '[]' && syntax.args[1].op === 'value' && typeof syntax.args[1].args === 'string') {
    const inner = path(syntax.args[0]);
    return inner && [...inner, syntax.args[1].args];
  }
  return undefined;
}

/** The same as a request has it: names of header fields are in lower case there, since any case will do. */
export function readPath(syntax: Syntax): string[] | undefined {
  const chain = path(syntax);
  const [root, place, name, ...rest] = chain ?? [];
  if (root !== 'request' || place !== 'headers' || name === undefined) return chain;
  return [root, place, name.toLowerCase(), ...rest];
}

/** Every name in an expression: of what it reads, of members, and of functions. */
export function namesIn(syntax: Syntax): readonly string[] {
  const within = children(syntax).flatMap(namesIn);
  if (syntax.op === 'id') return [String(syntax.args), ...within];
  if (syntax.op === 'call' || syntax.op === 'rcall') return [String(syntax.args[0]), ...within];
  return syntax.op === '.' || syntax.op === '.?' ? [String(syntax.args[1]), ...within] : within;
}

/** Every chain of members that an expression reads, the longest of each. Names that a macro binds are left out. */
export function pathsRead(syntax: Syntax): string[][] {
  const found: string[][] = [];
  const visit = (node: Syntax, bound: ReadonlySet<string>): void => {
    const chain = path(node);
    if (chain) {
      if (!bound.has(chain[0] as string)) found.push(chain);
      return;
    }
    const macro = macroOf(node);
    if (macro) {
      visit(macro.over, bound);
      const inner = new Set(bound).add(macro.name);
      for (const body of macro.bodies) visit(body, inner);
      return;
    }
    for (const child of children(node)) visit(child, bound);
  };
  visit(syntax, new Set());
  return found;
}

interface MemberRead {
  readonly over: Syntax;
  readonly member: string;
  readonly start: number;
  readonly end: number;
}

/** Every member that an expression reads, with what it is read of. */
export function membersRead(syntax: Syntax): MemberRead[] {
  const inner = children(syntax).flatMap(membersRead);
  if (syntax.op !== '.') return inner;
  const [over, member] = syntax.args;
  return [...inner, { over, member, start: syntax.start, end: syntax.end }];
}

/** The functions that an expression calls, by name. */
export function callsMade(syntax: Syntax): string[] {
  const own = syntax.op === 'call' || syntax.op === 'rcall' ? [syntax.args[0]] : [];
  return [...own, ...children(syntax).flatMap(callsMade)];
}

export interface Macro {
  readonly macro: MacroName;
  readonly over: Syntax;
  readonly name: string;
  readonly bodies: readonly Syntax[];
}

/** `list.map(x, …)` and its like, which bind a name for each element; undefined for any other node. */
export function macroOf(syntax: Syntax): Macro | undefined {
  if (syntax.op !== 'rcall') return undefined;
  const [name, over, [first, ...bodies]] = syntax.args;
  if (!isMacro(name) || first?.op !== 'id' || bodies.length !== 1) return undefined;
  return { macro: name, over, name: first.args, bodies };
}
