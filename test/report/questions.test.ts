import { describe, expect, it } from 'vitest';
import { questions } from '../../src/report/questions.ts';
import { document } from '../specification/documents.ts';
import { reportOf } from './document.ts';

const asking = document({
  resources: 'Todo: { fields: { title: { type: (open) a text? } } }',
  endpoints: [
    'others: (open) refused or kept?',
    'GET /a: { does: (none), response: { status: 200, media: (open) which? } }',
    'GET /b: { does: (none), response: { status: 200, media: (open) which? } }',
    'POST /c: { does: (none), request: { body: { type: object } }, response: (open) what of it? }',
    'PUT /d: { does: (open) what?, request: { body: { type: object } }, response: (open) what of it? }',
  ].join('\n'),
});

describe('the questions that a document asks', () => {
  it('none, where nobody asks, though much is open', () => {
    expect(questions(reportOf('# Nothing\n'))).toEqual([]);
  });

  it('each once: first what holds up most operations, then some requests of most, then as they stand', () => {
    expect(questions(reportOf(asking))).toEqual([
      {
        question: 'what of it?',
        asked: [
          { at: 'x.md:15:73', addresses: ['endpoints["POST /c"].response'] },
          { at: 'x.md:16:78', addresses: ['endpoints["PUT /d"].response'] },
        ],
        holds: ['POST /c', 'PUT /d'],
        holdsSometimes: [],
      },
      {
        question: 'what?',
        asked: [{ at: 'x.md:16:17', addresses: ['endpoints["PUT /d"].does'] }],
        holds: ['PUT /d'],
        holdsSometimes: [],
      },
      {
        question: 'refused or kept?',
        asked: [
          {
            at: 'x.md:12:9',
            addresses: ['GET /a', 'GET /b', 'POST /c', 'PUT /d'].map(
              (key) => `endpoints["${key}"].request.others`,
            ),
          },
        ],
        holds: [],
        holdsSometimes: ['POST /c', 'PUT /d'],
      },
      {
        question: 'a text?',
        asked: [{ at: 'x.md:6:34', addresses: ['resources.Todo.fields.title.type'] }],
        holds: [],
        holdsSometimes: [],
      },
      {
        question: 'which?',
        asked: [
          { at: 'x.md:13:57', addresses: ['endpoints["GET /a"].response.media'] },
          { at: 'x.md:14:57', addresses: ['endpoints["GET /b"].response.media'] },
        ],
        holds: [],
        holdsSometimes: [],
      },
    ]);
  });
});
