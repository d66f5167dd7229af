import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { client, documentOf } from './resources/kept.ts';

const note = (create: string, pattern: string): string => `
Note:
  identifier: id
  fields:
    id: { type: string }
    given: { type: string, format: date-time }
    at: { type: string, format: date-time, pattern: '${pattern}', set: { create: "\${${create}}" } }
  required: [id]`;
const text = (create: string, pattern = '.'): string => documentOf(note(create, pattern), ['Note']);

describe('string(t, n)', () => {
  it('writes a time so that it fits a pattern', async () => {
    const { call } = await client(text('string(now, 3)', '[0-9]{2}[.][0-9]{3}Z$'));
    const [status, body] = await call('POST /Note', { id: 'a' });
    expect(status).toBe(201);
    expect((body as { at: string }).at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([
    ['2026-03-01T01:02:03.456789+01:00', 0, '2026-03-01T00:02:03Z'],
    ['2026-03-01T01:02:03.999999Z', 2, '2026-03-01T01:02:03.99Z'],
    ['2026-03-01T01:02:03.4Z', 6, '2026-03-01T01:02:03.400000Z'],
  ])('writes %s with %i digits, cut', async (given, digits, at) => {
    const { call } = await client(text(`string(this.given, ${digits})`));
    expect(await call('POST /Note', { id: 'a', given })).toEqual([201, { id: 'a', given, at }]);
  });

  it('takes a time, and 0 to 6 digits', async () => {
    const problems = (create: string) =>
      read('service.yaml', text(create)).diagnostics.map(({ code, message }) => `${code}: ${message}`);
    expect(problems('string(this.id, 3)')).toEqual([
      'expression-type: string(t, n) writes a time with n fraction digits, and this is none',
    ]);
    expect(problems('string(now, 7)')).toEqual(['expression-type: a time has 0 to 6 fraction digits']);
  });
});
