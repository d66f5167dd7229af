import { type Expression, isFault } from '../../expression/expression.ts';
import { functions } from '../../expression/functions.ts';
import { parseText, type Template, type TextTemplate } from '../../expression/template.ts';
import { get, type Json, type Node, type Scalar, setMember } from '../../source/node.ts';
import { defined, type Form, markerForm, own } from './form.ts';
import { type Formed, formed, kindOf, type Reading, within } from './reading.ts';
import { isMarker } from './said.ts';

/** How many characters an expression has at most in which the use of each `let` is written out (language §E.19). */
export const mostExpanded = 200_000;

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

const noMarker = '^(?!\\s*\\((?:none|any)\\)\\s*$|\\s*\\(open\\)(?:\\s|$))';

/** A value in which no marker stands, at any depth. */
export const literalForm: Form = defined('literal', {
  kind: 'own',
  says: 'a value',
  schema: {
    title: 'value',
    $comment:
      'A literal: no marker stands here, since the text itself could be meant; write "${\\"(none)\\"}" for that (language §B).',
    pattern: noMarker,
    patternErrorMessage:
      'No marker stands where the text itself could be meant: write ${"(none)"} for that text (language §B).',
    items: { $ref: '#/$defs/literal' },
    additionalProperties: { $ref: '#/$defs/literal' },
  },
});

const constantForm: Form = defined('constant', {
  kind: 'own',
  says: 'a literal',
  schema: {
    title: 'literal',
    $comment: 'A literal in which no expression works anything out: enum, const and default (language §B).',
    pattern: `${noMarker}(?:\\s*\\$\\{\\s*[rR]?["'][\\s\\S]*\\}\\s*|(?:\\$\\$\\{|\\$(?!\\$?\\{)|[^$])*)$`,
    patternErrorMessage:
      'A literal stands here, no marker and no expression: write ${"(none)"} for that text, and $${ for ${ (language §B, §G.1).',
    items: { $ref: '#/$defs/constant' },
    additionalProperties: { $ref: '#/$defs/constant' },
  },
});

const templateForm: Form = defined('template', {
  kind: 'own',
  says: 'a value or template',
  within: () => [literalForm],
  schema: (of) => ({
    title: 'template',
    $comment: 'A literal or an expression, at any depth (language §H.3).',
    anyOf: [of(markerForm), of(literalForm)],
  }),
  marked: true,
});

/** `{ handled: NAME }`, a function of the operator's (language §I). */
const handlerForm: Form = defined(
  'handler',
  own('a handler', {
    title: 'handler',
    $comment: 'A function that the operator gives, by name; without it the point is open (language §I).',
    type: 'object',
    required: ['handled'],
    properties: {
      handled: {
        description: "The name of the operator's function (language §I).",
        $ref: '#/$defs/text',
        doNotSuggest: true,
      },
    },
    additionalProperties: false,
  }),
);

const textTemplateForm: Form = defined('textTemplate', {
  kind: 'own',
  says: 'text with expressions',
  within: () => [handlerForm],
  schema: (of) => ({
    title: 'text or expression',
    $comment: 'A text, in which expressions may stand in ${ } (language §G.1).',
    anyOf: [{ $ref: '#/$defs/text' }, of(handlerForm)],
  }),
  marked: true,
});

const expressionForm: Form = defined('expression', {
  kind: 'own',
  says: 'an expression',
  within: () => [handlerForm],
  schema: (of) => ({
    title: 'expression',
    $comment: "CEL within ${ } (language §G), or a function of the operator's (language §I).",
    anyOf: [
      {
        type: 'string',
        pattern: '^\\s*\\$\\{[\\s\\S]*\\}\\s*$',
        patternErrorMessage: 'An expression is wholly within ${ } (language §G.1).',
      },
      of(handlerForm),
      of(markerForm),
    ],
  }),
  marked: true,
});

