import { describe, expect, it } from 'vitest';
import { client, documentOf } from './resources/kept.ts';

const resources = `
Note:
  identifier: id
  fields:
    id: { type: integer, set: { create: "\${sequence()}" } }
    text: { type: string, minLength: 1 }
    owner: { type: string, default: nobody }
    level: { type: integer, default: 0 }
  required: [text]
Draft: { of: Note, shows: [id, text, level] }
Public: { of: Note, omits: [owner] }`;
const endpoints = (name: string) => `
POST /drafts:
  operation: draft
  does: create Note
  request: { body: ${name} }
  response: { status: 201, body: Note }`;

describe('a view in a request', () => {
  it.each(['Draft', 'Public', '{ of: Draft, minProperties: 1 }'])(
    'means its writable members, and no other can be given (%s)',
    async (name) => {
      const { call } = await client(documentOf(resources, ['Note'], endpoints(name)));
      expect(await call('POST /drafts', { text: 'a', level: 2 })).toEqual([
        201,
        { id: 1, text: 'a', owner: 'nobody', level: 2 },
      ]);
      const refused = (field: string) => [422, { code: 'invalid', of: [field] }];
      expect(await call('POST /drafts', { text: 'a', owner: 'me' })).toEqual(refused('owner others'));
      expect(await call('POST /drafts', { text: 'a', id: 7 })).toEqual(refused('id others'));
      expect(await call('POST /drafts', { text: '' })).toEqual(refused('text minLength'));
      expect(await call('POST /drafts', {})).toEqual(
        name.startsWith('{')
          ? [422, { code: 'invalid', of: expect.arrayContaining(['text required']) }]
          : refused('text required'),
      );
    },
  );
});
