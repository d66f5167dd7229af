import { get, type Mapping, type Node, put, scalar } from '../source/node.ts';
import { answerFields } from './field-name.ts';
import { withMedia } from './media.ts';
import { payload } from './payload.ts';
import { entry, kindOf, listOf, type Read, record, text, type Values, value, word } from './reading.ts';
import { isMarker } from './said.ts';
import { shape } from './shape.ts';
import { expression, holdsExpression, isHandled, type PlacedTemplate } from './templates.ts';

/** What a change came to (language §H.3). */
export const outcomes = ['created', 'changed', 'unchanged', 'deleted'] as const;
export type Outcome = (typeof outcomes)[number];

/** When an answer is the one to send: for these outcomes, or where an expression is true. */
export type When =
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate };

/** A status code (RFC 9110 §15): a final one, since an interim one answers nothing. */
const status: Read<number> = (node, _place, reading) => {
  const code = node.kind === 'scalar' ? node.value : null;
  if (typeof code === 'number' && Number.isInteger(code) && code >= 200 && code <= 599) return code;
  return reading.report('bad-status', node.span, {
    found: node.kind === 'scalar' ? node.written : kindOf(node),
  });
};

/** One status, or those of which the service sends the first and the tester accepts each (language §F.1). */
export const statuses: Read<readonly number[]> = (node, place, reading) =>
  node.kind === 'list' && node.items.length === 0
    ? reading.report('wrong-kind', node.span, { wanted: 'a status', found: 'an empty list' })
    : listOf(status)(node, place, reading);

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
  status: value(statuses),
  headers: entry(answerFields),
  media: entry(text),
  under: entry(text),
  body: value(payload),
  shape: entry(shape),
};

export type Answer = Values<typeof keys>;

/** Statuses whose answers have no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5), so no body can be stated. */
export const bodiless: readonly number[] = [204, 205, 304];

const withBody = record(keys);
const withoutBody = record({ ...keys, body: entry(payload) });

/** The first status that is written, where none of them has content. */
export function bodilessStatus(status: Node | undefined): number | undefined {
  const codes = (status?.kind === 'list' ? status.items : [status]).map((one) =>
    one?.kind === 'scalar' ? (one.value as number) : 0,
  );
  return codes.every((code) => bodiless.includes(code)) ? codes[0] : undefined;
}

/** Reads one answer, or a list of them of which the first that holds is sent. */
export const answers: Read<readonly Answer[]> = (node, place, reading) => {
  const one: Read<Answer> = (of, where, inner) => {
    const map = spelledOut(of);
    const bare = bodilessStatus(get(map, 'status'));
    for (const content of [get(map, 'body'), get(map, 'shape')])
      if (bare !== undefined && content && !isMarker(content))
        inner.report('body-with-status', content.span, { status: bare });
    return (bare === undefined ? withBody : withoutBody)(map, where, inner);
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
  const named = body && nameOf(body.value);
  const shown: Mapping =
    body === undefined || named === undefined
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
