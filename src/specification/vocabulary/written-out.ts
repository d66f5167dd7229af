import { children, isFault, macroOf, type Syntax } from '../../expression/expression.ts';
import { parseText } from '../../expression/template.ts';
import { get, type Mapping, type Node, type Piece, type Scalar } from '../../source/node.ts';
import type { Use } from '../../source/text.ts';
import { type Reading, within } from '../reading/reading.ts';
import { mostExpanded } from '../reading/templates.ts';
import { argumentsIn } from './arguments.ts';
import { expressionsOf, type Let, type Lets, readLets } from './let.ts';

/** How many nodes an expression has at most once each let is written out (language §E.19). */
const mostNodes = 10_000;

/** What a name stands for within a let: the argument, and the words in it. */
interface Argument {
  readonly pieces: readonly Piece[];
  readonly words: ReadonlySet<string>;
}

interface Around {
  readonly lets: Lets;
  readonly reading: Reading;
  /** Those of the let that is written out. */
  readonly parameters: ReadonlyMap<string, Argument>;
  readonly used: Use | null;
}

/** Where an expression stands, as it was written. */
interface Written {
  readonly node: Scalar;
  readonly from: number;
  readonly text: string;
}

class TooLarge extends Error {}

/**
 * The tree with each use of a `let` written out: an expression in parentheses, a template as it is, with the arguments
 * put in (language §E.19). So nothing that comes after knows of lets, but for where its texts stand.
 */
export function writtenOut(tree: Mapping, lets: Lets, reading: Reading): Mapping {
  const around: Around = { lets, reading, parameters: new Map(), used: null };
  const entries = [...tree.entries].map(([part, entry]) => {
    const { value } = entry;
    const out =
      part === 'endpoints' && value.kind === 'map' ? ofEndpoints(value, around) : nodeOut(value, around);
    return [part, { ...entry, value: out }] as const;
  });
  return { ...tree, entries: new Map(entries) };
}

/** An operation has lets of its own, without parameters. */
function ofEndpoints(endpoints: Mapping, around: Around): Mapping {
  const entries = [...endpoints.entries].map(([key, entry]) => {
    const { value } = entry;
    const own = key.includes(' ') && !key.startsWith('every ') ? get(value, 'let') : undefined;
    if (value.kind !== 'map' || own === undefined)
      return [key, { ...entry, value: nodeOut(value, around) }] as const;
    const lets = readLets(own, around.reading, around.lets);
    const rest = new Map(value.entries);
    rest.delete('let');
    const out = nodeOut({ ...value, entries: rest }, { ...around, lets });
    for (const one of lets.all.values())
      if (!around.lets.all.has(one.name) && !lets.used.has(one) && one.body)
        around.reading.report('let-unused', one.key, { name: one.name });
    return [key, { ...entry, value: out }] as const;
  });
  return { ...endpoints, entries: new Map(entries) };
}

function nodeOut(node: Node, around: Around): Node {
  if (around.lets.all.size === 0) return node;
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => nodeOut(item, around)) };
  if (node.kind === 'map') {
    const entries = [...node.entries].map(([key, entry]) => {
      if (key === 'as') notALet(entry.value, around);
      return [key, { ...entry, value: nodeOut(entry.value, around) }] as const;
    });
    return { ...node, entries: new Map(entries) };
  }
  notALet(node, around, / as (\w+)$/);
  if (typeof node.value !== 'string' || !node.value.includes('${')) return node;
  try {
    return scalarOut(node, around);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const name = node.value.length > 40 ? `${node.value.slice(0, 40)}…` : node.value;
    around.reading.report('let-too-large', node.span, { name, most: mostNodes });
    return nothing(node);
  }
}

/** Stands for a use that is faulty. */
function nothing(node: Scalar): Scalar {
  return { ...node, value: '${null}', written: '${null}' };
}

/** A name that `as` binds is another than those of lets. */
function notALet(node: Node, { lets, reading }: Around, form = /^(\w+)$/): void {
  const [, name = ''] = (node.kind === 'scalar' && form.exec(node.written)) || [];
  const known = lets.all.get(name);
  if (known)
    reading.report('bad-name', node.span, { name }, { related: [known.key], hint: 'a let has this name' });
}

