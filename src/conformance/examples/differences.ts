import { equal } from '../../expression/functions.ts';
import { unseen } from '../../semantics/judge/answer.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import { type Exchange, header } from '../http.ts';
import { contentOf, expectedValue, type Names } from './values.ts';

/** Something in which an answer differs from the one that an example shows. */
export interface Difference {
  /** `status`, the name of a header field, or the JSON Pointer of a member of the body; the whole body: `body`. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * In what an answer differs from the one that its example shows (language §4.6). What the example leaves out is not
 * compared, and what cannot be worked out differs from nothing.
 *
 * @param names the answers to earlier examples, by their names
 */
export function differences(
  expected: Example['response'],
  exchange: Exchange,
  names: Names,
  specification: Specification,
): readonly Difference[] {
  const { status, headers, body } = stated(expected) ?? {};
  const { response } = exchange;
  const found: Difference[] = [];
  const code = status && stated(status);
  if (code !== undefined && code !== response?.status)
    found.push({ where: 'status', expected: String(code), found: String(response?.status) });
  for (const [name, said] of (headers && stated(headers)) ?? []) {
    const wanted = said.kind === 'stated' ? expectedValue(said.value.template, names, specification) : unseen;
    const received = header(response, name);
    const isAlike = wanted === unseen || String(wanted) === received;
    if (received === undefined || !isAlike)
      found.push({ where: name, expected: shown(wanted), found: shown(received) });
  }
  const content = body && stated(body);
  if (content)
    found.push(...inBody(expectedValue(content.template, names, specification), contentOf(exchange), ''));
  return found;
}

function inBody(expected: Json, found: Json | undefined, where: string): readonly Difference[] {
  if (expected === unseen && found !== undefined) return [];
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.flatMap((element: Json, index) =>
      inBody(element, found[index] as Json, `${where}/${index}`),
    );
  if (isMembers(expected) && isMembers(found))
    return Object.entries(expected).flatMap(([name, member]) =>
      inBody(member, Object.hasOwn(found, name) ? found[name] : undefined, `${where}/${escaped(name)}`),
    );
  if (found !== undefined && equal(expected, found)) return [];
  return [{ where: where || 'body', expected: shown(expected), found: shown(found) }];
}

/** A name as a part of a JSON Pointer (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isMembers(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && value !== unseen;
}

function shown(value: Json | undefined): string {
  if (value === unseen) return 'anything';
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
