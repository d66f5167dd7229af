import { isFault } from '../expression/expression.ts';
import { parseText, type Template, type TextTemplate } from '../expression/template.ts';
import type { Json, Node } from '../source/node.ts';
import { kindOf, type Read, type Reading, within } from './reading.ts';

/** A template together with where its expressions stand. */
export interface PlacedTemplate {
  readonly template: Template;
  readonly node: Node;
}

/** A value that is a literal or has expressions in its texts, at any depth (language §H.3). */
export const template: Read<PlacedTemplate> = (node, _place, reading) => {
  const parsed = parse(node, reading);
  return parsed && { template: parsed, node };
};

/** A text with or without expressions, or wholly one expression. */
export const textTemplate: Read<PlacedTemplate> = (node, place, reading) => {
  if (node.kind === 'scalar') return template(node, place, reading);
  return reading.report('wrong-kind', node.span, { wanted: 'text or an expression', found: kindOf(node) });
};

/** Wholly one expression in `${ }`. */
export const expression: Read<PlacedTemplate> = (node, place, reading) => {
  const read = textTemplate(node, place, reading);
  if (read === undefined || read.template.kind === 'expression') return read;
  return reading.report('not-an-expression', node.span, {});
};

/** Whether a node is text that holds an expression. */
export function holdsExpression(node: Node): boolean {
  return node.kind === 'scalar' && typeof node.value === 'string' && node.value.includes('${');
}

function parse(node: Node, reading: Reading): Template | undefined {
  switch (node.kind) {
    case 'scalar': {
      if (typeof node.value !== 'string') return { kind: 'literal', value: node.value as Json };
      const parsed: TextTemplate | ReturnType<typeof parseText> = parseText(node.value);
      if (!isFault(parsed)) return parsed;
      return reading.report('expression-syntax', within(node, parsed.start, parsed.end), { problem: parsed.message });
    }
    case 'list': {
      const items = node.items.map((item) => parse(item, reading));
      return items.includes(undefined) ? undefined : { kind: 'list', items: items as Template[] };
    }
    case 'map': {
      const members = new Map<string, Template>();
      for (const [name, entry] of node.entries) {
        const member = parse(entry.value, reading);
        if (member === undefined) return undefined;
        members.set(name, member);
      }
      return { kind: 'object', members };
    }
  }
}
