import { describe, expect, it } from 'vitest';
import { diff } from '../../src/diff/diff.ts';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { document, faults, specification } from './documents.ts';

const notes = (examples: string): string =>
  document({
    resources: 'Note: { identifier: id, fields: { id: { type: string }, title: { type: string } } }',
    endpoints: `POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note }, examples: { milk: { request: { body: { title: Milk } }, response: { status: 201, body: { id: (any) } } } } }
GET /notes/{id}:
  operation: readNote
  does: read Note
  response: { status: 200, body: Note }
${examples}`,
    authentication: 'schemes: { token: { type: http, scheme: bearer } }',
  });
const mine = (example: string): string => notes(`  examples: { mine: ${example} }\n`);
const after = 'after: { note: addNote.milk }';
const request = `request: { path: { id: "\${note.body.id}" } }`;

describe('examples of an operation (language §4.6)', () => {
  it('have a request, an answer, and examples that come before', () => {
    const content = mine(`{ ${after}, by: { token: ann }, ${request}, response: { status: 200 } }`);
    expect(faults(content)).toEqual(faults(notes('')));
    const [, operation] = specification(content).operations;
    const example = stated(operation?.endpoint.examples.get('mine'));
    expect([...((example && stated(example.after)) ?? [])].map(([name]) => name)).toEqual(['note']);
    expect(stated((example && stated(example.response))?.status)).toBe(200);
  });

  it('are no points, and make no difference', () => {
    const without = read('x.md', notes('')).specification;
    const having = read('x.md', mine(`{ ${after}, ${request}, response: { body: { title: (any) } } }`));
    expect([...having.specification.points.keys()]).toEqual([...without.points.keys()]);
    expect([...without.points.keys()].filter((one) => one.includes('examples'))).toEqual([]);
    expect(diff(without, having.specification).findings).toEqual([]);
  });

  it.each([
    [`{ after: { note: addNote.butter }, ${request} }`, 'unknown-name: addNote.butter'],
    [`{ after: { note: butter }, ${request} }`, 'unknown-name: butter'],
    [`{ after: { note: readNote.mine }, ${request} }`, 'example-circle: { note: readNote.mine }'],
    [`{ ${request} }`, 'expression-type: note'],
    [`{ ${after}, request: { path: { id: "\${note.boddy.id}" } } }`, 'expression-type: note.boddy'],
    [`{ ${after}, ${request}, response: { body: { by: "\${actor}" } } }`, 'expression-type: actor'],
    [`{ ${after}, by: { key: ann }, ${request} }`, 'unknown-name: key'],
    [`{ request: { path: { id: "1", no: "2" } } }`, 'unknown-name: no'],
    ['{ request: { query: { a: "1" } } }', 'contradiction: { query: { a: "1" } }'],
    ['{ request: { path: { id: (any) } } }', 'marker-in-literal: (any)'],
    ['{ response: { body: { id: (open) who? } } }', 'marker-in-literal: (open) who?'],
    ['{ response: { body: [(none)] } }', 'marker-in-literal: (none)'],
    ['(open)', 'marker-in-literal: (open)'],
    ['{ answer: 200 }', 'unknown-key: answer'],
    ['{ response: { status: 99 } }', 'bad-status: 99'],
    ['{ response: { headers: { "a b": x } } }', 'bad-name: "a b"'],
  ])('%s is %s', (example, fault) => {
    const before = faults(notes(''));
    expect(faults(mine(example)).filter((one) => !before.includes(one))).toEqual([fault]);
  });

  it('are a map', () => {
    expect(faults(notes('  examples: (open)\n'))).toContain('wrong-kind: (open)');
  });
});
