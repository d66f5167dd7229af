import type { Span } from '../../source/text.ts';
import { defined, textOf } from './form.ts';
import { type Formed, formed, kindOf, within } from './reading.ts';

/** A field of a resource, named from another part: `R.field`. */
export interface FieldReference {
  readonly resource: string;
  readonly field: string;
  readonly at: Span;
  /** Where the field's name stands. */
  readonly fieldAt: Span;
}

const form = defined(
  'fieldReference',
  textOf(
    '`R.field`',
    /^[A-Z][A-Za-z0-9]*\..+$/,
    'A field of a resource is written R.field (language §5.2).',
    {
      title: 'R.field',
    },
  ),
);

/** Reads `R.field`. */
export const fieldReference: Formed<FieldReference> = formed(form, (node, _place, reading) => {
  const match = node.kind === 'scalar' ? /^([A-Z][A-Za-z0-9]*)\.(.+)$/.exec(node.written) : null;
  if (match === null) {
    const found = node.kind === 'scalar' ? `"${node.written}"` : kindOf(node);
    return reading.report('wrong-kind', node.span, { wanted: 'RESOURCE.field', found });
  }
  const [, resource, field] = match as unknown as [string, string, string];
  const start = resource.length + 1;
  return { resource, field, at: node.span, fieldAt: within(node, start, start + field.length) };
});
