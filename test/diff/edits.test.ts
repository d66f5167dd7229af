import { expect, it } from 'vitest';
import { type Diff, diff } from '../../src/diff/diff.ts';
import { specification } from '../specification/documents.ts';

const desk = `# Desk

\`\`\`yaml
complete: true
\`\`\`

## Resources

\`\`\`yaml
Note:
  identifier: id
  fields:
    id:    { type: string, set: { create: "\${uuid()}" } }
    text:  { type: string, writable: once }
    shelf: { type: string }
    owner: { type: string, readable: "\${actor != null}" }
    place: { type: object, additionalProperties: false }
  unique: [[shelf, text]]
Seat: { identifier: [row, number], fields: { row: { type: string }, number: { type: integer } } }
\`\`\`

## Endpoints

\`\`\`yaml
GET /notes:
  operation: listNotes
  does: list Note
  response: { status: 200, body: { notes: "\${Note(page.items)}", states: [open, shut] } }
POST /notes:
  operation: addNote
  does: create Note
  request: { body: Note }
  response: 204
PATCH /notes/{id}:
  operation: reviseNote
  does: update Note
  request: { body: Note }
  response: 204
\`\`\`

## Authentication

\`\`\`yaml
schemes: { key: { type: http, scheme: bearer, credentials: operator } }
authorization: { addNote: known }
otherwise: known
\`\`\`

## Errors

\`\`\`yaml
codes:
  invalid: { when: invalid Note.text, status: 422 }
  refused: { when: [malformed, "\${request.body.text == 'no'}"], operations: [addNote], status: 409 }
\`\`\`

## Limits

\`\`\`yaml
rates: { all: { per: actor, allow: 10, every: PT1M, operations: [addNote] } }
\`\`\`

## Versioning

\`\`\`yaml
scheme: number
place: { header: Desk-Version }
default: "2"
versions: { "2": {}, "1": { retired: 2026-06-01 } }
\`\`\`
`;

function told({ findings }: Diff): string[] {
  return findings.map(({ class: of, address, message }) => `${of}: ${address}: ${message}`);
}

const rules = 'authentication.authorization';
const note = 'resources.Note';

