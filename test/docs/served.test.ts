import { afterAll, describe, expect, it } from 'vitest';
import { bench } from '../service/running.ts';
import { examples } from './chapters.ts';

const { serving, end } = bench();
afterAll(end);

describe('the examples of the reference', () => {
  it.each(examples)('are served, or say what the operator has to give: $at', async ({ source }) => {
    const get = { method: 'GET', target: '/there/is/no/such/path', fields: {}, body: null };
    const came = await serving(source.content, async ({ call }) => (await call(get)).status).catch(
      (error: Error) => error.message,
    );
    expect(String(came)).toMatch(/^(400|404)$|the operator's to (give|say)/);
  });
});
