import { defined, own } from './form.ts';
import { type Formed, formed, kindOf } from './reading.ts';

/** How many bytes each unit is (language §H.5). */
export const bytesIn: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

const size = defined(
  'size',
  own('a size', {
    title: 'size',
    anyOf: [
      { type: 'integer', minimum: 0 },
      {
        type: 'string',
        pattern: `^\\d+(?: ?(?:${Object.keys(bytesIn).join('|')}))?$`,
        patternErrorMessage:
          'A size is a whole number of bytes, or one with its unit, as 64 KiB (language §H.5).',
        examples: ['64 KiB'],
      },
    ],
  }),
);

/** A whole number of bytes, or one with a unit: `64 KiB`, `1 MB` (language §H.5). */
export const bytes: Formed<number> = formed(size, (node, _place, reading) => {
  if (node.kind !== 'scalar' || node.value === null || typeof node.value === 'boolean')
    return reading.report('wrong-kind', node.span, { wanted: 'a size', found: kindOf(node) });
  const [, count, unit = 'B'] = /^(\d+)(?: ?([A-Za-z]+))?$/.exec(node.written) ?? [];
  const size = count === undefined ? Number.NaN : Number(count) * (bytesIn[unit] ?? Number.NaN);
  if (Number.isSafeInteger(size)) return size;
  const close = count === undefined ? undefined : reading.suggest(unit, Object.keys(bytesIn));
  const hint = close === undefined || close === unit ? null : `did you mean ${count} ${close}?`;
  return reading.report('bad-size', node.span, { found: node.written }, hint === null ? {} : { hint });
});

/** A whole number, from `least` on. */
export function count(least: 0 | 1): Formed<number> {
  const form = own('a whole number', { type: 'integer', minimum: least });
  return formed(form, (node, _place, reading) =>
    node.kind === 'scalar' && Number.isSafeInteger(node.value) && (node.value as number) >= least
      ? (node.value as number)
      : reading.report('wrong-kind', node.span, {
          wanted: `a whole number from ${least} on`,
          found: typeof (node.kind === 'scalar' && node.value) === 'number' ? 'another one' : kindOf(node),
        }),
  );
}
