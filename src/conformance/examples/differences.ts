import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import { type Exchange, header } from '../http.ts';
import { membersOf } from '../item.ts';
import { anything, isAbsent, membersIn, type Partly } from '../partly.ts';
import { type Names, workOut } from '../solve.ts';
import { pointer } from '../spell.ts';
import { fits, fitsField, shownAs } from '../unify.ts';
import { contentOf } from './answers.ts';

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
): readonly Difference[] {
  const { status, headers, body } = stated(expected) ?? {};
  const { response } = exchange;
  const found: Difference[] = [];
  const code = status && stated(status);
  if (code !== undefined && code !== response?.status)
    found.push({ where: 'status', expected: String(code), found: String(response?.status) });
  for (const [name, said] of (headers && stated(headers)) ?? []) {
    const received = header(response, name);
    const claim =
      said.kind === 'stated'
        ? fitsField(workOut(said.value.template, names), received)
        : fits(anything, received);
    if (received === undefined || claim.truth.value === false)
      found.push({ where: name, expected: claim.expected, found: shownAs(received) });
  }
  const shown = body && stated(body);
  if (shown) found.push(...inBody(workOut(shown.template, names), contentOf(exchange), ''));
  return found;
}

function inBody(expected: Partly, found: Json | undefined, where: string): readonly Difference[] {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.flatMap((one: Partly, index) => inBody(one, found[index] as Json, `${where}/${index}`));
  const shown = membersIn(expected);
  const members = membersOf(found);
  if (shown && members)
    return Object.entries(shown)
      .filter(([, one]) => !isAbsent(one))
      .flatMap(([name, one]) =>
        inBody(one, Object.hasOwn(members, name) ? members[name] : undefined, where + pointer(name)),
      );
  if (found !== undefined && fits(expected, found).truth.value !== false) return [];
  return [{ where: where || 'body', expected: shownAs(expected), found: shownAs(found) }];
}