it.each<[string, string, string, readonly string[], readonly string[]]>([
  [
    'fields that are unique together with one more are told apart by more',
    '[[shelf, text]]',
    '[[shelf, text, id]]',
    [`changed: ${note}.unique: a second is taken now`],
    [
      `breaking: ${note}.unique: a second with the same value is refused`,
      `stored data: ${note}.unique: kept items may have the same value`,
    ],
  ],
  [
    'caseless, they are told apart by less',
    '[[shelf, text]]',
    '[{ fields: [shelf, text], caseless: true }]',
    [
      `breaking: ${note}.unique: a second with the same value is refused`,
      `stored data: ${note}.unique: kept items may have the same value`,
    ],
    [`changed: ${note}.unique: a second is taken now`],
  ],
  [
    'what may be written once may be written again, if it is the same',
    'writable: once',
    'writable: same',
    [`changed: ${note}.fields.text.writable: clients may write the member now`],
    [`breaking: ${note}.fields.text.writable: clients that write the member are treated as others says`],
  ],
  [
    'of an expression and once, nobody knows which lets more through',
    'writable: once',
    'writable: "${this.shelf == null}"',
    [`changed: ${note}.fields.text.writable: unclassified: no rule knows what this comes to`],
    [`breaking: ${note}.fields.text.writable: clients that write the member are treated as others says`],
  ],
  [
    'further members are refused no longer',
    'additionalProperties: false',
    'additionalProperties: true',
    [`breaking: ${note}.fields.place.additionalProperties: values can be shown that could not be before`],
    [
      `breaking: ${note}.fields.place.additionalProperties: values that were taken can be refused now`,
      `stored data: ${note}.fields.place.additionalProperties: kept values may not fit`,
    ],
  ],
  ['the fields of an identifier have no order', '[row, number]', '[number, row]', [], []],
  [
    'a list in a payload has one, whatever its name',
    '[open, shut]',
    '[shut, open]',
    ['changed: endpoints["GET /notes"].response.body.states: unclassified: no rule knows what this comes to'],
    ['changed: endpoints["GET /notes"].response.body.states: unclassified: no rule knows what this comes to'],
  ],
  ['a rule that otherwise gives is the same written out', 'addNote: known', 'listNotes: known', [], []],
  [
    'a rule of its own is compared with the one that otherwise gave',
    '{ addNote: known }',
    '{ addNote: known, listNotes: anyone }',
    [`changed: ${rules}.listNotes: more may`],
    [`breaking: ${rules}.listNotes: fewer may`],
  ],
  [
    'what otherwise gives is told once',
    'otherwise: known',
    'otherwise: anyone',
    ['changed: authentication.otherwise: more may'],
    ['breaking: authentication.otherwise: fewer may'],
  ],
  [
    'a rule comes and goes with its operation',
    'authorization: { addNote: known }',
    'authorization: { addNote: known, dropNote: known }',
    [
      'changed: endpoints["DELETE /notes/{id}"]: one more operation',
      `changed: ${rules}.dropNote: the operation is new`,
    ],
    [
      'breaking: endpoints["DELETE /notes/{id}"]: its requests are refused now',
      `changed: ${rules}.dropNote: the operation is there no longer`,
    ],
  ],
  [
    'the first parameter of a request is judged as any other is',
    'request: { body: Note }\n  response: 204\nPATCH',
    'request: { body: Note, headers: { Desk: { type: string, required: true } } }\n  response: 204\nPATCH',
    ['breaking: endpoints["POST /notes"].request.headers.Desk: it must be given now'],
    ['breaking: endpoints["POST /notes"].request.headers.Desk: it is looked at no longer'],
  ],
  [
    'and so is the first thing that a request brings',
    'does: list Note\n',
    'does: list Note\n  request: { query: { limit: { page: size, type: integer, required: true } } }\n',
    ['breaking: endpoints["GET /notes"].request.query.limit: it must be given now'],
    ['breaking: endpoints["GET /notes"].request.query.limit: it is looked at no longer'],
  ],
  [
    'a wider condition answers what the narrower one did',
    'when: invalid Note.text',
    'when: invalid',
    ['changed: errors.codes.invalid.when: the answer to a refusal has a row of its own now'],
    ['breaking: errors.codes.invalid.when: answered as another error: invalid'],
  ],
  [
    'what a condition of one’s own refused is not refused any more',
    `[malformed, "\${request.body.text == 'no'}"]`,
    'malformed',
    ['changed: errors.codes.refused.when: what was refused for it is not refused any more'],
    ["breaking: errors.codes.refused.when: refused where it was not: ${request.body.text == 'no'}"],
  ],
  [
    'a version that is retired later goes on for longer',
    '2026-06-01',
    '2026-12-01',
    ['changed: versioning.versions.1.retired: the version goes on for longer'],
    ['breaking: versioning.versions.1.retired: the version is refused from then on'],
  ],
  [
    'a rate counts the requests of the operations that it names, and without them all',
    'PT1M, operations: [addNote]',
    'PT1M',
    ['breaking: limits.rates.all.operations: all requests are counted'],
    ['changed: limits.rates.all.operations: fewer requests are counted'],
  ],
  [
    'a rate counts those of one more',
    'operations: [addNote] } }',
    'operations: [addNote, listNotes] } }',
    ['breaking: limits.rates.all.operations: requests of listNotes are counted too'],
    ['changed: limits.rates.all.operations: fewer requests are counted'],
  ],
  [
    'the first bound on what runs at once is judged as any other is',
    '\nrates:',
    '\nconcurrency: { work: { per: actor, allow: 2 } }\nrates:',
    ['breaking: limits.concurrency.work: requests beyond it are refused'],
    ['changed: limits.concurrency.work: requests beyond it are taken'],
  ],
  [
    'a member that nobody saw is seen by some',
    'readable: "${actor != null}"',
    'readable: false',
    [`breaking: ${note}.fields.owner.readable: not everybody sees the member any more`],
    [`changed: ${note}.fields.owner.readable: some see the member now`],
  ],
  [
    'of two expressions, nobody knows which shows it to more',
    'readable: "${actor != null}"',
    'readable: "${actor == null}"',
    [`changed: ${note}.fields.owner.readable: unclassified: no rule knows what this comes to`],
    [`changed: ${note}.fields.owner.readable: unclassified: no rule knows what this comes to`],
  ],
])('%s', (_what, from, to, finds, undone) => {
  expect(desk.split(from)).toHaveLength(2);
  const dropped = 'DELETE /notes/{id}: { operation: dropNote, does: delete Note, response: 204 }\nPATCH';
  const edited = desk.replace(from, () => to);
  const [before, after] = [
    specification(desk),
    specification(to.includes('dropNote') ? edited.replace('PATCH', () => dropped) : edited),
  ];
  expect(told(diff(before, after))).toEqual(finds);
  expect(told(diff(after, before))).toEqual(undone);
});
