import { describe, expect, it } from 'vitest';
import { client, documentOf } from './resources/kept.ts';

const resources = `
Note:
  identifier: id
  fields:
    id: { type: integer, set: { create: "\${sequence()}" } }
    text: { type: string }
  required: [text]`;
const endpoints = `
POST /notes/batch:
  operation: batch
  does: (none)
  also:
    - { create: Note, for: "\${request.body.notes}", as: made, with: { text: "\${value.text}" } }
    - { create: Note, when: "\${made.size() > 2}", with: { text: "\${made.map(n, n.text).join(' ')}" } }
  request: { body: { fields: { notes: { type: array, items: { fields: { text: { type: string } } } } }, required: [notes] } }
  response: { status: 201, body: { notes: "\${Note(made)}" } }`;

describe('a name beside for', () => {
  it('is the list of what was made', async () => {
    const { call } = await client(documentOf(resources, ['Note'], endpoints));
    const notes = (texts: string[]) => ({ notes: texts.map((text) => ({ text })) });
    expect(await call('POST /notes/batch', notes(['a', 'b', 'c']))).toEqual([
      201,
      {
        notes: [
          { id: 1, text: 'a' },
          { id: 2, text: 'b' },
          { id: 3, text: 'c' },
        ],
      },
    ]);
    expect(await call('GET /Note/4')).toEqual([200, { id: 4, text: 'a b c' }]);
    expect(await call('POST /notes/batch', notes([]))).toEqual([201, { notes: [] }]);
  });

  it('is nothing that one change could be about', async () => {
    const wrong = endpoints.replace(
      '- { create: Note, when',
      '- { delete: made }\n    - { create: Note, when',
    );
    await expect(client(documentOf(resources, ['Note'], wrong))).rejects.toThrow(
      'wrong-kind: one item is wanted here, and this is a list of items',
    );
  });
});
