import { expect, it } from 'vitest';
import { receivedAnswer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { ask, specificationOf, start } from '../service/served.ts';

const document = (response: string): string => `
name: Notes
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string } }, required: [id] } }
endpoints:
  GET /notes: { does: (none), response: { status: 200, ${response} } }
authentication: (none)
`;

/** Where an answer is not what the document says. */
function wrong(response: string, type: string, content: string): string[] {
  const specification = specificationOf(document(response));
  const request: Request = {
    operation: specification.operations[0] as Operation,
    ...{ path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' },
  };
  const answer = receivedAnswer(200, { 'content-type': type }, new TextEncoder().encode(content));
  return judge(step(new World(specification), request), answer).differences.map(
    ({ at, expected }) => `${at}: ${expected}`,
  );
}

const among = 'media: [application/json, application/xml, text/*], shape: Note';

it('an answer has one of the media types of a list, and what is JSON has the shape (language §H.3)', () => {
  expect(wrong(among, 'application/json', '{"id":"a"}')).toEqual([]);
  expect(wrong(among, 'application/xml; charset=utf-8', '<note/>')).toEqual([]);
  expect(wrong(among, 'text/csv', 'a')).toEqual([]);
  expect(wrong(among, 'application/json', '{"id":1}')).toEqual(['body.id: type: "string"']);
  expect(wrong(among, 'image/png', '')).toEqual([
    'headers.content-type: the media type application/json or application/xml or text/*',
    'body: content',
  ]);
});

it('an answer by media type has the shape of its type, whatever the operation does', () => {
  const content = 'content: { application/xml: { body: (open) which? }, application/json: { shape: Note } }';
  expect(wrong(content, 'application/json', '{"id":1}')).toContain('body.id: type: "string"');
  expect(wrong(content, 'application/xml', '<note/>')).toEqual(['headers.vary: accept']);
});

it('the service sends the first media type of a list, whatever the client prefers', async () => {
  const to = await start(document('media: [application/json, application/xml], body: { id: a }'));
  const { status, fields, body } = await ask(to, 'GET /notes', undefined, ['Accept: application/xml']);
  expect([status, fields.includes('Content-Type: application/json'), body]).toEqual([200, true, { id: 'a' }]);
});
