import { describe, expect, it } from 'vitest';
import { holds } from '../../src/specification/openness/holds.ts';
import { document, specification } from './documents.ts';
import { findings } from './findings.ts';

const shape = '{ fields: { all: { type: array, items: {}, maxItems: 9 } }, required: [all] }';
const others = [
  'POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }',
  'PATCH /notes/{id}: { operation: changeNote, does: update Note, request: { body: Note }, response: 204 }',
  'POST /forms: { operation: fill, does: create Note, request: { media: application/x-www-form-urlencoded, body: Note }, response: 204 }',
  'PUT /files/{id}: { operation: putFile, does: { create: File, present: replace, with: { content: "${request.body}" } }, request: { media: image/png, body: { type: string, format: binary } }, response: 204 }',
  'GET /files/{id}: { operation: readFile, does: read File, response: { status: 200, media: image/png, body: "${this.content}" } }',
  'GET /events: { operation: follow, does: (none), response: { status: 200 } }',
  'POST /again: { operation: again, does: { run: addNote, for: "${[1]}", request: (none) }, response: 204 }',
].join('\n');

const text = (does: string, more = '', kinds = 'kinds: { made: { by: [addNote] } }'): string =>
  document({
    resources: [
      'Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }',
      'File: { identifier: id, fields: { id: { type: string }, content: { type: string, format: binary } } }',
    ].join('\n'),
    endpoints: `${others}\nPOST /batch: { operation: batch, does: ${does}, request: { body: ${shape} }, response: 207${more} }`,
    authentication:
      'schemes: { key: { type: apiKey, in: header, name: X-Key }, token: { type: http, scheme: bearer } }',
    events: `${kinds}\ndelivery: { feed: { stream: GET /events } }`,
  });
const run = (name: string, request = '(none)', each = '${request.body.all}'): string =>
  `{ run: ${name}, for: "${each}", request: ${request} }`;
const faults = (...given: Parameters<typeof text>): string[] =>
  findings(text(...given)).map((one) => one.split(' → ')[0] as string);

describe('a run (language §H.2)', () => {
  it.each([
    [run('addNote', '{ body: "${value}" }')],
    [run('addNote', '(none)', '${request.body.all.filter(one, one != null)}')],
    [run('changeNote', '{ path: { id: "${value.id}" }, headers: { X-Other: a }, query: { a: [1] } }')],
    ['run addNote'],
  ])('is without a fault: %s', (does) => {
    expect(faults(does)).toEqual([]);
  });

  it.each([
    [run('addNotes'), 'unknown-name addNotes: addNotes is not the name of an operation'],
    [run('every addNote'), 'idle every addNote: every says nothing of run'],
    [run('follow'), 'bad-run follow: a `run` cannot do this: follow sends events as they come'],
    [run('again'), 'bad-run again: a `run` cannot do this: again runs another operation itself'],
    [run('putFile', '{ path: { id: a } }'), 'bad-run putFile: a `run` cannot do this: putFile takes bytes'],
    [
      run('readFile', '{ path: { id: a } }'),
      'bad-run readFile: a `run` cannot do this: readFile answers with bytes',
    ],
    [
      run('changeNote', '{ body: {} }'),
      'bad-run { body: {} }: a `run` cannot do this: changeNote needs id of its path',
    ],
    [run('fill', '{ body: { text: a } }'), 'bad-run { text: a }: a `run` cannot do this: fill takes no JSON'],
    [
      run('addNote', '{ path: { id: a } }'),
      'unknown-name id: id is not the name of a parameter of the path of addNote',
    ],
    [
      run('addNote', '{ headers: { x-key: a } }'),
      'bad-run x-key: a `run` cannot do this: x-key is the credential of the client, which is sent already',
    ],
    [
      '{ run: "${actor}", for: "${request.body.all}", request: (none) }',
      'bad-run "${actor}": a `run` cannot do this: the operation is named, and not worked out',
    ],
    [
      run('addNote', '(none)', '${request.body.all + request.body.more}'),
      'run-unbounded "${request.body.all + request.body.more}": it is not stated how many elements this list has at most',
    ],
    [
      run('addNote', '{ body: "${this.text}" }'),
      'expression-type this: nothing is called this here; known here: service, now, request, actor, value',
    ],
    ['{ run: addNote, where: "${true}" }', 'idle where: where says nothing of run'],
    ['{ create: Note, request: (none) }', 'idle request: request says nothing of create'],
  ])('is refused: %s', (does, expected) => {
    expect(faults(does)).toEqual([expected]);
  });

  it('stands in `does`, alone', () => {
    const also = (change: string): string => `, also: [${change}]`;
    expect(faults('(none)', also(run('addNote')))).toEqual([
      'bad-run run: a `run` cannot do this: an operation sends requests by `does` alone',
    ]);
    expect(faults(run('addNote'), also('create Note'))).toEqual([
      'bad-run run: a `run` cannot do this: beside `run`, the operation has no changes of its own',
    ]);
  });

  it('follows no transition', () => {
    const machine = `states: [open, done], initial: open, transitions: { close: { from: open, to: done, also: [${run('addNote', '(none)', '${[1]}')}] } }`;
    const stated = {
      resources: 'Note: { identifier: id, fields: { id: { type: string }, state: { type: string } } }',
      states: `Note.state: { ${machine} }`,
      endpoints: 'POST /notes: { operation: addNote, does: create Note, response: 201 }',
    };
    expect(findings(document(stated)).map((one) => one.split(' → ')[0])).toEqual([
      'bad-run run: a `run` cannot do this: a transition sends no requests',
    ]);
  });

  it('emits no event', () => {
    expect(faults(run('addNote'), '', 'kinds: { made: { by: [batch] } }')).toEqual([
      'no-effect batch: batch has no effect: it changes nothing, so that nothing is told',
    ]);
  });

  it('is held up by what it leaves open, and by whatever holds up the other operation', () => {
    const held = (does: string, note = 'does: create Note'): string[] => {
      const found = specification(
        document({
          resources: 'Note: { identifier: id, fields: { id: { type: string } } }',
          endpoints: `POST /notes: { operation: addNote, ${note}, response: 201 }\nPOST /batch: { operation: batch, does: ${does}, request: { body: ${shape} }, response: 207 }`,
        }),
      );
      const batch = found.operations.find(({ name }) => name === 'batch');
      return batch ? holds(found, batch).map(({ address }) => address) : [];
    };
    const own = 'endpoints["POST /batch"].does';
    expect(held(run('addNote', '{ body: {} }'), 'does: create Note, request: { body: Note }')).toEqual([]);
    expect(held('run addNote', 'does: create Note, request: { body: Note }')).toEqual([
      `${own}.for`,
      `${own}.request`,
    ]);
    expect(held(run('addNote'), 'request: {}')).toEqual(['endpoints["POST /notes"].does']);
  });
});
