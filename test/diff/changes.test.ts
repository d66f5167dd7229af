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
  fields: { id: { type: string }, text: { type: string }, changes: { type: integer, set: { create: "\${0}", update: "\${old.changes + 1}" } } }
\`\`\`

## Endpoints

\`\`\`yaml
POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: 204 }
PUT /notes/{id}: { operation: putNote, does: { create: Note, present: update }, request: { body: Note }, response: 204 }
PATCH /notes/{id}: { operation: reviseNote, does: { update: Note, same: unchanged }, request: { body: Note }, response: 204 }
POST /batches:
  does: { run: addNote, for: "\${request.body.all}", request: { body: { id: "\${value.id}", text: "\${value.text}" } } }
  request: { body: { fields: { all: { type: array, items: {}, maxItems: 100 } }, required: [all] } }
  response: 204
\`\`\`

## Authentication

\`\`\`yaml
schemes:
  token:
    type: http
    scheme: bearer
    actor: Note
    credentials: { issued: jwt, life: PT1H, algorithm: ES256, claims: { role: reader } }
otherwise: anyone
\`\`\`
`;

function told({ findings }: Diff): string[] {
  return findings.map(({ class: of, address, message }) => `${of}: ${address}: ${message}`);
}

const put = 'endpoints["PUT /notes/{id}"].does';
const patch = 'endpoints["PATCH /notes/{id}"].does';
const batch = 'endpoints["POST /batches"].does';
const claims = 'authentication.schemes.token.credentials.claims';

it.each<[string, string, string, readonly string[], readonly string[]]>([
  [
    'what it is to leave every value as it was',
    'same: unchanged',
    'same: changed',
    [`breaking: ${patch}.same: leaving every value as it was is another thing`],
    [`breaking: ${patch}.same: leaving every value as it was is another thing`],
  ],
  [
    'the same of an item that a creation meets, where that was a choice',
    'present: update }',
    'present: update, same: changed }',
    [`breaking: ${put}.same: leaving every value as it was is settled now`],
    [`breaking: ${put}.same: leaving every value as it was is a choice now`],
  ],
  [
    'a claim more, or less',
    'claims: { role: reader }',
    'claims: { role: reader, name: "${this.id}" }',
    [`changed: ${claims}.name: tokens say more`],
    [`breaking: ${claims}.name: tokens say less`],
  ],
  [
    'a claim that says something else',
    'claims: { role: reader }',
    'claims: { role: writer }',
    [`breaking: ${claims}.role: tokens say something else`],
    [`breaking: ${claims}.role: tokens say something else`],
  ],
  [
    'another operation that is run',
    'run: addNote, for: "${request.body.all}", request: {',
    'run: putNote, for: "${request.body.all}", request: { path: { id: a },',
    [
      `breaking: ${batch}.run: it does something else`,
      `breaking: ${batch}.request.path: it sends other requests`,
    ],
    [
      `breaking: ${batch}.run: it does something else`,
      `breaking: ${batch}.request.path: it sends other requests`,
    ],
  ],
  [
    'other requests that are sent',
    'text: "${value.text}"',
    'text: "${value.title}"',
    [`breaking: ${batch}.request.body.text: it sends other requests`],
    [`breaking: ${batch}.request.body.text: it sends other requests`],
  ],
  [
    'a list of other elements',
    'for: "${request.body.all}"',
    'for: "${request.body.all.filter(one, one != null)}"',
    [`changed: ${batch}.for: unclassified: no rule knows what this comes to`],
    [`changed: ${batch}.for: unclassified: no rule knows what this comes to`],
  ],
])('%s', (_what, from, to, finds, undone) => {
  expect(desk.split(from)).toHaveLength(2);
  const before = specification(desk);
  const after = specification(desk.replace(from, () => to));
  expect(told(diff(before, after))).toEqual(finds);
  expect(told(diff(after, before))).toEqual(undone);
});
