import { children, type Expression, isFault, pathsRead, type Syntax } from '../../expression/expression.ts';
import { functions } from '../../expression/functions.ts';
import { isMacro } from '../../expression/macros.ts';
import { reserved } from '../../expression/reserved.ts';
import { parseText } from '../../expression/template.ts';
import type { Node, Scalar } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { kindOf, type Reading, within } from '../reading/reading.ts';
import { isMarker } from '../reading/said.ts';

/** An expression or a template with a name; where the name is used, it is written out (language §E.19). */
export interface Let {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly key: Span;
  /** Null: it is faulty, which was reported. */
  readonly body: Node | null;
}

export interface Lets {
  readonly all: ReadonlyMap<string, Let>;
  readonly used: Set<Let>;
}

export const noLets: Lets = { all: new Map(), used: new Set() };

/** How the name of a let is written, with its parameters. */
export const letForm = /^([a-z][A-Za-z0-9_]*)(?:\((.*)\))?$/;
const parameter = /^[a-z][A-Za-z0-9_]*$/;

/**
 * Reads the lets of the head, or those of an operation, which have no parameters (language §E.19).
 *
 * @param around those that hold there already. Default: none, and it is the head
 */
export function readLets(node: Node | undefined, reading: Reading, around?: Lets): Lets {
  if (node === undefined) return around ?? noLets;
  if (node.kind !== 'map') {
    reading.report('wrong-kind', node.span, {
      wanted: 'a map from names to expressions',
      found: kindOf(node),
    });
    return around ?? noLets;
  }
  const own = new Map<string, Let>();
  for (const [written, { key, value }] of node.entries) {
    const head = headOf(written, around === undefined);
    if (typeof head === 'string') {
      reading.report('bad-name', key, { name: written }, { hint: head });
      continue;
    }
    const before = own.get(head.name) ?? around?.all.get(head.name);
    if (before) reading.report('key-twice', key, { key: head.name }, { related: [before.key] });
    else own.set(head.name, { ...head, key, body: isSound(value, reading) ? value : null });
  }
  const all = new Map([...(around?.all ?? []), ...own]);
  for (const one of own.values())
    for (const name of circleOf(one, all, reading) ?? [])
      all.set(name, { ...(all.get(name) as Let), body: null });
  return { all, used: around?.used ?? new Set() };
}

/** The name and the parameters, or how they are to be written. */
function headOf(written: string, mayHave: boolean): Pick<Let, 'name' | 'parameters'> | string {
  const [, name, list] = letForm.exec(written) ?? [];
  const parameters = list === undefined ? [] : list.split(',').map((one) => one.trim());
  if (name === undefined || (list !== undefined && !parameters.every((one) => parameter.test(one))))
    return 'a let is written NAME: or NAME(PARAMETER, …):, and its names begin with a small letter';
  if (list !== undefined && !mayHave)
    return 'the let of an operation has no parameters; those of the head may';
  if ([name, ...parameters].some(isTaken)) return 'it stands for something else in every expression';
  if (new Set([name, ...parameters]).size <= parameters.length) return 'each of its names is another';
  return { name, parameters };
}

function isTaken(name: string): boolean {
  return reserved.includes(name) || functions.has(name) || isMacro(name) || name === 'has';
}

/** Whether its expressions can be read, and make nothing new. */
function isSound(body: Node, reading: Reading): boolean {
  if (isMarker(body)) {
    reading.report('wrong-kind', body.span, { wanted: 'an expression or a template', found: 'a marker' });
    return false;
  }
  return textsIn(body).every((node) => {
    const parsed = parseText(node.value as string);
    if (isFault(parsed)) {
      const at = within(node, parsed.start, parsed.end);
      reading.report('expression-syntax', at, { problem: parsed.message });
      return false;
    }
    for (const { syntax, from } of expressionsOf(node))
      for (const call of callsIn(syntax))
        if (functions.get(call.name)?.maker) {
          const at = within(node, from + call.start, from + call.end);
          reading.report('let-made', at, { call: call.name });
          return false;
        }
    return true;
  });
}

/** The texts with expressions in them, at any depth. */
export function textsIn(node: Node): Scalar[] {
  if (node.kind === 'list') return node.items.flatMap(textsIn);
  if (node.kind === 'map') return [...node.entries.values()].flatMap(({ value }) => textsIn(value));
  return typeof node.value === 'string' && node.value.includes('${') ? [node] : [];
}

/** The expressions of a text that can be read. */
export function expressionsOf(node: Scalar): (Expression & { readonly from: number })[] {
  const parsed = parseText(node.value as string);
  if (isFault(parsed) || parsed.kind === 'literal') return [];
  const pieces = parsed.kind === 'expression' ? [parsed] : parsed.pieces;
  return pieces.flatMap((one) => (typeof one === 'string' ? [] : [{ ...one.expression, from: one.from }]));
}

interface Call {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function callsIn(syntax: Syntax): Call[] {
  const { start, end } = syntax;
  const own = syntax.op === 'call' || syntax.op === 'rcall' ? [{ name: syntax.args[0], start, end }] : [];
  return [...own, ...children(syntax).flatMap(callsIn)];
}

/** The names that a let is written with. */
function namesIn({ body }: Let): string[] {
  const expressions = body ? textsIn(body).flatMap(expressionsOf) : [];
  return expressions.flatMap(({ syntax }) => [
    ...pathsRead(syntax).map(([root = '']) => root),
    ...callsIn(syntax).map(({ name }) => name),
  ]);
}

/** The way round by which a let is written with itself, which is told of once; null: it is not. */
function circleOf(one: Let, all: Lets['all'], reading: Reading): readonly string[] | null {
  const visit = (name: string, way: readonly string[], seen: Set<string>): readonly string[] | null => {
    const next = all.get(name);
    if (next === undefined || next.parameters.includes(name)) return null;
    for (const inner of namesIn(next)) {
      if (inner === one.name) return [...way, inner];
      if (next.parameters.includes(inner) || !all.has(inner) || seen.has(inner)) continue;
      seen.add(inner);
      const found = visit(inner, [...way, inner], seen);
      if (found) return found;
    }
    return null;
  };
  const names = visit(one.name, [one.name], new Set());
  if (names) reading.report('let-circle', one.key, { names });
  return names;
}

/** What nothing uses is most likely left over. */
export function tellUnused({ all, used }: Lets, reading: Reading): void {
  for (const one of all.values())
    if (!used.has(one) && one.body) reading.report('let-unused', one.key, { name: one.name });
}