function scalarOut(node: Scalar, around: Around): Node {
  const text = node.value as string;
  const parsed = parseText(text);
  if (isFault(parsed) || parsed.kind === 'literal') return node;
  const whole = parsed.kind === 'expression' ? useOf(parsed.expression.syntax, [], around) : undefined;
  if (parsed.kind === 'expression' && whole?.body) {
    const inner = enter(
      whole,
      parsed.expression.syntax,
      { node, from: parsed.from, text: parsed.expression.text },
      around,
    );
    return inner ? copyOf(whole.body, inner, node) : nothing(node);
  }
  const pieces: Piece[] = [];
  let last = 0;
  const plain = (to: number): void => {
    if (to > last) pieces.push({ text: text.slice(last, to), node, at: last, used: around.used });
  };
  for (const { syntax, text: own, from } of expressionsOf(node)) {
    plain(from);
    pieces.push(...expressionOut(syntax, { node, from, text: own }, around));
    last = from + own.length;
  }
  plain(text.length);
  const isAsWritten = joined(pieces) === text && pieces.every((one) => one.node === node);
  if (isAsWritten && around.used === null) return node;
  return sound({ ...node, value: joined(pieces), written: joined(pieces), from: null, pieces });
}

/** A template, or what is wholly an expression, at the place of its use. */
function copyOf(body: Node, around: Around, use: Scalar): Node {
  const out = nodeOut(body, around);
  if (out.kind !== 'scalar') return out;
  const used = around.used as Use;
  const pieces = out.pieces ?? [{ text: out.written, node: out, at: 0, used }];
  return { ...out, pieces, ...(use.assumed && { assumed: use.assumed }) };
}

/** Throws `TooLarge`. */
function sound(node: Scalar): Scalar {
  const parsed = parseText(node.value as string, mostExpanded);
  if (isFault(parsed) || parsed.kind === 'literal') return node;
  const all =
    parsed.kind === 'expression' ? [parsed] : parsed.pieces.filter((one) => typeof one !== 'string');
  if (all.some(({ expression }) => nodesIn(expression.syntax) > mostNodes)) throw new TooLarge();
  return node;
}

