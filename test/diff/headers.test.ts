import { expect, it } from 'vitest';
import { diff } from '../../src/diff/diff.ts';
import { document, specification } from '../specification/documents.ts';

const resources = 'Note: { identifier: id, fields: { id: { type: string } } }';

/** What comes of an edit of a header field that is stated by its shape. */
function comes(...fields: readonly [before: string, after: string]): string[] {
  const [old, now] = fields.map((field) =>
    specification(
      document({
        head: 'tacet: 1\ncomplete: true',
        resources,
        endpoints: `GET /{id}: { does: read Note, response: { status: 200, headers: { A: { ${field}, value: "7" } } } }`,
      }),
    ),
  );
  return diff(old as never, now as never).findings.map(
    ({ class: of, address, message, rule }) =>
      `${of}: ${address.replace('endpoints["GET /{id}"].response.headers.', '')}: ${message} (${rule})`,
  );
}

it('a header field that may be missing, or have more values, breaks who reads it', () => {
  expect(comes('type: integer, required: true', 'type: integer, required: false')).toEqual([
    'breaking: A.required: the field may be missing now (header)',
  ]);
  expect(comes('type: integer, required: false', 'type: integer, required: true')).toEqual([
    'changed: A.required: the field is always sent (header)',
  ]);
  expect(comes('type: integer, maximum: 5', 'type: integer, maximum: 9')).toEqual([
    'breaking: A.maximum: values can be shown that could not be before (constraint)',
  ]);
  expect(comes('type: integer, maximum: 9', 'type: integer, maximum: 5')).toEqual([
    'changed: A.maximum: fewer values are shown (constraint)',
  ]);
});
