import { describe, expect, it } from 'vitest';
import { body, guessed, json, object, to } from './guessed.ts';

const ifMatch = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });
const refused = (...statuses: readonly string[]) =>
  Object.fromEntries(statuses.map((status) => [status, { description: 'it has changed' }]));

interface Given {
  readonly parameters?: readonly object[];
  readonly statuses?: readonly string[];
  readonly elsewhere?: readonly string[];
  readonly tag?: object;
}

/** What is guessed of tags, if PUT has these parameters and refusals, DELETE those, and GET these headers. */
function tagsOf({ parameters = [ifMatch('If-Match')], statuses = ['412'], elsewhere = [], tag = {} }: Given) {
  const [answer] = Object.values(json(to('Note')));
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const { all, sure, waiting } = guessed(
    {
      '/notes': {
        get: { responses: json({ type: 'array', items: to('Note') }) },
        post: { requestBody: body('Note'), responses: json(to('Note'), '201') },
      },
      '/notes/{id}': {
        parameters: [id],
        get: { responses: { 200: { ...answer, headers: tag } } },
        put: {
          parameters,
          requestBody: body('Note'),
          responses: { ...json(to('Note')), ...refused(...statuses) },
        },
        delete: { responses: { 204: { description: 'gone' }, ...refused(...elsewhere) } },
      },
    },
    { Note: object(['text']) },
  );
  const found = Object.keys(all).filter((at) => at.endsWith('.conditional') || /precondition.*when/.test(at));
  return { waiting, guesses: found.map((at) => [at, all[at], sure[at]]) };
}

const put = 'endpoints["PUT /notes/{id}"].conditional';
const get = 'endpoints["GET /notes/{id}"].conditional';
const failed = ['errors.codes.precondition_failed.when', ['precondition failed'], 'high'];

describe('a precondition by a tag', () => {
  it('is guessed of a change with If-Match and 412, and of what shows the tag', () => {
    expect(tagsOf({ tag: { ETag: { schema: { type: 'string' } } } })).toEqual({
      waiting: [],
      guesses: [
        [get, { etag: '(any)' }, 'high'],
        [put, { etag: '(any)', ifMatch: 'allowed' }, 'high'],
        failed,
      ],
    });
  });

  it('is required where 428 is listed', () => {
    expect(tagsOf({ statuses: ['412', '428'] }).guesses).toEqual([
      [put, { etag: '(any)', ifMatch: 'required' }, 'high'],
      failed,
      ['errors.codes.precondition_required.when', ['precondition missing'], 'high'],
    ]);
  });

  it.each([
    ['no parameter', { parameters: [] }],
    ['another parameter', { parameters: [ifMatch('If-None-Match')] }],
    ['no 412', { statuses: ['409'] }],
  ])('is not guessed with %s', (_, given) => {
    expect(tagsOf(given).guesses).toEqual([]);
  });

  it('is not what 412 stands for, if another operation lists it, too', () => {
    expect(tagsOf({ elsewhere: ['412'] }).guesses).toEqual([
      [put, { etag: '(any)', ifMatch: 'allowed' }, 'high'],
    ]);
  });
});