function nodesIn(syntax: Syntax): number {
  return children(syntax).reduce((sum, child) => sum + nodesIn(child), 1);
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** The let that a node uses; undefined: it uses none. */
function useOf(syntax: Syntax, locals: readonly string[], { lets, parameters }: Around): Let | undefined {
  if (syntax.op !== 'id' && syntax.op !== 'call') return undefined;
  const name = syntax.op === 'id' ? syntax.args : syntax.args[0];
  if (syntax.op === 'id' && (locals.includes(name) || parameters.has(name))) return undefined;
  const found = lets.all.get(name);
  return found && found.parameters.length > 0 === (syntax.op === 'call') ? found : undefined;
}

/** What a let is written out with at a use; undefined where it is used wrongly, which is reported. */
function enter(
  found: Let,
  syntax: Syntax,
  written: Written,
  around: Around,
  locals: ReadonlyMap<string, string> = new Map(),
): Around | undefined {
  const { lets, reading } = around;
  lets.used.add(found);
  const here = within(written.node, written.from + syntax.start, written.from + syntax.end);
  const at = around.used ? { ...here, used: around.used } : here;
  reading.use('let', found.name, here);
  const nodes = syntax.op === 'call' ? syntax.args[1] : [];
  if (nodes.length !== found.parameters.length) {
    const problem = `${found.name} takes ${found.parameters.length} values, and ${nodes.length} are given`;
    reading.report('expression-type', at, { problem });
    return undefined;
  }
  const ranges = nodes.length === 0 ? [] : argumentsIn(written.text, syntax.start + found.name.length);
  const given = nodes.map((node, index): [string, Argument] => {
    const [from, to] = ranges[index] as [number, number];
    const pieces = rangeOut(node, [from, to], written, around, locals);
    return [found.parameters[index] as string, { pieces, words: new Set(joined(pieces).match(/\w+/g)) }];
  });
  return { ...around, parameters: new Map(given), used: { name: found.name, at } };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

function expressionOut(syntax: Syntax, written: Written, around: Around): Piece[] {
  return rangeOut(syntax, [0, written.text.length], written, around, new Map());
}

function rangeOut(
  syntax: Syntax,
  [from, to]: readonly [number, number],
  written: Written,
  around: Around,
  locals: ReadonlyMap<string, string>,
): Piece[] {
  const edits = editsIn(syntax, written, around, locals).sort((a, b) => a.start - b.start);
  const own = (start: number, end: number): Piece[] =>
    start < end
      ? [
          {
            text: written.text.slice(start, end),
            node: written.node,
            at: written.from + start,
            used: around.used,
          },
        ]
      : [];
  let last = from;
  const pieces: Piece[] = [];
  for (const edit of edits) {
    pieces.push(...own(last, edit.start), ...edit.pieces);
    last = edit.end;
  }
  pieces.push(...own(last, to));
  if (pieces.reduce((sum, { text }) => sum + text.length, 0) > mostExpanded) throw new TooLarge();
  return pieces;
}

/** What of an expression is written otherwise; `locals` are the names that macros around it bind, and their new ones. */
function editsIn(
  syntax: Syntax,
  written: Written,
  around: Around,
  locals: ReadonlyMap<string, string>,
): Edit[] {
  const { start, end } = syntax;
  const edit = (to: number, pieces: readonly Piece[]): Edit[] => [{ start, end: to, pieces }];
  const text = (of: string): Piece => ({
    text: of,
    node: written.node,
    at: written.from + start,
    used: around.used,
  });
  const macro = macroOf(syntax);
  if (macro && syntax.op === 'rcall') {
    const name = freshName(macro.name, around, written);
    const bound = syntax.args[2][0] as Syntax;
    const renamed = name === macro.name ? [] : [{ start: bound.start, end: bound.end, pieces: [text(name)] }];
    const inner = new Map(locals).set(macro.name, name);
    return [
      ...editsIn(macro.over, written, around, locals),
      ...renamed,
      ...macro.bodies.flatMap((body) => editsIn(body, written, around, inner)),
    ];
  }
  if (syntax.op === 'id') {
    const local = locals.get(syntax.args);
    if (local !== undefined) return local === syntax.args ? [] : edit(end, [text(local)]);
    const argument = around.parameters.get(syntax.args);
    if (argument) return edit(end, enclosed(argument.pieces, text));
  }
  const found = useOf(syntax, [...locals.keys()], around);
  if (found === undefined)
    return children(syntax).flatMap((child) => editsIn(child, written, around, locals));
  const inner = enter(found, syntax, written, around, locals);
  const last =
    syntax.op === 'call'
      ? (argumentsIn(written.text, start + found.name.length).at(-1)?.[1] ?? end) + 1
      : end;
  return edit(last, inner && found.body ? bodyOf(found, inner, text) : [text('null')]);
}

/** A name that no argument reads, so that none of them is taken for what a macro binds. */
function freshName(name: string, { parameters }: Around, { text }: Written): string {
  const words = new Set([...parameters.values()].flatMap((one) => [...one.words]));
  if (!words.has(name)) return name;
  const known = new Set([...words, ...(text.match(/\w+/g) ?? [])]);
  let number = 1;
  while (known.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

function enclosed(pieces: readonly Piece[], text: (of: string) => Piece): Piece[] {
  // A comment at its end would take the parenthesis in.
  return [text('('), ...pieces, text(joined(pieces).includes('//') ? '\n)' : ')')];
}

/** A let within an expression: itself, a literal, or a text that is put together. */
function bodyOf(found: Let, around: Around, text: (of: string) => Piece): Piece[] {
  const body = found.body as Node;
  if (body.kind !== 'scalar') {
    const { at } = around.used as Use;
    const problem = `${found.name} is a template, and stands by itself: "\${${found.name}…}"`;
    around.reading.report('expression-type', at, { problem });
    return [text('null')];
  }
  const parsed = typeof body.value === 'string' ? parseText(body.value) : null;
  if (parsed === null || isFault(parsed)) return [text(JSON.stringify(body.value))];
  if (parsed.kind === 'literal') return [text(JSON.stringify(parsed.value))];
  const out = (one: {
    readonly expression: { readonly syntax: Syntax; readonly text: string };
    readonly from: number;
  }) =>
    enclosed(
      expressionOut(one.expression.syntax, { node: body, from: one.from, text: one.expression.text }, around),
      text,
    );
  if (parsed.kind === 'expression') return out(parsed);
  const parts = parsed.pieces.map((one) =>
    typeof one === 'string' ? [text(JSON.stringify(one))] : [text('string'), ...out(one)],
  );
  return enclosed(
    parts.flatMap((part, index) => (index === 0 ? part : [text(' + '), ...part])),
    text,
  );
}
