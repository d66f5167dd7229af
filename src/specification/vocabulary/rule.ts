import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Scalar } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { anyOf, defined, type Form, own, point, section, words as wordsForm } from '../reading/form.ts';
import {
  entry,
  type Formed,
  formed,
  listOf,
  type Placed,
  placedText,
  record,
  text,
  value,
} from '../reading/reading.ts';
import { isMarker, type Said } from '../reading/said.ts';
import { expression, holdsExpression, isHandled, type PlacedTemplate } from '../reading/templates.ts';

/** Whom a rule lets in; of a list, any of them (language §5.2). */
export type Grant =
  | { readonly kind: 'anyone' | 'known'; readonly at: Span }
  /** Who is this actor of part 1. */
  | { readonly kind: 'actor'; readonly name: string; readonly at: Span }
  | {
      readonly kind: 'expression';
      readonly expression: PlacedTemplate;
      /** It reads `this`, so that it is judged for each item. */
      readonly aboutItem: boolean;
      readonly at: Span;
    };

/** Who may ask for an operation: who satisfies the rule and, for each item, the rule about it. */
export interface Rule {
  readonly rule: Said<readonly Grant[]>;
  readonly items: Said<readonly Grant[]>;
  /** The schemes by which a request may say who sends it: any of these lists, and all the schemes in it. */
  readonly schemes: Said<readonly (readonly Wanted[])[]>;
}

/** A scheme, by its name, and all the scopes that its credential has to grant. */
export interface Wanted extends Placed {
  readonly scopes: readonly Placed[];
}

const words = ['anyone', 'known'] as const;

const grantForm: Form = defined('grant', {
  kind: 'own',
  says: 'a rule',
  within: () => [expression.form],
  schema: (of) => ({
    title: 'rule',
    $comment: 'anyone, known, the name of an actor, or an expression (language §5.5).',
    anyOf: [
      of(wordsForm(...words)),
      { type: 'string' },
      { type: 'array', items: { type: 'string' } },
      { $ref: '#/$defs/handler' },
      { $ref: '#/$defs/marker' },
    ],
  }),
  marked: true,
});

const grant: Formed<Grant> = formed(grantForm, (node, place, reading) => {
  const at = node.span;
  if (holdsExpression(node) || isHandled(node)) {
    const read = expression(node, place, reading);
    const syntaxes = read ? expressionsIn(read.template).map(({ syntax }) => syntax) : [];
    const aboutItem = syntaxes.flatMap(pathsRead).some(([name]) => name === 'this');
    return read && { kind: 'expression', expression: read, aboutItem, at };
  }
  const name = placedText(node, place, reading);
  if (name === undefined) return undefined;
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name.text)) return reading.report('bad-name', at, { name: name.text });
  const kind = words.find((one) => one === name.text);
  return kind ? { kind, at } : { kind: 'actor', name: name.text, at };
});

const grants = formed(grantForm, listOf(grant));

/** A name, a list of names, or a map from names to lists of scopes, as in OpenAPI 3.2 (Security Requirement Object). */
const together: Formed<readonly Wanted[]> = formed(own('schemes', {}), (node, place, reading) => {
  if (node.kind !== 'map')
    return listOf(placedText)(node, place, reading)?.map((name) => ({ ...name, scopes: [] }));
  return [...node.entries].map(([text, { key, value }]) => {
    if (isMarker(value)) {
      const hint = 'state the scopes, or write schemes: (open) for all of them';
      reading.report('marker-in-literal', value.span, { text: (value as Scalar).written.trim() }, { hint });
      return { text, at: key, scopes: [] };
    }
    const scopes = listOf(placedText)(value, { address: place.address, at: key }, reading) ?? [];
    return { text, at: key, scopes };
  });
});

const about = section('5.5', 'authentication.rule');

const scopesForm: Form = {
  kind: 'map',
  of: { read: listOf(text), absence: 'value', literal: false },
};

const schemesForm: Form = anyOf(
  { kind: 'list', of: anyOf(listOf(text).form, scopesForm), alone: false },
  scopesForm,
  text.form,
);

const keys = {
  rule: value(grants, about('Whom the rule lets in.')),
  items: entry(grants, about('Whom the rule lets in for each item: a rule about `this`.', { rules: '18' })),
  schemes: entry(
    formed(schemesForm, listOf(together)),
    about('The schemes whose credentials are accepted: any of a list; all of a list or map within it.', {
      rules: '18',
    }),
  ),
};

/** Reads a rule: whom it lets in, or a map that says more. */
const ruleForm: Form = point('rule', anyOf(grantForm, record(keys, { title: 'rule' }).form));

export const rule: Formed<Rule> = formed(ruleForm, (node, place, reading) => {
  if (node.kind === 'map' && !isHandled(node)) return record(keys)(node, place, reading);
  const said = grants(node, place, reading);
  const { address, at } = place;
  const open = { kind: 'open', question: null, address, at } as const;
  const assumed = node.assumed === true;
  return said && { rule: { kind: 'stated', value: said, address, at, assumed }, items: open, schemes: open };
});
