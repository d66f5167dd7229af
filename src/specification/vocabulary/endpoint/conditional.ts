import { get } from '../../../source/node.ts';
import { point, section } from '../../reading/form.ts';
import {
  absent,
  either,
  entry,
  type Formed,
  formed,
  record,
  type Values,
  value,
  word,
} from '../../reading/reading.ts';
import { expression, holdsExpression, type PlacedTemplate, textTemplate } from '../../reading/templates.ts';

const tags = section('4.3', 'endpoints.conditional');

const strength = word('strong', 'weak');

const conditionalKeys = {
  etag: value(
    either<'strong' | 'weak' | PlacedTemplate>(
      (...given) => (holdsExpression(given[0]) ? textTemplate(...given) : strength(...given)),
      strength,
      textTemplate,
    ),
    tags('The `ETag` of the answer: `strong` or `weak`, or its text as an expression over `this`.', {
      rules: '2, 10 and 11',
      must: 'send it; `strong`, `weak`: two tags are equal exactly when the payloads are',
      see: 'the tag; that it changes',
      open: 'no tag is sent; a request that names a tag: 501',
    }),
  ),
  ifMatch: entry(
    word('required', 'allowed'),
    tags('`required` or `allowed`: whether a request without `If-Match` is refused.', {
      must: 'refuse: `precondition missing`, `precondition failed`',
      see: 'without it, with another tag, with the right tag',
      open: 'the field is ignored',
    }),
  ),
  compare: entry(
    word('weak'),
    tags('`weak`: `If-Match` compares weakly, so it takes weak tags.', {
      rules: '7',
      must: 'compare so',
      see: 'a weak tag',
      open: '`If-Match` compares strongly',
    }),
  ),
  ifNoneMatch: entry(
    word('allowed'),
    tags('`allowed`: `If-None-Match` is judged.', {
      must: 'answer 304, or refuse: `precondition failed`',
      see: 'with the tag, with another, with `*`',
      open: 'the field is ignored',
    }),
  ),
  ranges: entry(
    word('allowed'),
    tags('`allowed`: a client may ask for one range of the bytes of the answer (RFC 9110 §14).', {
      must: 'send 206, or refuse: `range not satisfiable`',
      see: 'the first bytes, the last, bytes past the end',
      open: 'the field `Range` is ignored',
    }),
  ),
  lastModified: entry(
    expression,
    tags('When the item was last changed: an expression for a time, over `this`.', {
      must: 'send `Last-Modified`, in whole seconds, rounded down',
      see: 'the field',
      open: 'no time is sent; a request that names a time: 501',
    }),
  ),
  ifModifiedSince: entry(
    word('allowed'),
    tags('`allowed`: `If-Modified-Since` is judged.', {
      must: 'answer 304',
      see: 'a time before, at and after',
      open: 'the field is ignored',
    }),
  ),
  ifUnmodifiedSince: entry(
    word('required', 'allowed'),
    tags('`required` or `allowed`: whether a request without `If-Unmodified-Since` is refused.', {
      must: 'refuse: `precondition missing`, `precondition failed`',
      see: 'without it; a time before and after',
      open: 'the field is ignored',
    }),
  ),
};

/** Which preconditions an operation knows (language §4.3; RFC 9110 §13). */
export type Conditional = Values<typeof conditionalKeys>;

/** A tag, or a time, without which nothing definite is said is a point: a time where conditions are about times alone. */
const conditionalForm = point('conditional', record(conditionalKeys).form);

export const conditional: Formed<Conditional> = formed(conditionalForm, (node, place, reading) => {
  const has = (...names: (keyof typeof conditionalKeys)[]): boolean =>
    names.some((name) => get(node, name) !== undefined);
  const byTime = has('ifModifiedSince', 'ifUnmodifiedSince');
  const { etag, lastModified } = conditionalKeys;
  return record({
    ...conditionalKeys,
    etag:
      (byTime || has('lastModified', 'ranges')) && !has('ifMatch', 'ifNoneMatch')
        ? absent(etag, 'entry')
        : etag,
    lastModified: byTime ? absent(lastModified, 'value') : lastModified,
  })(node, place, reading);
});
