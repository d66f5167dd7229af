import { get, type Mapping, type Node, put, scalar } from '../source/node.ts';
import { answerFields } from './field-name.ts';
import { withMedia } from './media.ts';
import { entry, kindOf, listOf, type Read, record, text, type Values, value, word } from './reading.ts';
import { isMarker } from './said.ts';
import { expression, holdsExpression, isHandled, type PlacedTemplate, template } from './templates.ts';

/** What a change came to (language §H.3). */
export const outcomes = ['created', 'changed', 'unchanged', 'deleted'] as const;
export type Outcome = (typeof outcomes)[number];

/** When an answer is the one to send: for these outcomes, or where an expression is true. */
export type When =
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate };

/** A status code (RFC 9110 §15): a final one, since an interim one answers nothing. */
export const status: Read<number> = (node, _place, reading) => {
  const code = node.kind === 'scalar' ? node.value : null;
  if (typeof code === 'number' && Number.isInteger(code) && code >= 200 && code <= 599) return code;
  return reading.report('bad-status', node.span, {
    found: node.kind === 'scalar' ? node.written : kindOf(node),
  });
};

const when: Read<When> = (node, place, reading) => {
  if (holdsExpression(node) || isHandled(node)) {
    const read = expression(node, place, reading);
    return read && { kind: 'expression', expression: read };
  }
  const read = listOf(word(...outcomes))(node, place, reading);
  return read && { kind: 'outcomes', outcomes: read };
};

const keys = {
  when: entry(when),
  status: value(status),
  headers: entry(answerFields),
  media: entry(text),
  under: entry(text),
  body: value(template),
};

export type Answer = Values<typeof keys>;

/** Statuses whose answers have no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5), so no body can be stated. */
export const bodiless: readonly number[] = [204, 205, 304];

const withBody = record(keys);
const withoutBody = record({ ...keys, body: entry(template) });

/** Reads one answer, or a list of them of which the first that holds is sent. */
export const answers: Read<readonly Answer[]> = (node, place, reading) => {
  const one: Read<Answer> = (of, where, inner) => {
    const map = spelledOut(of);
    const code = get(map, 'status');
    const bare = code?.kind === 'scalar' && bodiless.includes(code.value as number);
    const body = get(map, 'body');
    if (bare && body && !isMarker(body))
      inner.report('body-with-status', body.span, { status: code.value as number });
    return (bare ? withoutBody : withBody)(map, where, inner);
  };
  if (node.kind === 'list' && node.items.length === 0)
    return reading.report('wrong-kind', node.span, { wanted: 'an answer', found: 'an empty list' });
  if (node.kind === 'list') return listOf(one)(node, place, reading);
  const read = one(node, place, reading);
  return read && [read];
};

/** A body that is a name states what it shows (language §E.5), and a body's media type is JSON's (§E.5, §E.6). */
function spelledOut(node: Node): Node {
  if (node.kind !== 'map') return node;
  const body = node.entries.get('body');
  if (body === undefined || isMarker(body.value)) return node;
  const named = nameOf(body.value);
  const shown: Mapping =
    named === undefined
      ? node
      : put(node, 'body', scalar(`\${${named}(this)}`, body.value.span, body.value.assumed), body.key);
  return withMedia(shown);
}

/** The name of a resource or view that a body is, as `Todo` in `body: Todo`. */
export function nameOf(node: Node): string | undefined {
  return node.kind === 'scalar' && typeof node.value === 'string' && /^[A-Z][A-Za-z0-9]*$/.test(node.value)
    ? node.value
    : undefined;
}