/** What is sent: values at any depth, of which the members of objects may be markers (language §H.3). */
export const payloadForm: Form = defined('payload', {
  kind: 'own',
  says: 'a payload',
  within: () => [sentForm],
  schema: (of) => ({
    title: 'payload',
    $comment:
      'What is sent: a literal or an expression, at any depth; a member, and none in a list, may be a marker (language §H.3).',
    anyOf: [of(markerForm), of(sentForm)],
  }),
  marked: true,
});

const sentForm: Form = defined('sent', {
  kind: 'own',
  says: 'a value',
  schema: {
    title: 'value',
    $comment:
      'A body is made of values: an object that has the looks of a JSON Schema stands under shape (language §H.3).',
    anyOf: [
      {
        type: ['string', 'number', 'boolean', 'null', 'array'],
        pattern: noMarker,
        patternErrorMessage:
          'No marker stands where the text itself could be meant: write ${"(none)"} for that text (language §B).',
        items: { $ref: '#/$defs/sent' },
      },
      {
        type: 'object',
        additionalProperties: { $ref: '#/$defs/payload' },
        not: {
          required: ['type'],
          properties: {
            type: { enum: ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] },
          },
          anyOf: ['properties', 'fields', 'items', 'required', 'enum', '$ref'].map((key) => ({
            required: [key],
          })),
        },
      },
    ],
  },
});

/** A value that is a literal or has expressions in its texts, at any depth, and is whole (language §H.3). */
export const template: Formed<PlacedTemplate> = formed(templateForm, (node, _place, reading) => {
  if (isHandled(node)) return handled(node, reading);
  const parsed = parse(node, reading);
  return parsed && { template: parsed, node };
});

/**
 * A value in which no expression may stand. A text that would be read as a marker or an expression is written as
 * the literal of an expression, `${"(none)"}`, or with `$${` (language §B, §G.1).
 */
export const literalJson: Formed<Json> = formed(constantForm, (node, _place, reading) => {
  const read = (of: Node): Json => {
    if (of.kind === 'list') return of.items.map(read);
    if (of.kind === 'scalar') return literalText(of, reading);
    const value: Record<string, Json> = {};
    for (const [key, entry] of of.entries) setMember(value, key, read(entry.value));
    return value;
  };
  return read(node);
});

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
export const textTemplate: Formed<PlacedTemplate> = formed(textTemplateForm, (node, place, reading) => {
  if (node.kind === 'scalar' || isHandled(node)) return template(node, place, reading);
  return reading.report('wrong-kind', node.span, { wanted: 'text or an expression', found: kindOf(node) });
});

/** Wholly one expression in `${ }`. */
export const expression: Formed<PlacedTemplate> = formed(expressionForm, (node, place, reading) => {
  const read = textTemplate(node, place, reading);
  if (read === undefined || ['expression', 'handled'].includes(read.template.kind)) return read;
  return reading.report('not-an-expression', node.span, {});
});

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
      const called = /^([a-z]\w*)\(.*\)$/s.exec(node.value)?.[1];
      if (called !== undefined && functions.has(called))
        reading.report('bare-call', node.span, { call: node.value });
      const parsed: TextTemplate | ReturnType<typeof parseText> = parseText(
        node.value,
        node.pieces && mostExpanded,
      );
      if (!isFault(parsed)) return placed(parsed, node);
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

/** A text with the places of its expressions, so that a fault of the service can point at one. */
function placed(text: TextTemplate, node: Scalar): TextTemplate {
  const place = <P extends { readonly expression: Expression; readonly from: number }>(piece: P): P => ({
    ...piece,
    expression: {
      ...piece.expression,
      at: within(node, piece.from, piece.from + piece.expression.text.length),
    },
  });
  if (text.kind === 'expression') return place(text);
  if (text.kind === 'literal') return text;
  return { ...text, pieces: text.pieces.map((piece) => (typeof piece === 'string' ? piece : place(piece))) };
}

/** Within a payload a marker could as well be the text itself (language §B). */
function parseMember(node: Node, reading: Reading): Template | undefined {
  if (!isMarker(node)) return parse(node, reading);
  return reading.report('marker-in-literal', node.span, { text: (node as Scalar).written });
}
