import { expect, it } from 'vitest';
import { deviatingSchemas } from '../../../src/conformance/deviations/schemas.ts';

it('a list of one value admits nothing without that value', () => {
  expect(deviatingSchemas({ enum: ['manager'] })).toContainEqual({
    says: '"manager" is refused',
    value: { not: {} },
  });
});

it('a list of several values admits the others', () => {
  expect(deviatingSchemas({ enum: ['red', 'blue'] })).toContainEqual({
    says: '"blue" is refused',
    value: { enum: ['red'] },
  });
});
