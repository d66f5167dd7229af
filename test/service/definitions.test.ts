import { expect, it } from 'vitest';
import { definitions } from '../../src/service/shape/schema.ts';
import { specificationOf } from './served.ts';

it('definitions are made once for each rule, however many shapes refer to them', () => {
  const specification = specificationOf(`
    resources: { Note: { identifier: (none), fields: { text: { type: string } } } }`);
  const keep = { rule: 'keep', address: 'endpoints.others' } as const;
  expect(definitions(specification, null)).toBe(definitions(specification, null));
  expect(definitions(specification, keep)).toBe(definitions(specification, { ...keep }));
  expect(definitions(specification, keep)).toMatchObject({ Note: { others: keep } });
  expect(definitions(specification, { ...keep, rule: 'ignore' })).toMatchObject({
    Note: { others: { rule: 'ignore' } },
  });
  expect(definitions(specification, null)).toMatchObject({ Note: { others: { rule: null } } });
});
