import { isFault } from '../expression/expression.ts';
import { parseText, type Template, type TextTemplate } from '../expression/template.ts';
import { get, type Json, type Node, type Scalar, setMember } from '../source/node.ts';
import { kindOf, type Read, type Reading, within } from './reading.ts';
import { isMarker } from './said.ts';

/** How an expression names a member: after a dot, or in brackets where it is no identifier of CEL. */
export function member(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A template together with where its expressions stand. */
export interface PlacedTemplate {
  readonly template: Template;
  readonly node: Node;
}

/** Whether a function of the operator's stands for an expression: `{ handled: NAME }` (language §I). */
export function isHandled(node: Node): boolean {
  return node.kind === 'map' && node.entries.size === 1 && node.entries.has('handled');
}

/** A value that is a literal or has expressions in its texts, at any depth, and is whole (language §H.3). */
export const template: Read<PlacedTemplate> = (node, _place, reading) => {
  if (isHandled(node)) return handled(node, reading);
  const parsed = parse(node, reading);
  return parsed && { template: parsed, node };
};

/**
 * A value in which no expression may stand. A text that would be read as a marker or an expression is written as
 * the literal of an expression, `${"(none)"}`, or with `$${` (language §B, §G.1).
 */
export const literalJson: Read<Json> = (node, _place, reading) => {
  const read = (of: Node): Json => {
    if (of.kind === 'list') return of.items.map(read);
    if (of.kind === 'scalar') return literalText(of, reading);
    const value: Record<string, Json> = {};
    for (const [key, entry] of of.entries) setMember(value, key, read(entry.value));
    return value;
  };
  return read(node);
};

function literalText(node: Scalar, reading: Reading): Json {
  if (!holdsExpression(node)) return node.value;
  const parsed = parse(node, reading);
  if (parsed === undefined || parsed.kind === 'literal') return parsed?.value ?? null;
  const syntax = parsed.kind === 'expression' ? parsed.expression.syntax : undefined;
  if (syntax?.op === 'value' && typeof syntax.args === 'string') return syntax.args;
  reading.report('wrong-kind', node.span, { wanted: 'a literal', found: 'an expression' });
  return null;
}

/** A text with or without expressions, or wholly one expression. */
export const textTemplate: Read<PlacedTemplate> = (node, place, reading) => {
  if (node.kind === 'scalar' || isHandled(node)) return template(node, place, reading);
  return reading.report('wrong-kind', node.span, { wanted: 'text or an expression', found: kindOf(node) });
};

/** Wholly one expression in `${ }`. */
export const expression: Read<PlacedTemplate> = (node, place, reading) => {
  const read = textTemplate(node, place, reading);
  if (read === undefined || ['expression', 'handled'].includes(read.template.kind)) return read;
  return reading.report('not-an-expression', node.span, {});
};

function handled(node: Node, reading: Reading): PlacedTemplate | undefined {
  const name = get(node, 'handled') as Node;
  if (name.kind === 'scalar' && /^[A-Za-z][A-Za-z0-9_-]*$/.test(name.written))
    return { template: { kind: 'handled', name: name.written }, node };
  return reading.report('bad-name', name.span, {
    name: name.kind === 'scalar' ? name.written : kindOf(name),
  });
}

/** Whether a node is text that holds an expression. */
export function holdsExpression(node: Node): boolean {
  return node.kind === 'scalar' && typeof node.value === 'string' && node.value.includes('${');
}

function parse(node: Node, reading: Reading): Template | undefined {
  switch (node.kind) {
    case 'scalar': {
      if (typeof node.value !== 'string') return { kind: 'literal', value: node.value };
      const parsed: TextTemplate | ReturnType<typeof parseText> = parseText(node.value);
      if (!isFault(parsed)) return parsed;
      return reading.report('expression-syntax', within(node, parsed.start, parsed.end), {
        problem: parsed.message,
      });
    }
    case 'list': {
      const items = node.items.map((item) => parseMember(item, reading));
      return items.includes(undefined) ? undefined : { kind: 'list', items: items as Template[] };
    }
    case 'map': {
      if (isHandled(node)) return handled(node, reading)?.template;
      const members = [...node.entries].map(
        ([name, entry]) => [name, parseMember(entry.value, reading)] as const,
      );
      if (members.some(([, member]) => member === undefined)) return undefined;
      return { kind: 'object', members: new Map(members as (readonly [string, Template])[]), rest: null };
    }
  }
}

/** Within a payload a marker could as well be the text itself (language §B). */
function parseMember(node: Node, reading: Reading): Template | undefined {
  if (!isMarker(node)) return parse(node, reading);
  return reading.report('marker-in-literal', node.span, { text: (node as Scalar).written });
}
